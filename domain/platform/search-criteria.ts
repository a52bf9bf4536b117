/** How a filter compares; an unknown word compares as `eq`. */
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
  /** The wire name: the key in the answer. */
  field: string;
  /** Null where none was sent. */
  value: string | null;
  condition: ConditionType;
}

export interface SortOrder {
  field: string;
  direction: 'ASC' | 'DESC';
}

/** The criteria as the answer repeats them: snake_case, only the ones sent (platform facts 3.5). */
export interface EchoedCriteria {
  filter_groups: { filters: { field: string; value: string | null; condition_type: string }[] }[];
  sort_orders?: SortOrder[] | undefined;
  page_size?: number | undefined;
  current_page?: number | undefined;
}

export interface SearchCriteria {
  /** Groups are joined by AND, the filters of one group by OR. */
  groups: readonly (readonly SearchFilter[])[];
  /** Each field once, the most significant first. */
  sortOrders: readonly SortOrder[];
  /** Undefined: every row. */
  pageSize: number | undefined;
  /** From 1. */
  currentPage: number;
  echo: EchoedCriteria;
}
