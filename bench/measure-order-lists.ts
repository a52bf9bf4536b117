import { searchCreditMemos } from '../db/platform/credit-memos/credit-memos.ts';
import { searchInvoices } from '../db/platform/invoices/invoices.ts';
import { searchOrderItems, searchOrders } from '../db/platform/orders/read-order-items.ts';
import { searchShipments } from '../db/platform/shipments/shipments.ts';
import { searchTransactions } from '../db/platform/transactions.ts';
import { grownCustomer, grownOrder, growOrders, placedAtOf } from './grow-orders.ts';
import { measureGrowing, type ListRequested, type ListMeasured, type ListsInput } from './lists.ts';
import { pageCriteria, type Filter, type PageInput } from './page-criteria.ts';
import type { ShopPage } from './measure-shop-lists.ts';

interface Kind {
  name: string;
  path: string;
  find: ListRequested['find'];
  /** Filters that find a constant number of rows; the size is the number of orders. */
  filters: (size: number) => readonly Filter[];
  sorts: readonly string[];
  /** Without an index: all rows are sorted, and a page looks at more in a bigger shop (docs/reference/limits.md). */
  unsorted?: readonly string[];
}

/** The last day by placement time: the same number at each size. */
const lastDay = (field: string, size: number): Filter => [field, placedAtOf(size - 1_440).toISOString(), 'gteq'];
/** Every other order: those that were placed last. Not from midnight on: the counts know whole days. */
const newerHalf = (size: number): Filter => ['created_at', placedAtOf(size / 2 + 7).toISOString(), 'gteq', 'half'];
const times = (size: number) => [newerHalf(size), lastDay('created_at', size), lastDay('updated_at', size)];
const ofOrder = (size: number): Filter => ['order_id', String(grownOrder(size / 2))];

const lists: readonly Kind[] = [
  {
    name: 'orders',
    path: '/V1/orders',
    find: searchOrders,
    filters: (size) => [
      ['status', 'complete'],
      ['status', 'pending'],
      ['status', 'holded'],
      ['status', 'pending,processing', 'in'],
      ['status', 'complete', 'neq'],
      ['state', 'processing'],
      ['store_id', '1'],
      ['increment_id', `G${size / 2}`],
      ['increment_id', `G${size / 2},G7`, 'in'],
      ['customer_id', String(grownCustomer(999))],
      ['customer_email', 'list7@bench.example'],
      ['pos_sale_id', `sale-${size / 2}`],
      ['pos_layaway_status', 'completed'],
      ['pos_layaway_status', 'open,stale', 'in'],
      // Of web shops and of other systems; a register's sale has neither.
      ['quote_id', '7'],
      ['ext_order_id', 'list-7'],
      ['grand_total', '1000', 'gt'],
      ...times(size),
    ],
    sorts: [
      ...['entity_id', 'created_at', 'updated_at', 'increment_id', 'grand_total', 'state', 'store_id', 'status'],
      'customer_email',
    ],
    unsorted: ['base_grand_total'],
  },
  {
    name: 'invoices',
    path: '/V1/invoices',
    find: searchInvoices,
    filters: (size) => [
      ofOrder(size),
      ['state', '1'],
      ['state', '2'],
      ['increment_id', `I${size / 2}`],
      ...times(size),
    ],
    sorts: ['entity_id', 'created_at', 'updated_at', 'increment_id', 'order_id', 'state'],
  },
  {
    name: 'shipments',
    path: '/V1/shipments',
    find: searchShipments,
    filters: (size) => [ofOrder(size), ['increment_id', `S${size / 2}`], ...times(size)],
    sorts: ['entity_id', 'created_at', 'updated_at', 'increment_id', 'order_id'],
  },
  {
    name: 'credit memos',
    path: '/V1/creditmemos',
    find: searchCreditMemos,
    filters: (size) => [ofOrder(size), ['state', '2'], ['increment_id', 'M75'], ['invoice_id', '7'], ...times(size)],
    sorts: ['entity_id', 'created_at', 'updated_at', 'increment_id', 'order_id'],
  },
  {
    name: 'order lines',
    path: '/V1/orders/items',
    find: searchOrderItems,
    filters: (size) => [ofOrder(size), ['sku', 'SKU-00007'], lastDay('created_at', size)],
    sorts: ['item_id', 'created_at', 'order_id', 'sku'],
  },
  {
    name: 'transactions',
    path: '/V1/transactions',
    find: searchTransactions,
    filters: (size) => [ofOrder(size), ['txn_id', `txn-${size / 2}`], lastDay('created_at', size)],
    sorts: ['transaction_id', 'created_at', 'order_id'],
  },
];

/** Orders and their documents at two sizes: the cost of a page of 20 and its exact total. */
export const measureOrderLists = (input: ListsInput): Promise<ListMeasured[]> =>
  measureGrowing(input, {
    async grow(from, to) {
      input.say(`Writing ${to} orders …`);
      await growOrders(input, from, to);
    },
    pages: orderListPages,
  });

/** Every page whose time must not grow with the number of orders (docs/inside/speed.md). */
export const orderListPages = (size: number) => lists.flatMap((kind) => pagesOf(kind, size));

/** Each filter alone and newest first, each sort, and a late page. */
function pagesOf({ name, path, find, filters, sorts, unsorted = [] }: Kind, size: number): ShopPage[] {
  const page = (what: string, input: PageInput, growsWithShop = false): ShopPage => ({
    name: `${name}: ${what}`,
    asked: { path, find, searchCriteria: pageCriteria(input) },
    growsWithShop,
    isCollected: input.filter?.[3] !== undefined,
  });
  const bySort = (sort: string, grows: boolean) => [
    page(`by ${sort}`, { sort: [sort, 'ASC'] }, grows),
    page(`by ${sort}, last first`, { sort: [sort, 'DESC'] }, grows),
  ];
  return [
    page('all', {}),
    page('all, page 40', { currentPage: 40 }),
    ...filters(size).flatMap((filter, at) => {
      const what = [filter[0], filter[2], filter[3] ?? at].filter((part) => part !== undefined).join(' ');
      return [page(what, { filter }), page(`${what}, newest first`, { filter, sort: ['created_at', 'DESC'] })];
    }),
    ...sorts.flatMap((sort) => bySort(sort, false)),
    ...unsorted.flatMap((sort) => bySort(sort, true)),
  ];
}
