import type { EntitySchemaWithMeta, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { pageTooLarge } from '../../domain/refusals/platform.ts';
import { askComposed } from './composed.ts';
import { freshReads } from './fresh-reads.ts';
import { knownCount } from './known-count.ts';
import { maxRowsOfList, pageBounds, search, type Found, type Searchable } from './search.ts';
import { storedTotal } from './stored-count.ts';

/** Which records of a page: by their ids, or the first of all in the order of their keys. */
export type RecordsOfPage = { ids: readonly number[] } | { limit: number; offset: number; direction: 'asc' | 'desc' };

/** A list that grows with sales. */
export interface GrowingList<Row> extends Omit<Searchable, 'columns'> {
  /** Reads the records of a page by MikroORM, in any order. */
  read: (em: EntityManager, page: RecordsOfPage) => Promise<Row[]>;
  idOf: (row: Row) => number;
}

/**
 * Makes the search of a list that grows with sales: its total is a stored count, and MikroORM reads its records. With
 * conditions or a requested sort, SQL that is planned for the size of the list finds the ids of the page first.
 *
 * Refused as `search` is.
 */
export const searchesGrowing =
  <Row extends object>({ read, idOf, ...listed }: GrowingList<Row>) =>
  async (em: EntityManager, criteria: SearchCriteria): Promise<Found<Row>> => {
    const { maxRows = maxRowsOfList, order } = listed;
    const [key = order, direction = 'asc'] = order.split(' ');
    if (criteria.sortOrders.length === 0 && criteria.groups.every((group) => group.length === 0)) {
      const rows = await read(em, {
        ...pageBounds(criteria, maxRows),
        direction: direction === 'desc' ? 'desc' : 'asc',
      });
      if (rows.length > maxRows) throw pageTooLarge({ max: maxRows });
      const sign = direction === 'desc' ? -1 : 1;
      return {
        rows: rows.toSorted((one, other) => sign * (idOf(one) - idOf(other))),
        totalCount: await totalOf(em, listed),
      };
    }
    const { rows: found, totalCount } = await search<{ record_id: number }>(em, criteria, {
      ...listed,
      columns: `${key} as record_id`,
    });
    const ids = found.map(({ record_id: id }) => id);
    const records = new Map(ids.length === 0 ? [] : (await read(em, { ids })).map((row) => [idOf(row), row]));
    return { rows: ids.flatMap((id) => records.get(id) ?? []), totalCount };
  };

/** The records of a page of an entity, with what `populate` names, by a numeric key. */
export function readPage<Row extends object>(
  em: EntityManager,
  {
    entity,
    key,
    page,
    populate = [],
  }: {
    entity: EntitySchemaWithMeta<string, string, Row>;
    key: keyof Row & string;
    page: RecordsOfPage;
    populate?: readonly string[];
  },
): Promise<Row[]> {
  const where = ('ids' in page ? { [key]: { $in: [...page.ids] } } : {}) as FilterQuery<NoInfer<Row>>;
  const part = 'ids' in page ? {} : { limit: page.limit, offset: page.offset };
  const direction = 'ids' in page ? 'asc' : page.direction;
  return freshReads(em).find(entity, where, {
    ...part,
    orderBy: { [key]: direction } as QueryOrderMap<Row>,
    populate: populate as never,
    strategy: 'joined',
  });
}

/** How the records of a list are read and named, where they are those of one entity: see `readPage`. */
export const recordsOf = <Row extends object>(
  entity: EntitySchemaWithMeta<string, string, Row>,
  key: keyof Row & string,
  populate: readonly string[] = [],
): Pick<GrowingList<Row>, 'read' | 'idOf'> => ({
  read: (em, page) => readPage(em, { entity, key, page, populate }),
  idOf: (row) => Number(row[key]),
});

/** How many records a list has, by its stored count. */
async function totalOf(em: EntityManager, { table, fields, kept, counted }: Omit<Searchable, 'columns'>) {
  const known = counted && (await knownCount(em, counted, []));
  const stored = kept && storedTotal(kept, { groups: [], fields, table, where: '', sort: undefined });
  const sql = known ? `array[${known.totalOf('')}]` : (stored?.total ?? `array[(select count(*) from ${table})]`);
  const [row] = await askComposed<{ list_total: string[] }>(em, { sql: `select ${sql} as list_total`, parameters: [] });
  return Number(row?.list_total[0] ?? 0);
}
