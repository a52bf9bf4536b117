import { raw, type EntitySchemaWithMeta, type FilterQuery, type QueryOrderMap } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { listTooLong, pageTooLarge } from '../../domain/refusals/platform.ts';
import { isOutOfTime } from './connections/database-trouble.ts';
import type { SearchField } from './fields.ts';
import { freshReads } from './fresh-reads.ts';
import { conditionOf } from './search-condition.ts';
import { byOwnName, fieldOf, isSpan, maxRowsOfList, pageBounds, sortOf, tieBreakersOf, type Found } from './search.ts';

/** Entities that the platform's search criteria find, and their order: the primary key, or columns that end with it. */
export interface SearchedRecords<Row extends object> {
  entity: EntitySchemaWithMeta<string, string, Row>;
  fields: Readonly<Record<string, SearchField>>;
  order: string;
  /** How many records one answer may have. */
  maxRows?: number;
  /** Computed properties and relations that each record is read with, in the same statement. */
  populate?: readonly string[];
}

/**
 * Makes the search of an entity: as the platform does (platform facts 3), with groups by AND, filters by OR, sorting,
 * paging; a page beyond the end is empty. The entities belong to no identity map. `always` is a condition that the
 * caller cannot leave out, such as the parent of a list of comments.
 *
 * The search is refused with 400: a field that is not in `fields`, a value its type cannot have, too many rows. 503: the
 * database ended it, because it read for longer than a statement may.
 */
export function searchesRecords<Row extends object>(searched: SearchedRecords<Row>) {
  const { entity, maxRows = maxRowsOfList, populate = [] } = searched;
  const queryOf = queriesOf({ ...searched, maxRows });
  return async (
    em: EntityManager,
    criteria: SearchCriteria,
    always: FilterQuery<NoInfer<Row>> = {},
  ): Promise<Found<Row>> => {
    const { limit, offset, ...query } = queryOf(criteria, always);
    const found = freshReads(em).findAndCount(entity, query.where as FilterQuery<NoInfer<Row>>, {
      orderBy: query.orderBy as QueryOrderMap<Row>[],
      ...{ limit, offset },
      populate: populate as unknown as never,
      strategy: 'joined',
    });
    const [rows, totalCount] = await found.catch((error: unknown) => {
      throw isOutOfTime(error) ? listTooLong() : error;
    });
    if (rows.length > maxRows) throw pageTooLarge({ max: maxRows });
    return { rows: rows as Row[], totalCount };
  };
}

/** Turns search criteria into MikroORM's `where`, `orderBy`, `limit` and `offset`. */
function queriesOf({
  fields,
  order,
  maxRows,
}: Pick<SearchedRecords<object>, 'fields' | 'order'> & { maxRows: number }) {
  const searched = {
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, { ...field, column: inEntity(field.column) }]),
    ),
  };
  const named = byOwnName(searched);
  return (criteria: SearchCriteria, always: object) => {
    const groups = criteria.groups.filter((group) => group.length > 0);
    const where = groups.map((group) => {
      const filters = group.map(named);
      const conditions = filters.map((filter) => {
        const { sql, parameters } = conditionOf(fieldOf(filter.field, searched), filter);
        return { [raw(sql, [...parameters])]: [] };
      });
      return isSpan(filters) ? { $and: conditions } : { $or: conditions };
    });
    const sortOrders = criteria.sortOrders.map(named);
    const sorts = [
      ...sortOrders.map((sort) => sortOf(sort, searched)),
      ...tieBreakersOf(inEntity(order), sortOrders.at(-1)),
    ];
    return {
      where: where.length === 0 ? always : { $and: [always, ...where] },
      orderBy: sorts.map(({ sql, direction }) => ({ [raw(sql)]: direction.toLowerCase() })),
      ...pageBounds(criteria, maxRows),
    };
  };
}

/** MikroORM puts the alias of the entity in place of this. */
export const ofEntity = '[::alias::]';

/** Columns by name get the alias; an expression that needs it has it already. */
const inEntity = (columns: string) =>
  columns
    .split(', ')
    .map((column) => (/^[a-z_]\w*(?:::[a-z[\]]+)?$/.test(column) ? `${ofEntity}.${column}` : column))
    .join(', ');
