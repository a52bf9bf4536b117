import type { Mutant } from './mutant.ts';

const placement = 'test/providers/credits/credits.test.ts';
const sale = 'test/api/credits/place-sale.test.ts';

/** Credit kept outside: where a mistake takes it twice, or keeps it for nothing. */
export const creditMutants: readonly Mutant[] = [
  {
    id: 'C01',
    mistake: 'an order that is refused keeps the credit that was spent for it',
    patches: [
      {
        file: 'providers/credits/place-with-credit.ts',
        find: 'if (isRefusal(error)) await giveUpSpendings(parts, spent);',
        replace: 'void isRefusal;',
      },
    ],
    killedBy: [placement, sale],
  },
  {
    id: 'C02',
    mistake: 'a provider that does not answer is taken for a no',
    patches: [
      {
        file: 'providers/credits/place-with-credit.ts',
        find: `if (finding.outcome === 'unknown') throw providerDidNotSay();`,
        replace: `if (finding.outcome === 'unknown') throw await refused(parts, { spending, spendings, message: '' });`,
      },
    ],
    killedBy: [placement, sale],
  },
  {
    id: 'C03',
    mistake: 'the same order sent again spends under a new key',
    patches: [
      {
        file: 'db/credits/reserve-spendings.ts',
        find: 'if (areSameSpendings(standing, wanted)) {',
        replace: 'if (areSameSpendings(standing, wanted) && standing.length === 0) {',
      },
    ],
    killedBy: [placement, sale],
  },
  {
    id: 'C04',
    mistake: 'an order is saved with credit that is being given back',
    patches: [
      {
        file: 'db/credits/spend-credits.ts',
        find: `and state = 'spent' and order_id is null`,
        replace: 'and order_id is null',
      },
    ],
    killedBy: [placement, sale],
  },
  {
    id: 'C05',
    mistake: 'what was spent for an order that never came stays spent',
    patches: [
      {
        file: 'db/credits/find-credit-work.ts',
        find: `or (state in ('reserved', 'spent') and held_at is null and updated_at < now() - interval '\${patienceMinutes} minutes')`,
        replace: '',
      },
    ],
    killedBy: [placement, sale],
  },
  {
    id: 'C06',
    mistake: 'a late refusal gives back what an order was saved with',
    patches: [
      {
        file: 'db/credits/conclude-spending.ts',
        find: `where spending_id = any($ids) and order_id is null and state in`,
        replace: `where spending_id = any($ids) and state in`,
      },
    ],
    killedBy: [placement, sale],
  },
  {
    id: 'C07',
    mistake: 'money that went back to the card is issued as credit, too',
    patches: [
      {
        file: 'domain/returns/resolution.ts',
        find: 'original_payment: false,',
        replace: 'original_payment: true,',
      },
    ],
    killedBy: ['test/db/credits/spend-credits.test.ts'],
    named: 'given back to the card',
  },
  {
    id: 'C08',
    mistake: 'how a return was settled is forgotten when its money is issued as credit',
    patches: [
      {
        file: 'db/credits/reserve-credit-refund.ts',
        find: `(select min(coalesce(refund_method, 'cash')) from sale_return where credit_memo_id = memo.entity_id),`,
        replace: '',
      },
    ],
    killedBy: ['test/db/credits/spend-credits.test.ts'],
    named: 'settled by cash',
  },
  {
    id: 'C09',
    mistake: 'credit of an order goes to whom the register names',
    patches: [
      {
        file: 'db/credits/reserve-credit-refund.ts',
        find: 'if (own !== null && customerId !== own)',
        replace: 'if (own !== null && customerId === null)',
      },
    ],
    killedBy: ['test/db/credits/spend-credits.test.ts'],
    named: 'goes to no other customer',
  },
  {
    id: 'C10',
    mistake: 'goods on invoice that were cancelled are still owed',
    patches: [
      {
        file: 'db/credit-limits/read-credit-standing.ts',
        find: ' and o.base_total_canceled = 0)',
        replace: ')',
      },
    ],
    killedBy: ['test/api/customers/offline-feeds.test.ts'],
    named: '^(?:profile) ',
  },
  {
    id: 'C11',
    mistake: 'a refund to credit is reserved after its caller was told that nothing happens',
    patches: [
      {
        file: 'db/credits/reserve-credit-refund.ts',
        find: 'if (beginBefore !== undefined) await refuseTooLate(tx, beginBefore);',
        replace: '',
      },
    ],
    killedBy: ['test/activities/credits/credits.test.ts'],
    named: 'too late',
  },
  {
    id: 'C12',
    mistake: 'a gift card’s code can be read in Temporal',
    patches: [
      {
        file: 'db/credits/reserve-credit-refund.ts',
        find: 'box.seal(JSON.stringify(words), purpose)',
        replace: 'JSON.stringify(words)',
      },
      {
        file: 'db/credits/reserve-credit-refund.ts',
        find: 'box.open(sealed, purpose)',
        replace: 'sealed',
      },
    ],
    killedBy: ['test/workflows/credit-refunds.test.ts'],
    named: 'neither the card',
  },
  {
    id: 'C13',
    mistake: 'a provider that said nothing counts as one that refused',
    patches: [
      {
        file: 'activities/credits.ts',
        find: "if (finding.outcome === 'unknown') return 'unknown';",
        replace: '',
      },
      {
        file: 'activities/credits.ts',
        find: "if (finding.outcome === 'refused') {",
        replace: "if (finding.outcome !== 'credited') {",
      },
    ],
    killedBy: ['test/activities/credits/credits.test.ts'],
    named: 'says nothing about',
  },
  {
    id: 'C14',
    mistake: 'our own credit is given beside the transaction that books it',
    patches: [
      {
        file: 'providers/credits/place-with-credit.ts',
        find: 'await provider.giveWithin(tx, giftOf(refund, actor))',
        replace: 'await transact(em, (other) => provider.giveWithin(other, giftOf(refund, actor)))',
      },
    ],
    killedBy: ['test/api/credits/read-credits.test.ts'],
    named: 'a ledger that does not take it',
  },
];
