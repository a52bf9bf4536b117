import type { Mutant } from './mutant.ts';

const kept = ['test/db/support/stored-count.test.ts'];
const pages = ['test/db/support/stored-count.test.ts'];

/** Mistakes in lists: in their pages, and in the totals that are kept. */
export const listMutants: readonly Mutant[] = [
  {
    id: 'LC01',
    mistake: 'an order that changes its status is counted as before',
    sql: 'drop trigger sales_order_recounted on sales_order',
    killedBy: kept,
  },
  {
    id: 'LC02',
    mistake: 'what is deleted is counted for ever',
    sql: 'drop trigger inventory_source_item_counted_out on inventory_source_item',
    killedBy: kept,
  },
  {
    id: 'LC03',
    mistake: 'a total is looked up though a store view has words of its own',
    patches: [
      {
        file: 'db/support/stored-count.ts',
        find: "plainColumn(stored, requested.fields[field]?.column ?? '')",
        replace: 'requested.fields === undefined ? stored.alias : field',
      },
    ],
    killedBy: ['test/api/platform/products/stored-tier-prices.test.ts'],
    named: '^(?:view totals) ',
  },
  {
    id: 'LC04',
    mistake: 'a list fails where its counts cannot be added up',
    patches: [
      {
        file: 'db/support/stored-count.ts',
        find: 'where (select is_mine from mine) and list_count_id in',
        replace: 'where list_count_id in',
      },
    ],
    killedBy: kept,
  },
  {
    id: 'LC05',
    mistake: 'of as many matches as are sorted one is left out of the total',
    patches: [{ file: 'db/support/search.ts', find: '${most + 1}', replace: '${most - 1}' }],
    killedBy: pages,
  },
  {
    id: 'LC06',
    mistake: 'the gathered matches are not sorted',
    patches: [
      {
        file: 'db/support/search.ts',
        find: 'sql: sortName(at), direction',
        replace: "sql: '1', direction",
      },
    ],
    killedBy: pages,
  },
  {
    id: 'LC07',
    mistake: 'a sort without values puts them where the index does not',
    patches: [
      {
        file: 'db/support/search.ts',
        find: "direction === 'ASC' ? 'first' : 'last'",
        replace: "direction === 'ASC' ? 'last' : 'first'",
      },
    ],
    killedBy: pages,
  },
  {
    id: 'LC08',
    mistake: 'a page is found by its keys and shown in any order',
    patches: [
      {
        file: 'db/support/search.ts',
        find: 'where ${picked} order by ${sortingOf(sorts)}`;',
        replace: 'where ${picked}`;',
      },
    ],
    killedBy: pages,
  },
  {
    id: 'LC09',
    mistake: 'one plan serves a status that many have and one that few have',
    patches: [
      {
        file: 'db/support/search.ts',
        find: 'const isPlannedOnce = !kept || !stored ||',
        replace: 'const isPlannedOnce = !kept || !stored || stored !== undefined ||',
      },
    ],
    killedBy: ['test/db/support/stored-count.test.ts'],
    named: '^(?:hot statements) ',
  },
  {
    id: 'LC10',
    mistake: 'what changed lately is looked for from the oldest row on',
    patches: [{ file: 'db/support/search.ts', find: '${createdLately} * 4 >=', replace: '${createdLately} * 4 <' }],
    killedBy: ['test/db/support/list-totals.test.ts'],
    named: '^(?:totals of lists) ',
  },
  {
    id: 'LC11',
    mistake: 'a figure that is too high by a coin counts as the nearest one below',
    patches: [
      {
        file: 'books/verify/invariant.ts',
        find: '(${figure} > ${than} and ',
        replace: '(${figure} > ${than} + 0.01 and ',
      },
    ],
    killedBy: ['test/books/verify/verify.test.ts', 'test/books/verify/finer-than-a-coin.test.ts'],
  },
  {
    id: 'LC12',
    mistake: 'a check of the books that was called off reads on',
    patches: [
      {
        file: 'db/support/connections/until-aborted.ts',
        find: 'void cancel.first(other, { pid })',
        replace: 'void cancel.first(other, { pid: 0 })',
      },
    ],
    killedBy: ['test/workflows/retention/retention.test.ts'],
    named: '^(?:the books are checked by night) ',
  },
  {
    id: 'LC13',
    mistake: 'a night that goes on in a new run begins to count anew',
    patches: [{ file: 'workflows/nights.ts', find: 'soFar?.removed ?? {}', replace: '{} as Record<string, number>' }],
    killedBy: ['test/workflows/retention/retention.test.ts'],
    named: '^(?:purge leftovers) ',
  },
  {
    id: 'LC14',
    mistake: 'a rule that work in progress breaks for a moment is told',
    patches: [{ file: 'books/verify/verify.ts', find: 'again < looksAgain', replace: 'again < 0' }],
    killedBy: ['test/books/verify/verify.test.ts'],
  },
];
