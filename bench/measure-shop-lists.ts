import type { EntityManager } from '@mikro-orm/postgresql';
import { searchOperations } from '../db/bulk/read-bulk.ts';
import { findHeldCarts } from '../db/held-carts/hold-cart.ts';
import { searchProducts } from '../db/platform/catalog/products.ts';
import { searchCustomers } from '../db/platform/customers/search-customers.ts';
import { searchOrders } from '../db/platform/orders/read-order-items.ts';
import { searchCoupons } from '../db/platform/sales-rules/read-sales-rules.ts';
import { taxRates } from '../db/platform/tax/taxes.ts';
import { searchReceipts } from '../db/receipts/link-receipt.ts';
import { searchRmas } from '../db/returns/read-rmas.ts';
import { openReturns } from '../db/returns/return.repository.ts';
import { searchTerminals } from '../db/terminals/read-terminals.ts';
import type { SearchCriteria } from '../domain/platform/search-criteria.ts';
import { grownRow, growShop, heldAt, madeAtOf } from './grow-shop.ts';
import { measureGrowing, type ListRequested, type ListMeasured, type ListsInput } from './lists.ts';
import { pageCriteria, type Filter, type PageInput } from './page-criteria.ts';

const times = (size: number) => [lastDay('created_at', size), lastDay('updated_at', size)];

/** Products and customers, by every field that clients of the platform name (platform facts 3.2, 8, 9.1). */
const catalogLists = (size: number): readonly ListKind[] => [
  {
    name: 'products',
    path: '/V1/products',
    find: (em, criteria) => searchProducts(em, criteria, { storeId: 1, websiteId: 1 }),
    filters: [
      oneRow('entity_id'),
      ['sku', 'grown-7'],
      ['sku', 'grown-7,grown-8', 'in'],
      ['sku', '%grown-77%', 'like'],
      ['name', 'grown lantern 7'],
      ['name', '%lantern 77%', 'like'],
      ['price', '4999'],
      ['status', '2'],
      ['visibility', '1'],
      ['type_id', 'virtual'],
      ['tax_class_id', '4'],
      ['attribute_set_id', '7'],
      ['barcode', 'b7'],
      ['url_key', 'grown-7'],
      ['weight', '7'],
      ['cost', '7'],
      ['special_price', '7'],
      ['is_returnable', '0'],
      ['category_id', '1007'],
      ['website_id', '7'],
      ['color', 'colour 7'],
      ...times(size),
    ],
    common: [
      ['category_id', '1'],
      newerHalf('created_at', size),
      ['status', '1'],
      ['visibility', '2,3,4', 'in'],
      ['type_id', 'simple'],
      ['attribute_set_id', '4'],
      ['tax_class_id', '2'],
      ['website_id', '1'],
      ['store_id', '1'],
    ],
    growing: [
      ['price', '10', 'gt'],
      ['updated_at', '2020-01-01', 'gteq'],
    ],
    sorts: [
      ...['entity_id', 'sku', 'name', 'price', 'created_at', 'updated_at', 'weight', 'barcode', 'url_key', 'cost'],
      ...['special_price', 'status', 'type_id', 'visibility', 'attribute_set_id', 'tax_class_id'],
    ],
    unsorted: ['color'],
    moment: 'created_at',
  },
  {
    name: 'customers',
    path: '/V1/customers/search',
    find: searchCustomers,
    filters: [
      oneRow('entity_id'),
      ['email', 'grown7@bench.example'],
      ['email', '%grown77%', 'like'],
      ['firstname', 'first7'],
      ['lastname', 'last7'],
      ['lastname', 'last77%', 'like'],
      ['name', 'first7 last7'],
      ['name', '%st77 la%', 'like'],
      ['middlename', 'middle7'],
      ['prefix', 'prefix7'],
      ['suffix', 'suffix7'],
      ['dob', 'day7'],
      ['taxvat', 'vat7'],
      ['confirmation', 'key7'],
      ['gender', '3'],
      ['created_in', 'old view'],
      ['group_id', '2'],
      ['website_id', '7'],
      oneRow('default_billing'),
      oneRow('default_shipping'),
      ['billing_postcode', '10007'],
      ['billing_city', 'city 7'],
      ['billing_telephone', '555-7'],
      ['billing_region', 'region 7'],
      ['billing_company', 'company 7'],
      ['billing_country_id', 'ca'],
      ...times(size),
    ],
    common: [
      ['website_id', '1'],
      ['store_id', '1'],
      ['group_id', '1'],
      ['gender', '1'],
      ['created_in', 'default'],
      ['created_at', '2020-01-01', 'gteq'],
      newerHalf('created_at', size),
    ],
    growing: [
      ['billing_country_id', 'us'],
      ['updated_at', '2020-01-01', 'gteq'],
    ],
    sorts: [
      ...['entity_id', 'email', 'firstname', 'lastname', 'created_at', 'updated_at', 'group_id', 'store_id', 'gender'],
      ...['dob', 'taxvat', 'name'],
    ],
    unsorted: ['billing_city'],
    moment: 'created_at',
  },
];

