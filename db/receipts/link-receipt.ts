import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidValue } from '../../domain/errors.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import type { OrderHook } from '../platform/orders/saved-order.ts';
import { receiptList } from '../support/counted-list.ts';
import { orNull, text } from '../support/entity-columns.ts';
import { search, type Found, type Searchable } from '../support/search.ts';
import { sql } from '../support/sql.ts';
import { noteLostLink } from './read-receipt-view.ts';
import type { ReceiptRow } from './receipt.repository.ts';

/** The fields of an order that link it to its receipt. */
export interface PlacedOrder {
  orderId: number;
  incrementId: string;
  posSaleId: string | null;
}

/** The log that gets failures. */
export interface Complaints {
  warn(facts: Record<string, unknown>, message: string): void;
}

/**
 * Makes the hook that runs when an order is saved. It writes the order's number on the receipt of its sale (spec 4.9,
 * 6.5).
 *
 * Safe to repeat: it writes only a number that is missing. It skips orders without a sale id. It never throws: a
 * failure, or a lock that takes too long, is rolled back alone and logged. The order is saved all the same, and the
 * sweep links the receipt later.
 */
export const createReceiptLinker =
  (complaints: Complaints) =>
  async (em: EntityManager, { orderId, incrementId, posSaleId }: PlacedOrder): Promise<void> => {
    if (!posSaleId) return;
    const failure = await failureOf(em, { incrementId, posSaleId });
    if (failure === null) return;
    complaints.warn({ orderId, error: failure }, 'the receipt of an order could not be linked yet');
    await leaveToSweep(em, orderId, complaints);
  };

/**
 * What PostgreSQL undid by itself, or why the statement was not even begun; null: the receipt is linked, if there is
 * one.
 */
async function failureOf(em: EntityManager, sale: { incrementId: string; posSaleId: string }): Promise<unknown> {
  try {
    return (await link.first(em, sale))?.failure ?? null;
  } catch (error) {
    return error;
  }
}

/** Noted in the order's own transaction. If even this fails, `pos verify` names the order (I-20b). */
async function leaveToSweep(em: EntityManager, orderId: number, complaints: Complaints): Promise<void> {
  try {
    await em.transactional((tx) => noteLostLink(tx, orderId));
  } catch (error) {
    complaints.warn({ orderId, error }, 'the receipt of an order is not linked, and nobody will');
  }
}

/** Takes the lock of the sale, as `lockSale` does. A failure within is undone alone: no savepoint is needed. */
const link = sql('link-receipt.link', { gives: { failure: orNull(text) } })`
  select pos_link_receipt($posSaleId, $incrementId) as failure`;

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

/**
 * Runs when an order is saved, and refuses to give the order of a claimed receipt to another customer. Our choice:
 * receipt and order always name the same customer. A claim locks the order too, so the two take turns.
 *
 * Refused with: 400, in the platform's words for a value that cannot be changed.
 */
export const keepClaimedCustomer: OrderHook = async (em, { orderId, customerId, isNew }, posted) => {
  if (isNew || posted.columns.customerId === undefined || customerId === null) return;
  if ((await findClaim.first(em, { orderId, customerId })) === undefined) return;
  throw invalidValue('customerId', customerId);
};

const findClaim = sql('link-receipt.findClaim')`
  select receipt_id from pos_receipt
  where claimed_order_id = $orderId and customer_id <> $customerId limit 1`;
