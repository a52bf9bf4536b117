import { searchReceipts } from '../db/receipts/search-receipts.ts';
import { searchTerminals } from '../db/terminals/terminal.repository.ts';
import { searchOperations } from '../db/bulk/read-bulk.ts';
import { searchOrders } from '../db/platform/orders/read-orders.ts';
import { searchCoupons } from '../db/platform/sales-rules/search-coupons.ts';
import { taxRates } from '../db/platform/tax/tax-rates.ts';
import { searchRmas } from '../db/returns/read-rmas.ts';
import { grownRow } from './grow-shop.ts';
import { lastDay, oneRow, type ListKind } from './list-kind.ts';

/** What registers and the back office list beside orders and goods, by every field of each list. */
export const registerLists: readonly ListKind[] = [
  {
    name: 'receipts',
    path: '/V1/pos/receipts',
    find: searchReceipts,
    filters: (size) => [
      oneRow('receipt_id'),
      oneRow('location_id'),
      oneRow('terminal_id'),
      ['sale_type', 'exchange'],
      ['order_increment_id', 'GR7'],
      ['pos_order_id', 'grown-7'],
      lastDay('created_at', size),
    ],
    common: [
      ['sale_type', 'refund'],
      ['created_at', '2020-01-01', 'gteq'],
    ],
    growing: [],
    sorts: ['receipt_id', 'created_at'],
    coarseSorts: ['location_id', 'terminal_id'],
    moment: 'created_at',
  },
  {
    name: 'returns',
    path: '/V1/returns',
    find: searchRmas,
    filters: (size) => [
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
    common: [['status', 'closed']],
    growing: [
      ['store_id', '1'],
      ['date_requested', '2020-01-01', 'gteq'],
    ],
    sorts: ['entity_id', 'increment_id', 'date_requested', 'order_id'],
    coarseSorts: ['status'],
    moment: 'date_requested',
  },
  {
    name: 'layaways',
    path: '/V1/orders',
    find: searchOrders,
    filters: () => [
      ['pos_layaway_status', 'open'],
      ['pos_layaway_status', 'open,stale', 'in'],
    ],
    common: [],
    growing: [
      ['pos_layaway_status', 'completed'],
      ['pos_layaway_status', '', 'notnull'],
    ],
    sorts: [],
    coarseSorts: [],
    moment: 'created_at',
  },
  {
    name: 'terminals',
    path: '/V1/pos/terminals',
    find: searchTerminals,
    filters: () => [
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
    coarseSorts: [],
    moment: 'created_at',
  },
  {
    name: 'coupons',
    path: '/V1/coupons/search',
    find: searchCoupons,
    filters: (size) => [oneRow('coupon_id'), ['code', 'grown-7'], ['is_primary', '1'], lastDay('created_at', size)],
    common: [],
    growing: [
      ['rule_id', String(grownRow(0))],
      ['type', '1'],
    ],
    sorts: ['coupon_id', 'code', 'created_at'],
    coarseSorts: [],
    moment: 'created_at',
  },
  {
    name: 'tax rates',
    path: '/V1/taxRates/search',
    find: taxRates.search,
    filters: () => [
      oneRow('id'),
      ['code', 'grown-7'],
      ['tax_country_id', 'CA'],
      ['tax_region_id', '7'],
      ['tax_postcode', '10007'],
      ['zip_from', '7'],
      ['zip_to', '7'],
      ['rate', '0.7'],
    ],
    common: [],
    growing: [['tax_country_id', 'US']],
    sorts: ['id', 'code', 'rate'],
    coarseSorts: ['tax_country_id'],
    moment: 'id',
  },
  {
    name: 'operations',
    path: '/V1/bulk',
    find: searchOperations,
    filters: (size) => [['bulk_uuid', 'grown-0'], ['status', '3'], ['error_code', '400'], lastDay('start_time', size)],
    common: [['status', '1']],
    growing: [],
    sorts: ['start_time'],
    coarseSorts: ['status'],
    moment: 'start_time',
  },
];