/** What registers and the back office list beside orders and goods, by every field of each list. */
const registerLists = (size: number): readonly ListKind[] => [
  {
    name: 'receipts',
    path: '/V1/pos/receipts',
    find: searchReceipts,
    filters: [
      oneRow('receipt_id'),
      oneRow('location_id'),
      oneRow('terminal_id'),
      ['sale_type', 'exchange'],
      ['order_increment_id', 'GR7'],
      ['pos_order_id', 'grown-7'],
      lastDay('created_at', size),
    ],
    common: [['sale_type', 'refund'], ['created_at', '2020-01-01', 'gteq'], newerHalf('created_at', size)],
    growing: [],
    sorts: [
      'receipt_id',
      'created_at',
      'order_increment_id',
      'pos_order_id',
      'location_id',
      'terminal_id',
      'sale_type',
    ],
    unsorted: [],
    moment: 'created_at',
  },
  {
    name: 'returns',
    path: '/V1/returns',
    find: searchRmas,
    filters: [
      oneRow('entity_id'),
      ['increment_id', 'GRMA7'],
      oneRow('order_id'),
      ['order_increment_id', 'GR7'],
      oneRow('customer_id'),
      ['status', 'pending'],
      ['status', 'pending,approved', 'in'],
      ['store_id', '7'],
      lastDay('date_requested', size),
    ],
    common: [
      ['status', 'closed'],
      ['store_id', '1'],
      ['date_requested', '2020-01-01', 'gteq'],
      newerHalf('date_requested', size),
    ],
    growing: [],
    sorts: ['entity_id', 'increment_id', 'date_requested', 'order_id', 'status'],
    unsorted: ['order_increment_id', 'store_id'],
    moment: 'date_requested',
  },
  {
    name: 'layaways',
    path: '/V1/orders',
    find: searchOrders,
    filters: [
      ['pos_layaway_status', 'open'],
      ['pos_layaway_status', 'open,stale', 'in'],
    ],
    common: [
      ['pos_layaway_status', 'completed'],
      ['pos_layaway_status', '', 'notnull'],
    ],
    growing: [],
    sorts: [],
    unsorted: [],
    moment: 'created_at',
  },
  {
    name: 'terminals',
    path: '/V1/pos/terminals',
    find: searchTerminals,
    filters: [
      oneRow('terminal_id'),
      ['name', 'grown till 7'],
      ['device_identifier', 'grown-7'],
      ['location_id', '7'],
      ['is_active', '0'],
      ['license_id', '7'],
    ],
    common: [],
    growing: [['is_active', '1']],
    sorts: ['terminal_id', 'name', 'created_at', 'updated_at', 'last_seen_at'],
    unsorted: [],
    moment: 'created_at',
  },
  {
    name: 'coupons',
    path: '/V1/coupons/search',
    find: searchCoupons,
    filters: [oneRow('coupon_id'), ['code', 'grown-7'], ['is_primary', '1'], lastDay('created_at', size)],
    common: [['rule_id', String(grownRow(0))], ['type', '1'], newerHalf('created_at', size)],
    growing: [],
    sorts: ['coupon_id', 'code', 'created_at', 'rule_id'],
    unsorted: [],
    moment: 'created_at',
  },
  {
    name: 'tax rates',
    path: '/V1/taxRates/search',
    find: taxRates.search,
    filters: [
      oneRow('id'),
      ['code', 'grown-7'],
      ['tax_country_id', 'CA'],
      ['tax_region_id', '7'],
      ['tax_postcode', '10007'],
      ['zip_from', '7'],
      ['zip_to', '7'],
      ['rate', '0.7'],
    ],
    common: [['tax_country_id', 'US']],
    growing: [],
    sorts: ['id', 'code', 'rate', 'tax_country_id'],
    unsorted: [],
    moment: 'id',
  },
  {
    name: 'operations',
    path: '/V1/bulk',
    find: searchOperations,
    filters: [['bulk_uuid', 'grown-0'], ['status', '3'], ['error_code', '400'], lastDay('start_time', size)],
    common: [['status', '1'], newerHalf('start_time', size)],
    growing: [],
    sorts: ['start_time', 'status'],
    unsorted: [],
    moment: 'start_time',
  },
];

const kindsOf = (size: number) => [...catalogLists(size), ...registerLists(size)];

/** A far page; with fewer rows there is none. */
const farPage = 1_000;

const rowsOfFarPage = farPage * 20;

export interface ShopPage {
  name: string;
  asked: ListRequested;
  /** What it finds grows with the shop, and is counted one by one, or passed over to reach a far page. */
  growsWithShop: boolean;
  /** Up to 20,000 of what it finds are collected and sorted; only beyond them an index leads to the page. */
  isCollected?: boolean;
}

/** The lists of a shop at two sizes: the cost of a page of 20 and its exact total. */
export const measureShopLists = (input: ListsInput): Promise<ListMeasured[]> =>
  measureGrowing(input, {
    async grow(from, to) {
      input.say(`Writing ${to} rows of each list …`);
      await growShop(input, from, to);
    },
    pages: (size) => shopListPages(size, input.sizes[0] >= rowsOfFarPage),
  });

