import type { Mutant } from './mutant.ts';

const refundActivities = 'test/activities/refunds/refund-activities.test.ts';

/** Names outside, and a database that was restored: where another's refund could be taken for ours, or ours made twice. */
export const nameMutants: readonly Mutant[] = [
  {
    id: 'N01',
    mistake: 'another installation’s refund under our name is taken for ours',
    patches: [
      {
        file: 'providers/gateways/other-refund.ts',
        find: 'if (differences.length === 0)',
        replace: 'if (differences.length >= 0)',
      },
    ],
    killedBy: ['test/providers/gateways/provider-a.test.ts'],
  },
  {
    id: 'N02',
    mistake: 'what is known outside is named by its id alone',
    patches: [{ file: 'db/installation/outside-name.ts', find: 'nameTail == null ?', replace: `nameTail !== '' ?` }],
    killedBy: ['test/db/installation/outside-name.test.ts'],
  },
  {
    id: 'N03',
    mistake: 'after a restore a refund is sent without asking what the gateway gave back',
    patches: [
      {
        file: 'activities/refunds/restore-objection.ts',
        find: 'if (!claimed.isRestored ||',
        replace: 'if (claimed.isRestored ||',
      },
    ],
    killedBy: ['test/activities/refunds/what-the-books-refuse.test.ts'],
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
    killedBy: ['test/activities/refunds/what-the-books-refuse.test.ts'],
  },
  {
    id: 'N05',
    mistake: 'verdicts follow the worker’s clock',
    patches: [
      {
        file: 'activities/refunds/refund-activities.ts',
        find: 'now: await databaseNow(orm.em.fork()),',
        replace: 'now: dependencies.clock() ?? (await databaseNow(orm.em.fork())),',
      },
    ],
    killedBy: [refundActivities],
  },
];
