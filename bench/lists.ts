import type { EntityManager } from '@mikro-orm/postgresql';
import qs from 'qs';
import { readSearchCriteria } from '../api/wire/criteria.ts';
import { searchAuditLog } from '../db/audit/search-audit-log.ts';
import { auditLog } from '../db/support/counted-list.ts';
import { countGrowing } from '../db/support/count-growing.ts';
import type { SearchCriteria } from '../domain/platform/search-criteria.ts';
import type { BenchProcess } from './processes.ts';
import { send } from './send.ts';
import { countBlocks, median } from './support.ts';

/** An entry every 2.592 seconds: ten million in 300 days, about 1 400 an hour. The last is months old. */
const firstDaysAgo = 400;
const secondsApart = 2.592;
const linesAtOnce = 250_000;

export interface TrailInput {
  execute: (sql: string) => Promise<unknown>;
  say: (line: string) => void;
}

/** The time of an entry, as SQL or as a date. */
const momentSql = (line: string) =>
  `current_date - interval '${firstDaysAgo} days' + ${line} * interval '${secondsApart} seconds'`;

const momentOf = (line: number): Date =>
  new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - firstDaysAgo * 86_400_000 + line * secondsApart * 1_000);

/**
 * Writes audit entries from one number on, up to and excluding another.
 *
 * Each hundred entries come from one person at one of 200 terminals in 20 locations. Person 1 wrote every tenth
 * hundred, every other person exactly one hundred; each record has a hundred entries. There are ten kinds, and one
 * entry in a hundred is of a rare kind.
 */
export async function growTrail({ execute, say }: TrailInput, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += linesAtOnce) {
    const end = Math.min(start + linesAtOnce, to);
    await execute(
      `insert into pos_audit_log (entity_type, entity_id, field_name, new_value, change_source, staff_id, terminal_id,
         location_id, created_at)
       select case n % 100 when 7 then 'rare kind' else 'kind ' || n % 10 end, n / 100, 'price', 'x',
         case n % 2 when 0 then 'api' else 'pos_terminal' end, case n / 100 % 10 when 1 then 1 else n / 100 end,
         n / 100 % 200, n / 100 % 20, ${momentSql('n')}
       from generate_series(${start}, ${end} - 1) n`,
    );
    say(`… ${end} lines`);
  }
  await execute('vacuum analyze pos_audit_log');
}

export interface ListMeasured {
  name: string;
  /** At the first size and at the second: median of the request in ms, blocks that the database read, rows found. */
  ms: [number, number];
  blocks: [number, number];
  matches: [number, number];
}

export interface ListRequested {
  path: string;
  /** The query of that path's route. */
  find: (em: EntityManager, criteria: SearchCriteria) => Promise<{ totalCount: number }>;
  searchCriteria: object;
}

interface Measuring {
  em: EntityManager;
  api: BenchProcess;
  token: string;
  rounds: number;
}

const requestsEachRound = 5;

/** A page of a list, as a client asks for it: the first request warms up. */
async function measureList({ em, api, token, rounds }: Measuring, { path, find, searchCriteria }: ListRequested) {
  const blocks = await countBlocks(em, (counting) => find(counting, readSearchCriteria(searchCriteria)));
  const whole = `${path}?${qs.stringify({ searchCriteria })}`;
  const times: number[] = [];
  for (let n = 0; n < rounds * requestsEachRound + 1; n++) {
    const start = performance.now();
    await send(api.url, token, { method: 'GET', path: whole });
    if (n > 0) times.push(performance.now() - start);
  }
  return { ms: median(times), blocks: blocks.blocks, matches: blocks.result.totalCount };
}

interface Growing {
  grow: (from: number, to: number) => Promise<void>;
  /** A page has one name at both sizes. */
  pages: (size: number) => readonly { name: string; asked: ListRequested }[];
}

/** Lists at two sizes: each page is measured when the rows of its size are there. */
export async function measureGrowing(
  input: Measuring & { sizes: readonly [number, number] },
  { grow, pages }: Growing,
): Promise<ListMeasured[]> {
  const measured = new Map<string, ListMeasured>();
  for (const [at, size] of input.sizes.entries()) {
    await grow(at === 0 ? 0 : input.sizes[0], size);
    for (const { name, asked } of pages(size)) {
      const { ms, blocks, matches } = await measureList(input, asked);
      const one = measured.get(name) ?? { name, ms: [0, 0], blocks: [0, 0], matches: [0, 0] };
      [one.ms[at], one.blocks[at], one.matches[at]] = [ms, blocks, matches];
      measured.set(name, one);
    }
  }
  return [...measured.values()];
}

