import type { Mutant } from './mutant.ts';

const closes = 'test/activities/returns/create-return.test.ts';
const returnActivities = 'test/activities/returns/return-activities.test.ts';
const verbs = 'test/activities/returns/create-return.test.ts';

/** Returns, settled and closed: one way, one time. */
export const returnMutants: readonly Mutant[] = [
  {
    id: 'M17',
    mistake: 'while a refund is uncertain another way to give the money back is open',
    patches: [{ file: 'db/returns/settle-return.ts', find: 'await refuseWhileRefunding(em, rma);', replace: '' }],
    killedBy: [returnActivities],
  },
  {
    id: 'M18',
    mistake: 'an order is read without its lock',
    patches: [
      {
        file: 'db/platform/orders/lock-order.ts',
        find: ' for update of o, p`',
        replace: '`',
      },
      { file: 'db/returns/lock-return.ts', find: ' for update of o, p, r`', replace: '`' },
    ],
    killedBy: [returnActivities, verbs, closes],
  },
  {
    id: 'M19',
    mistake: 'what was read before the lock is not read again',
    patches: [
      {
        file: 'db/returns/lock-return.ts',
        find: ' for update of o, p, r`',
        replace: ' and exists (select from sales_order x where x.entity_id = r.order_id for update)`',
      },
    ],
    killedBy: [returnActivities],
  },
  {
    id: 'M20',
    mistake: 'a closed return is settled once more',
    patches: [
      {
        file: 'db/returns/settle-return.ts',
        find: `if (isTerminal(rma.status)) return { status: rma.status };
      ret`,
        replace: `
      ret`,
      },
      {
        file: 'domain/returns/return-status.ts',
        find: 'settleable.includes(status)',
        replace: 'settleable.length > 0',
      },
    ],
    killedBy: [returnActivities],
  },
  {
    id: 'M21',
    mistake: 'any status may be settled, goods that are not in too',
    patches: [
      {
        file: 'domain/returns/return-status.ts',
        find: 'settleable.includes(status)',
        replace: 'settleable.length > 0',
      },
    ],
    killedBy: ['test/domain/returns/returns.test.ts'],
    named: '^(?:returns) ',
  },
  {
    id: 'M22',
    mistake: 'open returns do not count for what may still come back',
    patches: [
      {
        file: 'domain/returns/eligibility.ts',
        find: 'minus(line.qtyInvoiced, line.qtyRefunded, line.qtyInReturns)',
        replace: 'minus(line.qtyInvoiced, line.qtyRefunded)',
      },
    ],
    killedBy: [returnActivities, 'test/domain/returns/returns.test.ts'],
  },
  {
    id: 'M23',
    mistake: 'a rival’s return with the same sale id is an error, not the answer',
    patches: [
      {
        file: 'db/returns/create-return.ts',
        find: 'if (existing) return reused(existing, requested);',
        replace: 'void existing;',
      },
      {
        file: 'db/returns/create-return.ts',
        find: 'if (!(error instanceof UniqueConstraintViolationException) || requested.posSaleId === null) throw error;',
        replace: 'if (UniqueConstraintViolationException.length >= 0 || requested.posSaleId === null) throw error;',
      },
    ],
    killedBy: ['test/workflows/returns/return-flow.test.ts'],
    named: 'one sale id',
  },
  {
    id: 'M24',
    mistake: 'a close hands goods back while a refund is under way',
    patches: [
      {
        file: 'db/returns/close-return.ts',
        find: `};
    await refuseWhileRefunding(tx, rma);`,
        replace: `};
    void refuseWhileRefunding;`,
      },
    ],
    killedBy: [closes],
  },
  {
    id: 'M25',
    mistake: 'a close repeated hands the goods back again',
    patches: [
      {
        file: 'db/returns/close-return.ts',
        find: 'if (done || isTerminal(rma.status)) return',
        replace: 'if (done) return',
      },
    ],
    killedBy: [closes],
  },
  {
    id: 'M26',
    mistake: 'a cancelled refund is not looked at for one under way',
    patches: [
      {
        file: 'db/returns/close-return.ts',
        find: `};
    await refuseWhileRefunding(tx, rma);`,
        replace: `};
    void refuseWhileRefunding;`,
      },
    ],
    killedBy: [closes],
  },
  {
    id: 'M27',
    mistake: 'a deadlock reaches the client',
    patches: [
      {
        file: 'db/support/transact.ts',
        find: 'error instanceof DeadlockException && attempt < attempts',
        replace: 'error instanceof DeadlockException && attempt > attempts',
      },
    ],
    killedBy: ['test/db/support/kept-rows.test.ts'],
    named: '^(?:transact) ',
  },
  {
    id: 'M33',
    mistake: 'two settles of one return meet, because a handler acts by itself',
    patches: [
      {
        file: 'workflows/returns.ts',
        find: `(request) => ask({ verb: 'settle', request }, request), {`,
        replace: `(request) =>
      carryOut(Number(workflowInfo().workflowId.split('-').at(-1)), { verb: 'settle', request }, { refused: tooLate }).then(answerOf), {`,
      },
    ],
    killedBy: ['test/workflows/credit-refunds.test.ts'],
    named: '^(?:replay) ',
  },
  {
    id: 'M34',
    mistake: 'an uncertain refund has no workflow that follows it',
    patches: [
      {
        file: 'workflows/refunds/conclude-attempt.ts',
        find: `if (found.state === 'uncertain') await`,
        replace: `if (found.state === 'uncertain' && attempt.attemptId < 0) await`,
      },
    ],
    killedBy: ['test/workflows/returns/return-flow.test.ts'],
    named: 'nobody can say',
  },
  {
    id: 'M35',
    mistake: 'a repeated request id is answered with its first outcome for ever',
    patches: [
      {
        file: 'providers/temporal/connect-workflows.ts',
        find: `const updateId = \`\${question.operationKey}.\${randomBytes(4).toString('hex')}\``,
        replace: `const updateId = question.operationKey.slice(0, randomBytes(4).length * 16)`,
      },
    ],
    killedBy: ['test/providers/temporal/temporal.test.ts'],
    named: '^(?:connect workflows) ',
  },
  {
    id: 'M58',
    mistake: 'a refund that was booked while its caller looked is told as refused',
    patches: [
      {
        file: 'api/returns/ask-return.ts',
        find: `return isOwn && state === 'failed'`,
        replace: 'return isOwn',
      },
      {
        file: 'api/returns/ask-return.ts',
        find: `if (isOwn && attempt?.state === 'booked') {`,
        replace: `if (isOwn && attempt?.state === 'booked' && rmaId < 0) {`,
      },
    ],
    killedBy: ['test/api/returns/return-outcomes.test.ts'],
    named: 'booked between',
  },
];
