/** What a caller of a list looks for (platform facts 3). */

/** How a filter compares; a word that is none of these compares as `eq`. */
export const conditionTypes = [
  'eq',
  'neq',
  'gt',
  'gteq',
  'lt',
  'lteq',
  'from',
  'to',
  'like',
  'nlike',
  'in',
  'nin',
  'null',
  'notnull',
  'is',
  'finset',
  'nfinset',
  'seq',
  'sneq',
  'fulltext',
] as const;
export type ConditionType = (typeof conditionTypes)[number];

export interface SearchFilter {
  /** The wire name, as the answer's key is spelled. */
  field: string;
  /** Null where none was sent. */
  value: string | null;
  condition: ConditionType;
}

export interface SortOrder {
  field: string;
  direction: 'ASC' | 'DESC';
}

/** The criteria as the answer repeats them: snake_case, and only what was sent (platform facts 3.5). */
export interface EchoedCriteria {
  filter_groups: { filters: { field: string; value: string | null; condition_type: string }[] }[];
  sort_orders?: SortOrder[] | undefined;
  page_size?: number | undefined;
  current_page?: number | undefined;
}

export interface SearchCriteria {
  /** Groups are joined by AND, the filters of one group by OR. */
  groups: readonly (readonly SearchFilter[])[];
  /** Each field once, the most important first. */
  sortOrders: readonly SortOrder[];
  /** Undefined: every row. */
  pageSize: number | undefined;
  /** From 1. */
  currentPage: number;
  echo: EchoedCriteria;
}
