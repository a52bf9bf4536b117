import type { EntityManager } from '@mikro-orm/postgresql';
import type { ReceiptRow } from './receipt.repository.ts';
import { receiptList } from '../support/counted-list.ts';
import { search, type Found, type Searchable } from '../support/search.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';

const receipts: Searchable = {
  table: 'pos_receipt',
  columns: '*',
  fields: {
    receipt_id: { column: 'receipt_id', type: 'integer' },
    pos_order_id: { column: 'pos_order_id', type: 'code' },
    location_id: { column: 'location_id', type: 'integer', isNullable: true },
    terminal_id: { column: 'terminal_id', type: 'integer', isNullable: true },
    created_at: { column: 'created_at', type: 'timestamp' },
    sale_type: { column: 'sale_type', type: 'code', isNullable: true },
    order_increment_id: { column: 'order_increment_id', type: 'code', isNullable: true },
  },
  order: 'receipt_id',
  // Each carries the whole upload of its sale: more than these are read in pages.
  maxRows: 2_000,
  counted: receiptList,
};

/** Receipts by each of the interface's filters (spec 4.9). Refused with: 400 more than 2 000 receipts. */
export const searchReceipts = (em: EntityManager, criteria: SearchCriteria): Promise<Found<ReceiptRow>> =>
  search<ReceiptRow>(em, criteria, receipts);
