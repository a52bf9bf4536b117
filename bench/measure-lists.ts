import type { EntityManager } from '@mikro-orm/postgresql';
import { searchAuditLog } from '../db/audit/search-audit-log.ts';
import { countGrowing } from '../db/support/count-growing.ts';
import { auditLog } from '../db/support/counted-list.ts';
import { growTrail, momentOf } from './audit-trail.ts';
import type { BenchProcess } from './processes.ts';
import { measureGrowing, type ListMeasured } from './measure-list.ts';

export interface ListsWish {
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
export async function measureLists(wish: ListsWish): Promise<ListMeasured[]> {
  await wish.em.execute('truncate pos_audit_log');
  return measureGrowing(wish, {
    grow: (from, to) => grow(wish, from, to),
    pages: (size) =>
      lists.map((list) => ({
        name: list.name,
        asked: { path: '/V1/pos/audit-log', find: searchAuditLog, searchCriteria: criteriaOf(list, size) },
      })),
  });
}

/** Entries are written and then counted, as they are after an hour. */
async function grow({ em, say }: ListsWish, from: number, to: number): Promise<void> {
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
