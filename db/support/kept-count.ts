import type { SearchedGroup } from './known-count.ts';
import type { SearchField } from './search-field.ts';

/** The columns that a list is counted by: few values, each with its type in the list. */
type CountedColumns = Readonly<Record<string, 'integer' | 'text' | 'text[]'>>;

/** Lists whose totals triggers maintain in `pos_list_count`, by table. */
export const keptLists = {
  sales_order: { store_id: 'integer', state: 'text', status: 'text' },
  sales_order_item: {},
  sales_invoice: { store_id: 'integer', state: 'integer' },
  sales_shipment: { store_id: 'integer' },
  sales_creditmemo: { store_id: 'integer', state: 'integer' },
  sales_payment_transaction: {},
  customer: { website_id: 'integer', store_id: 'integer', group_id: 'integer' },
  product: {
    type_id: 'text',
    attribute_set_id: 'integer',
    visibility: 'integer',
    status: 'integer',
    tax_class_id: 'integer',
    website_ids: 'text[]',
  },
  inventory_source_item: { source_code: 'text', status: 'integer' },
  sale_return: { status: 'text' },
  sales_coupon: {},
  bulk_operation: { status: 'integer' },
} as const satisfies Record<string, CountedColumns>;

export type KeptList = keyof typeof keptLists;

/** A list's counts as a table in place of the list: the same conditions give the number of rows. */
export interface KeptCount {
  list: KeptList;
  /** The alias before the list's columns; the table's name where they have none. */
  alias: string;
  /** By the name of a field, the sort for which an index has the rows of each of its values in order. */
  inOrder?: Readonly<Record<string, string>>;
}

/** So many rows are summed in a millisecond. */
const mostLoose = 1_000;

/**
 * Whether the counts can give the number of matching rows: every filter uses a counted column, and the column itself,
 * not a store view's own value.
 */
export const isKept = (
  { list, alias }: KeptCount,
  groups: readonly SearchedGroup[],
  fields: Readonly<Record<string, SearchField>>,
): boolean =>
  groups.every(({ filters }) =>
    filters.every(({ field }) => Object.hasOwn(keptLists[list], nameWithout(alias, fields[field]?.column ?? ''))),
  );

/**
 * Whether one plan is good for any values: only where an index has the rows of each in the requested order. Otherwise
 * the database, which guesses for any value that many rows have it, would pass over all rows to find those of a rare one.
 */
export const isForAnyValues = (
  { inOrder = {} }: KeptCount,
  groups: readonly SearchedGroup[],
  sort: string | undefined,
): boolean =>
  groups.every(({ filters }) => filters.every(({ field }) => sort !== undefined && inOrder[field] === sort));

const nameWithout = (alias: string, column: string) =>
  column.startsWith(`${alias}.`) ? column.slice(alias.length + 1) : column;

/** SQL of two numbers: how many rows match, and how many rows of counts there are. `where` is the whole condition. */
export function keptTotal({ list, alias }: KeptCount, where: string): string {
  const columns = Object.entries<string>(keptLists[list]).map(([name, type]) => `${name}::${type} as ${name}`);
  const matching = where === '' ? '' : `filter (${where})`;
  return `(select array[coalesce(sum(counted) ${matching}, 0), count(*)]::bigint[]
    from (select ${[...columns, 'counted'].join(', ')} from pos_list_count where list = '${list}') ${alias})`;
}

/** Whether there are so many rows of counts that they should be added up. */
export const isLoose = (rows: number) => rows > mostLoose;
