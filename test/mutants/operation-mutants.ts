import type { Mutant } from './mutant.ts';

const operations = 'test/db/returns/return-model.test.ts';
const byCard = 'test/db/returns/settle-by-card.test.ts';
const opens = 'test/db/returns/open-return.test.ts';

/** What is asked of a return: done once under its key, in time or never, and in one piece. */
export const operationMutants: readonly Mutant[] = [
  {
    id: 'M41',
    mistake: 'a verb that is done is done again when its request comes again',
    patches: [
      { file: 'db/returns/lock-return.ts', find: 'done: known?.isDone === true ?', replace: 'done: known === null ?' },
    ],
    killedBy: [operations],
  },
  {
    id: 'M42',
    mistake: 'a verb is carried out for who waits no more',
    patches: [
      {
        file: 'db/returns/lock-return.ts',
        find: 'if (known?.isLate === true) throw tooLate();',
        replace: 'void tooLate;',
      },
    ],
    killedBy: [operations],
  },
  {
    id: 'M43',
    mistake: 'the clock is read before the lock, so that its wait does not count',
    patches: [
      {
        file: 'db/returns/lock-return.ts',
        find: 'clock_timestamp() > $beginBefore::timestamptz as is_late',
        replace: 'now() > $beginBefore::timestamptz as is_late',
      },
    ],
    killedBy: [operations],
  },
  {
    id: 'M45',
    mistake: 'what is answered to a repeat comes after the clock',
    patches: [
      {
        file: 'db/returns/close-return.ts',
        find: `    if (done || rma.status === 'received')`,
        replace: `    refuseLate();\n    if (done || rma.status === 'received')`,
      },
    ],
    killedBy: [operations],
  },
  {
    id: 'M46',
    mistake: 'a repeat of a settlement by card opens another refund',
    patches: [
      {
        file: 'db/returns/settle-return.ts',
        find: `refuseLate, opened }) => {
      if (done) return asBefore(tx, rma, done);`,
        replace: `refuseLate, opened }) => {
      void [done, asBefore];`,
      },
    ],
    killedBy: [byCard],
  },
  {
    id: 'M47',
    mistake: 'a refund that was declined is a success when its request comes again',
    patches: [
      {
        file: 'db/returns/settle-return.ts',
        find: `  if (attempt.state === 'booked') return { status };`,
        replace: `  if (attempt.state !== 'started') return { status };`,
      },
    ],
    killedBy: [byCard],
  },
  {
    id: 'M48',
    mistake: 'a refund that was never sent uses up the key of its request',
    patches: [
      {
        file: 'db/verdicts/record-finding.ts',
        find: 'if (wasNeverCalled) await forget.run(',
        replace: 'if (wasNeverCalled) void ((..._: unknown[]) => forget)(',
      },
    ],
    killedBy: [byCard],
  },
  {
    id: 'M49',
    mistake: 'an ended return counts as followed for ever',
    patches: [
      {
        file: 'db/returns/lock-return.ts',
        find: 'if (isTerminal(locked.rma.status)) locked.rma.followedAt = null;',
        replace: 'void isTerminal;',
      },
    ],
    killedBy: [operations],
  },
  {
    id: 'M50',
    mistake: 'a creation is carried out for who waits no more',
    patches: [
      {
        file: 'db/returns/create-return.ts',
        find: 'if (isLate === true) throw tooLate();',
        replace: 'void [isLate, tooLate];',
      },
    ],
    killedBy: [opens],
  },
  {
    id: 'M51',
    mistake: 'a creation that comes again under its id is another one',
    patches: [
      {
        file: 'db/returns/create-return.ts',
        find: 'if (isMade && requested.numbers)',
        replace: 'if (isMade && !requested.numbers)',
      },
    ],
    killedBy: [opens],
  },
  {
    id: 'M52',
    mistake: 'two creations take no turns on their order',
    patches: [
      {
        file: 'db/platform/orders/lock-order-row.ts',
        find: 'where entity_id = $orderId for update`',
        replace: 'where entity_id = $orderId`',
      },
    ],
    killedBy: [opens],
  },
  {
    id: 'M53',
    mistake: 'goods that cannot be taken in leave the creation half done',
    patches: [
      {
        file: 'db/returns/open-return.ts',
        find: 'throw error instanceof PosError ? new CannotBegin(error) : error;',
        replace: `if (error instanceof PosError) return { next: 'answer' as const, as: { status: 'pending' as const, isReady: false, refused: error.refusal } };
      throw error;`,
      },
    ],
    killedBy: [opens],
  },
  {
    id: 'M54',
    mistake: 'a collapsed return is carried out for who waits no more',
    patches: [
      {
        file: 'db/process/collapse-return.ts',
        find: 'if (drawn.isLate === true) throw tooLate();',
        replace: 'void tooLate;',
      },
    ],
    killedBy: ['test/db/process/process.test.ts'],
    named: '^(?:collapse return) ',
  },
  {
    id: 'M55',
    mistake: 'a collapsed return under a known key is carried out again',
    patches: [
      {
        file: 'db/process/collapse-return.ts',
        find: 'if (known) return { ...known, isReused: true };',
        replace: 'if (known && known.processId < 0) return { ...known, isReused: true };',
      },
    ],
    killedBy: ['test/db/process/process.test.ts'],
    named: '^(?:collapse return) ',
  },
  {
    id: 'M56',
    mistake: 'a call for a return that comes again under its key is another one',
    patches: [
      {
        file: 'db/process/open-process.ts',
        find: 'if (own && !own.isHeldUp) return',
        replace: 'if (own && own.isHeldUp) return',
      },
    ],
    killedBy: ['test/db/process/process.test.ts'],
    named: '^(?:open process) ',
  },
  {
    id: 'M57',
    mistake: 'what people wrote can be read in Temporal',
    patches: [
      {
        file: 'providers/returns/sealed-words.ts',
        find: 'return isSomething ? box.seal(JSON.stringify(words), purpose) : null;',
        replace: 'return isSomething ? JSON.stringify(words) : null;',
      },
      {
        file: 'providers/returns/sealed-words.ts',
        find: 'JSON.parse(box.open(sealed, purpose))',
        replace: 'JSON.parse(box.seal === undefined ? purpose : sealed)',
      },
    ],
    killedBy: ['test/providers/returns/returns.test.ts'],
    named: '^(?:sealed words) ',
  },
];
