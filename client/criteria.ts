/** How a filter compares. `from` and `to` include their ends; `in` takes a list with commas. */
export type Condition =
  | ('eq' | 'neq' | 'gt' | 'gteq' | 'lt' | 'lteq' | 'from' | 'to' | 'like' | 'nlike')
  | ('in' | 'nin' | 'null' | 'notnull' | 'finset');

type Value = string | number | boolean | Date | readonly (string | number)[];

/** A filter: field, value, and how they are compared. */
export type Filter = readonly [field: string, value: Value, condition?: Condition];

/** The most parameters of one search that the service reads. */
const mostParameters = 400;

/**
 * A search, as the platform spells it. Immutable: each word makes a new one.
 *
 * `criteria().where('status', 'complete').whereAny(['total_due', 0, 'gt'], ['grand_total', 100, 'gteq']).page(20)`: the
 * filters of one `whereAny` are joined by OR, all others by AND.
 */
export interface Criteria {
  where: (field: string, value: Value, condition?: Condition) => Criteria;
  whereAny: (...filters: readonly [Filter, ...Filter[]]) => Criteria;
  sortedBy: (field: string, direction?: 'ASC' | 'DESC') => Criteria;
  page: (size: number, current?: number) => Criteria;
  /** Only these keys of the answer, as `items[entity_id,status]`. */
  fields: (keys: string) => Criteria;
  /** For `query` of a call. */
  query: () => Record<string, string>;
}

interface Parts {
  groups: readonly (readonly Filter[])[];
  sorts: readonly (readonly [string, string])[];
  more: Readonly<Record<string, string>>;
}

export const criteria = (parts: Parts = { groups: [], sorts: [], more: {} }): Criteria => ({
  where: (field, value, condition) =>
    criteria({ ...parts, groups: [...parts.groups, [withCondition(field, value, condition)]] }),
  whereAny: (...filters) => criteria({ ...parts, groups: [...parts.groups, filters] }),
  sortedBy: (field, direction = 'ASC') => criteria({ ...parts, sorts: [...parts.sorts, [field, direction]] }),
  page: (size, current = 1) =>
    criteria({
      ...parts,
      more: {
        ...parts.more,
        'searchCriteria[page_size]': String(size),
        'searchCriteria[current_page]': String(current),
      },
    }),
  fields: (keys) => criteria({ ...parts, more: { ...parts.more, fields: keys } }),
  query: () => queryOf(parts),
});

const withCondition = (field: string, value: Value, condition?: Condition): Filter =>
  condition === undefined ? [field, value] : [field, value, condition];

function queryOf({ groups, sorts, more }: Parts): Record<string, string> {
  const query: Record<string, string> = {};
  groups.forEach((filters, group) =>
    filters.forEach(([field, value, condition], at) => {
      const name = `searchCriteria[filter_groups][${group}][filters][${at}]`;
      query[`${name}[field]`] = field;
      query[`${name}[value]`] = written(value);
      if (condition !== undefined) query[`${name}[condition_type]`] = condition;
    }),
  );
  sorts.forEach(([field, direction], at) => {
    query[`searchCriteria[sort_orders][${at}][field]`] = field;
    query[`searchCriteria[sort_orders][${at}][direction]`] = direction;
  });
  Object.assign(query, more);
  // A list without any word of a search is refused.
  if (!Object.keys(query).some((name) => name.startsWith('searchCriteria'))) query['searchCriteria'] = '';
  if (Object.keys(query).length > mostParameters)
    throw new RangeError(
      `A search has at most ${mostParameters} parameters; this one has ${Object.keys(query).length}.`,
    );
  return query;
}

/** A moment is in UTC, as the platform writes it. */
const written = (value: Value): string =>
  value instanceof Date ? value.toISOString().slice(0, 19).replace('T', ' ') : String(value);
