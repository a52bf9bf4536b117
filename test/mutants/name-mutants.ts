import type { Mutant } from './mutant.ts';

const refundActivities = 'test/activities/refunds/refunds.test.ts';

/**
 * Names outside, and a database that was restored: where another's refund could be taken for ours, or ours made twice.
 */
export const nameMutants: readonly Mutant[] = [
  {
    id: 'N01',
    mistake: 'another installation’s refund under our name is taken for ours',
    patches: [
      {
        file: 'providers/gateways/findings.ts',
        find: 'if (differences.length === 0)',
        replace: 'if (differences.length >= 0)',
      },
    ],
    killedBy: ['test/providers/gateways/gateways.test.ts'],
    named: '^(?:provider a) ',
  },
  {
    id: 'N02',
    mistake: 'what is known outside is named by its id alone',
    patches: [{ file: 'db/installation/outside-name.ts', find: '`${name}-${nameTail}`', replace: 'name' }],
    killedBy: ['test/db/installation/outside-name.test.ts'],
  },
  {
    id: 'N03',
    mistake: 'after a restore a refund is sent without asking what the gateway gave back',
    patches: [
      {
        file: 'providers/gateways/call-claimed.ts',
        find: 'if (!claimed.isRestored ||',
        replace: 'if (claimed.isRestored ||',
      },
    ],
    killedBy: ['test/activities/refunds/refunds.test.ts'],
    named: '^(?:what the books refuse) ',
  },
  {
    id: 'N04',
    mistake: 'after a restore a refund that was under way is called again',
    patches: [
      { file: 'db/verdicts/mark-restored.ts', find: '    await claimAll.run(tx);\n', replace: '' },
      {
        file: 'db/verdicts/mark-restored.ts',
        find: 'for (const attemptId of marked.attemptIds)',
        replace: 'for (const attemptId of marked.attemptIds.filter((id) => id < 0))',
      },
    ],
    killedBy: ['test/activities/refunds/refunds.test.ts'],
    named: '^(?:what the books refuse) ',
  },
  {
    id: 'N05',
    mistake: 'verdicts follow the clock of a process, which is an hour fast',
    patches: [
      {
        file: 'providers/gateways/call-claimed.ts',
        find: 'now: await databaseNow(em.fork()),',
        replace: 'now: new Date((await databaseNow(em.fork())).getTime() + 3_600_000),',
      },
    ],
    killedBy: [refundActivities],
  },
  {
    id: 'M36',
    mistake: 'a look-up does not wait for the call that is under way',
    patches: [
      {
        file: 'db/refunds/refund-intent.ts',
        find: 'callDeadline == null || callEndedAt != null',
        replace: 'callDeadline == null || callEndedAt !== undefined',
      },
    ],
    killedBy: ['test/db/returns/settle-by-card.test.ts'],
    named: '^(?:settle by card) ',
  },
  {
    id: 'M37',
    mistake: 'the gateway is called for who waits no more',
    patches: [
      {
        file: 'db/refunds/refund-intent.ts',
        find: 'clock_timestamp() <= $beginBefore::timestamptz',
        replace: `$beginBefore::text <> ''`,
      },
    ],
    killedBy: [refundActivities],
  },
  {
    id: 'M38',
    mistake: 'a worker that is stopping begins a call that it cannot end',
    patches: [
      {
        file: 'activities/refunds.ts',
        find: `if (isStopping()) return { state: 'started', isHandedOn: true };`,
        replace: 'void isStopping;',
      },
    ],
    killedBy: [refundActivities],
  },
  {
    id: 'M39',
    mistake: 'who waited for a refund in doubt is not told that it was declined',
    patches: [
      {
        file: 'api/returns/ask-return.ts',
        find: 'throw refusalOf(attempt, isOwn) ?? notBegun(rma);',
        replace: 'throw notBegun(rma);',
      },
    ],
    killedBy: ['test/api/returns/return-outcomes.test.ts'],
  },
  {
    id: 'M40',
    mistake: 'notify of a document mails nobody',
    patches: [
      { file: 'api/http/route-kinds.ts', find: 'if (!notify) return', replace: 'if (!notify || notify) return' },
    ],
    killedBy: ['test/workflows/mails/document-mail.test.ts'],
    named: '^(?:document mail) ',
  },
];