export interface ListsInput {
  em: EntityManager;
  api: BenchProcess;
  token: string;
  rounds: number;
  /** The number of audit entries, first and second. */
  sizes: readonly [number, number];
  say: (line: string) => void;
}

type Filter = readonly [field: string, value: string, condition?: string];
interface List {
  name: string;
  filters: (size: number) => readonly Filter[];
  newestFirst?: boolean;
}

const thing: Filter = ['entity_id', '77'];
const kind: Filter = ['entity_type', 'kind 6'];
const source: Filter = ['change_source', 'api'];
const terminal: Filter = ['terminal_id', '17'];
const location: Filter = ['location_id', '17'];
const busy: Filter = ['staff_id', '1'];

/** Not at a full hour, so that the range ends within an hour. */
const since = (line: number): Filter => ['created_at', momentOf(line + 500).toISOString(), 'gteq'];
const until = (line: number): Filter => ['created_at', momentOf(line + 500).toISOString(), 'lt'];
const newerHalf = (size: number) => since(size / 2);

/** Every documented filter of the audit trail, and common combinations. */
const lists: readonly List[] = [
  { name: 'everything', filters: () => [] },
  { name: 'everything, newest first', filters: () => [], newestFirst: true },
  { name: 'entity_id, a hundred lines', filters: () => [thing] },
  { name: 'entity_id and its type', filters: () => [thing, kind] },
  { name: 'staff_id, a hundred lines', filters: () => [['staff_id', '77']] },
  { name: 'staff_id, every tenth line', filters: () => [busy] },
  { name: 'terminal_id, 1 in 200', filters: () => [terminal] },
  { name: 'location_id, 1 in 20', filters: () => [location] },
  { name: 'entity_type, 1 in 10', filters: () => [kind] },
  { name: 'entity_type, 1 in 100', filters: () => [['entity_type', 'rare kind']] },
  { name: 'change_source, every other', filters: () => [source] },
  { name: 'entity_type, all but one', filters: () => [['entity_type', 'kind 6', 'neq']] },
  { name: 'created_at, the newer half', filters: (size) => [newerHalf(size)] },
  { name: 'created_at, half of it in the middle', filters: (size) => [since(size / 4), until(size * 0.75)] },
  { name: 'created_at, the newer half, newest first', filters: (size) => [newerHalf(size)], newestFirst: true },
  { name: 'created_at, a day', filters: (size) => [since(size / 2), until(size / 2 + 33_333)] },
  { name: 'type, source, newer half', filters: (size) => [kind, source, newerHalf(size)] },
  { name: 'terminal, type', filters: () => [terminal, kind] },
  { name: 'terminal, type, newer half', filters: (size) => [terminal, kind, newerHalf(size)] },
  { name: 'terminal, a day', filters: (size) => [terminal, since(size / 2), until(size / 2 + 33_333)] },
  { name: 'terminal, newest first', filters: () => [terminal], newestFirst: true },
  { name: 'location, type, source, newer half', filters: (size) => [location, kind, source, newerHalf(size)] },
  { name: 'staff, terminal', filters: () => [busy, ['terminal_id', '11']] },
  {
    name: 'staff, location, type, newer half',
    filters: (size) => [busy, ['location_id', '11'], kind, newerHalf(size)],
  },
  { name: 'staff or terminal', filters: () => [['staff_id', '1,2', 'in'], kind] },
];

/** The audit trail at two sizes: the cost of a page and its exact total. */
export async function measureLists(input: ListsInput): Promise<ListMeasured[]> {
  await input.em.execute('truncate pos_audit_log');
  return measureGrowing(input, {
    grow: (from, to) => grow(input, from, to),
    pages: (size) =>
      lists.map((list) => ({
        name: list.name,
        asked: { path: '/V1/pos/audit-log', find: searchAuditLog, searchCriteria: criteriaOf(list, size) },
      })),
  });
}

/** Entries are written and then counted, as they are after an hour. */
async function grow({ em, say }: ListsInput, from: number, to: number): Promise<void> {
  say(`Writing an audit trail of ${to} lines …`);
  await growTrail({ execute: (sql) => em.execute(sql), say }, from, to);
  say('Counting it …');
  let runs = 0;
  while (await countGrowing(em, auditLog)) if (++runs % 10 === 0) say(`… ${runs} runs`);
  await em.execute('vacuum analyze pos_audit_log_count');
}

const criteriaOf = ({ filters, newestFirst }: List, size: number) => ({
  pageSize: 20,
  filterGroups: filters(size).map(([field, value, conditionType = 'eq']) => ({
    filters: [{ field, value, conditionType }],
  })),
  ...(newestFirst ? { sortOrders: [{ field: 'created_at', direction: 'DESC' }] } : {}),
});
