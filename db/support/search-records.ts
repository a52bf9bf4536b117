import { raw, type EntitySchemaWithMeta, type FilterQuery, type QueryOrderMap } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { listTooLong, pageTooLarge } from '../../domain/refusals/platform.ts';
import { isOutOfTime } from './connections/database-trouble.ts';
import type { SearchField } from './fields.ts';
import { conditionOf } from './search-condition.ts';
import { byOwnName, fieldOf, isSpan, maxRowsOfList, sortOf, tieBreakersOf, type Found } from './search.ts';

/** Entities that the platform's search criteria find, and their order: the primary key. */
export interface SearchedRecords<Row extends object> {
  entity: EntitySchemaWithMeta<string, string, Row>;
  fields: Readonly<Record<string, SearchField>>;
  order: string;
}

/**
 * Finds entities as the platform does (platform facts 3): groups by AND, filters by OR, sorting, paging; a page beyond
 * the end is empty. The entities belong to no identity map.
 *
 * Refused with 400: a field that is not in `fields`, a value its type cannot have, too many rows. 503: the database
 * ended it, because it read for longer than a statement may.
 */
export async function searchRecords<Row extends object>(
  em: EntityManager,
  criteria: SearchCriteria,
  { entity, fields, order }: SearchedRecords<Row>,
): Promise<Found<Row>> {
  const { limit, offset, ...query } = queryOf(criteria, { fields, order });
  // Reads may come with the EntityManager of the process, which has no identity map to read into.
  const reads = em.fork({ keepTransactionContext: true });
  const found = reads.findAndCount(entity, query.where as FilterQuery<NoInfer<Row>>, {
    orderBy: query.orderBy as QueryOrderMap<Row>[],
    ...{ limit, offset, disableIdentityMap: true },
  });
  const [rows, totalCount] = await found.catch((error: unknown) => {
    throw isOutOfTime(error) ? listTooLong() : error;
  });
  if (rows.length > maxRowsOfList) throw pageTooLarge({ max: maxRowsOfList });
  return { rows: rows as Row[], totalCount };
}

/** Search criteria as MikroORM's `where`, `orderBy`, `limit` and `offset`. */
export function queryOf(criteria: SearchCriteria, searched: Pick<SearchedRecords<object>, 'fields' | 'order'>) {
  const named = byOwnName(searched);
  const groups = criteria.groups.filter((group) => group.length > 0);
  const where = groups.map((group) => {
    const filters = group.map(named);
    const conditions = filters.map((filter) => {
      const { sql, parameters } = conditionOf(inEntity(fieldOf(filter.field, searched)), filter);
      return { [raw(sql, [...parameters])]: [] };
    });
    return isSpan(filters) ? { $and: conditions } : { $or: conditions };
  });
  const sortOrders = criteria.sortOrders.map(named);
  const sorts = [
    ...sortOrders.map((sort) => sortOf(sort, { fields: inEntities(searched.fields) })),
    ...tieBreakersOf(inEntityName(searched.order), sortOrders.at(-1)),
  ];
  return {
    where: where.length === 0 ? {} : { $and: where },
    orderBy: sorts.map(({ sql, direction }) => ({ [raw(sql)]: direction.toLowerCase() })),
    limit: Math.min(criteria.pageSize ?? Infinity, maxRowsOfList + 1),
    offset: Math.min((criteria.currentPage - 1) * (criteria.pageSize ?? 0), Number.MAX_SAFE_INTEGER),
  };
}

/** MikroORM puts the alias of the entity in place of this. */
export const ofEntity = '[::alias::]';

const inEntityName = (column: string) => (column.includes(ofEntity) ? column : `${ofEntity}.${column}`);

const inEntity = (field: SearchField): SearchField => ({ ...field, column: inEntityName(field.column) });

const inEntities = (fields: Readonly<Record<string, SearchField>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inEntity(field)]));
