import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';

/** A receipt as its table has it: money as decimal text, moments as text, the token sealed. */
export interface ReceiptRow {
  receipt_id: number;
  pos_order_id: string;
  sale_id: string | null;
  terminal_id: number | null;
  location_id: number | null;
  staff_id: number | null;
  staff_name: string | null;
  terminal_name: string | null;
  location_name: string | null;
  order_increment_id: string | null;
  payment_method: string | null;
  subtotal: string | null;
  tax_amount: string | null;
  discount_amount: string | null;
  grand_total: string | null;
  currency: string | null;
  sealed_token: string;
  receipt_number: string | null;
  amount_tendered: string | null;
  change_due: string | null;
  sale_type: string | null;
  credit_memo_id: number | null;
  rma_id: number | null;
  original_order_increment_id: string | null;
  shipping_refund: string | null;
  adjustment_positive: string | null;
  adjustment_negative: string | null;
  layaway_kind: string | null;
  layaway_amount_captured: string | null;
  layaway_total_paid: string | null;
  layaway_balance_owed: string | null;
  layaway_expires_at: string | null;
  split_payments: string | null;
  ship_to_shipments: string | null;
  backorder_shipments: string | null;
  applied_credits: string | null;
  terminal_provider: string | null;
  terminal_payment_id: string | null;
  terminal_dashboard_url: string | null;
  terminal_info: string | null;
  terminal_raw_payload: string | null;
  is_reverse_charge: boolean;
  points_earned: string | null;
  customer_name: string | null;
  customer_email: string | null;
  raw_payload: string | null;
  receipt_model: string | null;
  created_at: string;
}

export interface ReceiptItemRow {
  receipt_item_id: string;
  receipt_id: number;
  sku: string | null;
  name: string | null;
  qty: string | null;
  price: string | null;
  row_total: string | null;
  tax_amount: string | null;
  discount_amount: string | null;
  base_unit_price: string | null;
  fulfillment_mode: string | null;
}

export interface WholeReceipt {
  receipt: ReceiptRow;
  items: ReceiptItemRow[];
}

/** One receipt with its lines. Refused with: 404 unknown id (spec 4.9). */
export async function findReceipt(em: EntityManager, receiptId: number): Promise<WholeReceipt> {
  const [receipt] = await em.execute<ReceiptRow[]>('select * from pos_receipt where receipt_id = ?', [receiptId]);
  if (!receipt) throw notFound('The POS receipt with id %1 does not exist.', [receiptId]);
  return withItems(em, receipt);
}

/**
 * The receipt of an order, the newest where there are several (spec 4.9), and how many there are.
 *
 * Refused with: 404 unknown order number.
 */
export async function findReceiptOfOrder(
  em: EntityManager,
  incrementId: string,
): Promise<WholeReceipt & { count: number }> {
  const [row] = await em.execute<(ReceiptRow & { receipt_count: string })[]>(
    `select *, (select count(*) from pos_receipt where order_increment_id = ?) as receipt_count
     from pos_receipt where order_increment_id = ? order by receipt_id desc limit 1`,
    [incrementId, incrementId],
  );
  if (!row) throw notFound('The POS receipt with increment id %1 does not exist.', [incrementId]);
  return { ...(await withItems(em, row)), count: Number(row.receipt_count) };
}

/** The lines of several receipts, in one query. */
export const findReceiptItems = async (em: EntityManager, receiptIds: readonly number[]): Promise<ReceiptItemRow[]> =>
  receiptIds.length === 0
    ? []
    : em.execute<ReceiptItemRow[]>('select * from pos_receipt_item where receipt_id in (?) order by receipt_item_id', [
        receiptIds,
      ]);

const withItems = async (em: EntityManager, receipt: ReceiptRow): Promise<WholeReceipt> => ({
  receipt,
  items: await findReceiptItems(em, [receipt.receipt_id]),
});
