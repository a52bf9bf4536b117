import type { BenchProcess } from './processes.ts';
import { send } from './send.ts';
import { median } from './support/statistics.ts';

export interface ListsWish {
  execute: (sql: string) => Promise<unknown>;
  api: BenchProcess;
  token: string;
  rounds: number;
  /** How many lines the audit trail has first, and then. */
  sizes: readonly [number, number];
  say: (line: string) => void;
}

export interface ListMeasured {
  name: string;
  /** Median of the request, in ms, and how many lines match: at the first size and at the second. */
  ms: [number, number];
  matches: [number, number];
}

const filter = (field: string, value: string, condition = 'eq') =>
  `searchCriteria[filter_groups][0][filters][0][field]=${field}` +
  `&searchCriteria[filter_groups][0][filters][0][value]=${encodeURIComponent(value)}` +
  `&searchCriteria[filter_groups][0][filters][0][condition_type]=${condition}`;

/** Every documented filter of the audit trail; those that as many lines match at any size, and those that more match. */
const lists = [
  ['everything', ''],
  ['newest first', 'searchCriteria[sortOrders][0][field]=created_at&searchCriteria[sortOrders][0][direction]=DESC'],
  ['entity_id', filter('entity_id', '77')],
  ['staff_id', filter('staff_id', '77')],
  ['terminal_id', filter('terminal_id', '77')],
  ['location_id', filter('location_id', '77')],
  ['created_at, since a moment ago', filter('created_at', new Date(Date.now() - 60_000).toISOString(), 'gteq')],
  ['entity_type, one line in a hundred', filter('entity_type', 'kind 7')],
  ['change_source, every other line', filter('change_source', 'api')],
] as const;

const requestsEachRound = 5;

/** The audit trail at two sizes: what a page and its exact total cost while it grows. */
export async function measureLists(wish: ListsWish): Promise<ListMeasured[]> {
  const measured = lists.map(([name]): ListMeasured => ({ name, ms: [0, 0], matches: [0, 0] }));
  await wish.execute('truncate pos_audit_log');
  for (const [at, size] of wish.sizes.entries()) {
    wish.say(`Writing an audit trail of ${size} lines …`);
    await grow(wish, at === 0 ? 0 : wish.sizes[0], size);
    for (const [index, [, query]] of lists.entries()) {
      const { ms, matches } = await timed(wish, query);
      const one = measured[index];
      if (one) [one.ms[at], one.matches[at]] = [ms, matches];
    }
  }
  return measured;
}

/** A hundred lines of each id at any size; kinds and sources in proportion; the last thousand lines came just now. */
async function grow({ execute }: ListsWish, from: number, to: number): Promise<void> {
  await execute(
    `insert into pos_audit_log (entity_type, entity_id, field_name, new_value, change_source, staff_id, terminal_id,
       location_id, created_at)
     select 'kind ' || n % 100, n / 100, 'price', 'x', case n % 2 when 0 then 'api' else 'pos_terminal' end, n / 100,
       n / 100, n / 100, now() - interval '1 day' * (1 + n % 300)
     from generate_series(${from}, ${to} - 1) n`,
  );
  await execute('vacuum analyze pos_audit_log');
}

async function timed({ api, token, rounds }: ListsWish, query: string) {
  const path = `/V1/pos/audit-log?searchCriteria[pageSize]=20${query === '' ? '' : `&${query}`}`;
  const times: number[] = [];
  let matches = 0;
  for (let n = 0; n < rounds * requestsEachRound + 1; n++) {
    const start = performance.now();
    const answer = (await send(api.url, token, { method: 'GET', path })) as { total_count: number };
    if (n > 0) times.push(performance.now() - start);
    matches = answer.total_count;
  }
  return { ms: median(times), matches };
}