/** Every page whose time must not grow with the shop (docs/inside/speed.md), also the far ones where there are such. */
export const shopListPages = (size: number, isFar: boolean): ShopPage[] => [
  ...kindsOf(size).flatMap((kind) => pagesOf(kind, isFar)),
  ...registerPages,
];

/** Each filter alone and newest first, each sort, and late pages of what is long. */
function pagesOf(kind: ListKind, isFar: boolean): ShopPage[] {
  const page = (what: string, input: PageInput, growsWithShop = false): ShopPage => ({
    name: `${kind.name}: ${what}`,
    asked: { path: kind.path, find: kind.find, searchCriteria: pageCriteria(input) },
    growsWithShop,
    isCollected: input.filter?.[0] === 'category_id' || isLongTime(input.filter),
  });
  const far = (what: string, command: PageInput) =>
    isFar ? [page(`${what}, page ${farPage}`, { ...command, currentPage: farPage }, true)] : [];
  const byFilter = (filter: Filter, grows: boolean) => {
    const [alone, newest] = [{ filter }, { filter, sort: [kind.moment, 'DESC'] as const }];
    const what = wordsOf(filter);
    return [page(what, alone, grows), page(`${what}, newest first`, newest, grows)];
  };
  const farByFilter = (filter: Filter) => [
    ...far(wordsOf(filter), { filter }),
    ...far(`${wordsOf(filter)}, newest first`, { filter, sort: [kind.moment, 'DESC'] }),
  ];
  return [
    page('all', {}),
    page('all, page 40', { currentPage: 40 }),
    ...far('all', {}),
    ...[...kind.filters, ...kind.common].flatMap((filter) => byFilter(filter, false)),
    ...kind.growing.flatMap((filter) => byFilter(filter, true)),
    ...[...kind.common, ...kind.growing].flatMap(farByFilter),
    ...kind.sorts.flatMap((sort) => [
      page(`by ${sort}`, { sort: [sort, 'ASC'] }),
      page(`by ${sort}, last first`, { sort: [sort, 'DESC'] }),
      ...far(`by ${sort}`, { sort: [sort, 'ASC'] }),
    ]),
    ...kind.unsorted.flatMap((sort) => [
      page(`by ${sort}`, { sort: [sort, 'ASC'] }, true),
      page(`by ${sort}, last first`, { sort: [sort, 'DESC'] }, true),
    ]),
  ];
}

/** By time, of half the rows or of all. */
const isLongTime = (filter: Filter | undefined) =>
  filter?.[2] === 'gteq' && (filter[3] === newerHalfWords || filter[1] === '2020-01-01');

/** The same at each size: a time that differs has words of its own. */
const wordsOf = ([field, value, condition, words = value]: Filter) =>
  [field, condition, words].filter((part) => part).join(' ');

/** Lists that are no search: they take a number of rows, and tell no total. */
const registerPages: readonly ShopPage[] = [
  {
    name: 'carts held at one location',
    asked: {
      path: `/V1/pos/held-carts/location/${heldAt}`,
      find: listed((em, pageSize) => findHeldCarts(em, { locationId: heldAt, pageSize })),
      searchCriteria: pageCriteria({}),
    },
    growsWithShop: false,
  },
  {
    name: 'open returns',
    asked: { path: '/V1/pos/rma/open', find: listed(openReturns), searchCriteria: pageCriteria({}) },
    growsWithShop: false,
  },
];

function listed(find: (em: EntityManager, limit: number) => Promise<readonly object[]>): ListRequested['find'] {
  return async (em: EntityManager, { pageSize = 20 }: SearchCriteria) => ({
    totalCount: (await find(em, pageSize)).length,
  });
}

/** A list of the shop, with everything that it can be asked for. */
export interface ListKind {
  name: string;
  path: string;
  find: ListRequested['find'];
  /** Each finds a constant number of rows. */
  filters: readonly Filter[];
  /** These find many rows, whose number is kept. */
  common: readonly Filter[];
  /**
   * These look at more in a bigger shop (docs/reference/limits.md): they find many rows, which are counted one by one.
   */
  growing: readonly Filter[];
  sorts: readonly string[];
  /** Without an index: all rows are sorted. */
  unsorted: readonly string[];
  /** The time by which the newest are first. */
  moment: string;
}

/** The last day: the same number of rows at each size. */
export const lastDay = (field: string, size: number): Filter => [
  field,
  madeAtOf(size - 1_440).toISOString(),
  'gteq',
  'the last day',
];
const newerHalfWords = 'the newer half';
/** Every other row: those that were written last. Not from midnight on: the counts know whole days. */
export const newerHalf = (field: string, size: number): Filter => [
  field,
  madeAtOf(size / 2 + 7).toISOString(),
  'gteq',
  newerHalfWords,
];

/** One row by its id, or those that share another row's. */
export const oneRow = (field: string): Filter => [field, String(grownRow(7))];
