import type { Mutant } from './mutant.ts';

const references = 'test/api/returns/terminal-references.test.ts';

/** Money that is due, and the way on which it goes back. */
export const refundMutants: readonly Mutant[] = [
  {
    id: 'G01',
    mistake: 'one refund of a terminal settles two returns',
    patches: [
      {
        file: 'db/returns/book-settlement.ts',
        find: 'if (reference !== undefined) await',
        replace: 'if (reference === rma.incrementId) await',
      },
    ],
    killedBy: [references],
  },
  {
    id: 'G02',
    mistake: 'a reference of a refund that is undecided is free',
    patches: [
      {
        file: 'db/refunds/refuse-reference-in-use.ts',
        find: "a.state in ('started', 'uncertain') and",
        replace: "a.state = 'booked' and a.credit_memo_id is null and",
      },
    ],
    killedBy: [references],
  },
];
