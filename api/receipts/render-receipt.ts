import { z } from 'zod';
import { receiptModelInside, rowsInside } from '../wire/json-inside.ts';
import type { ReceiptItemRow, ReceiptRow } from '../../db/receipts/receipt.repository.ts';
import { receiptTokenPurpose } from '../../db/receipts/save-receipt.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { renderMoment } from '../wire/register/render-terminal.ts';

const text = z.string().nullable();
const whole = z.int().nullable();
const number = z.number().nullable();

/** A line of a receipt (spec 2.14). */
export const receiptItemAnswer = z
  .object({
    sku: text,
    name: text,
    qty: number,
    price: number,
    row_total: number,
    tax_amount: number,
    discount_amount: number,
    base_unit_price: number,
    fulfillment_mode: text,
  })
  .meta({ id: 'ReceiptItem' });

/** A receipt with its lines (spec 2.14): money in the sale's currency. */
export const receiptAnswer = z
  .object({
    receipt_id: z.int(),
    sale_id: text,
    pos_order_id: z.string(),
    terminal_id: whole,
    location_id: whole,
    staff_id: whole,
    staff_name: text,
    terminal_name: text,
    location_name: text,
    order_increment_id: text,
    payment_method: text,
    subtotal: number,
    tax_amount: number,
    discount_amount: number,
    grand_total: number,
    currency: text,
    created_at: z.string(),
    receipt_token: z.string().length(64),
    receipt_number: text,
    amount_tendered: number,
    change_due: number,
    items: z.array(receiptItemAnswer),
    raw_payload: text,
    receipt_model: text.meta(receiptModelInside),
    sale_type: text,
    credit_memo_id: whole,
    rma_id: whole,
    original_order_increment_id: text,
    shipping_refund: number,
    adjustment_positive: number,
    adjustment_negative: number,
    layaway_kind: text,
    layaway_amount_captured: number,
    layaway_total_paid: number,
    layaway_balance_owed: number,
    layaway_expires_at: text,
    split_payments: text.meta(rowsInside),
    ship_to_shipments: text.meta(rowsInside),
    backorder_shipments: text.meta(rowsInside),
    applied_credits: text.meta(rowsInside),
    terminal_provider: text,
    terminal_payment_id: text,
    terminal_dashboard_url: text,
    terminal_info: text,
    terminal_raw_payload: text,
    is_reverse_charge: z.boolean(),
    points_earned: number,
    customer_name: text,
    customer_email: text,
    register_session_uuid: z.string().optional(),
  })
  .meta({ id: 'Receipt' });

export type ReceiptAnswer = z.input<typeof receiptAnswer>;

export const renderReceipt = (row: ReceiptRow, items: readonly ReceiptItemRow[], box: SecretBox): ReceiptAnswer => ({
  receipt_id: row.receipt_id,
  sale_id: row.sale_id,
  pos_order_id: row.pos_order_id,
  terminal_id: row.terminal_id,
  location_id: row.location_id,
  staff_id: row.staff_id,
  staff_name: row.staff_name,
  terminal_name: row.terminal_name,
  location_name: row.location_name,
  order_increment_id: row.order_increment_id,
  payment_method: row.payment_method,
  subtotal: numberOf(row.subtotal),
  tax_amount: numberOf(row.tax_amount),
  discount_amount: numberOf(row.discount_amount),
  grand_total: numberOf(row.grand_total),
  currency: row.currency,
  created_at: renderMoment(row.created_at),
  receipt_token: box.open(row.sealed_token, receiptTokenPurpose),
  receipt_number: row.receipt_number,
  amount_tendered: numberOf(row.amount_tendered),
  change_due: numberOf(row.change_due),
  items: items.map(renderItem),
  raw_payload: row.raw_payload,
  receipt_model: row.receipt_model,
  is_reverse_charge: row.is_reverse_charge,
  points_earned: numberOf(row.points_earned),
  customer_name: row.customer_name,
  customer_email: row.customer_email,
  ...renderKind(row),
  ...renderDocuments(row),
  ...(row.register_session_uuid === null ? {} : { register_session_uuid: row.register_session_uuid }),
});

const renderKind = (row: ReceiptRow) => ({
  sale_type: row.sale_type,
  credit_memo_id: row.credit_memo_id,
  rma_id: row.rma_id,
  original_order_increment_id: row.original_order_increment_id,
  shipping_refund: numberOf(row.shipping_refund),
  adjustment_positive: numberOf(row.adjustment_positive),
  adjustment_negative: numberOf(row.adjustment_negative),
  layaway_kind: row.layaway_kind,
  layaway_amount_captured: numberOf(row.layaway_amount_captured),
  layaway_total_paid: numberOf(row.layaway_total_paid),
  layaway_balance_owed: numberOf(row.layaway_balance_owed),
  layaway_expires_at: renderMoment(row.layaway_expires_at),
});

const renderDocuments = (row: ReceiptRow) => ({
  split_payments: row.split_payments,
  ship_to_shipments: row.ship_to_shipments,
  backorder_shipments: row.backorder_shipments,
  applied_credits: row.applied_credits,
  terminal_provider: row.terminal_provider,
  terminal_payment_id: row.terminal_payment_id,
  terminal_dashboard_url: row.terminal_dashboard_url,
  terminal_info: row.terminal_info,
  terminal_raw_payload: row.terminal_raw_payload,
});

const renderItem = (item: ReceiptItemRow): z.input<typeof receiptItemAnswer> => ({
  sku: item.sku,
  name: item.name,
  qty: numberOf(item.qty),
  price: numberOf(item.price),
  row_total: numberOf(item.row_total),
  tax_amount: numberOf(item.tax_amount),
  discount_amount: numberOf(item.discount_amount),
  base_unit_price: numberOf(item.base_unit_price),
  fulfillment_mode: item.fulfillment_mode,
});

const numberOf = (decimal: string | null) => (decimal === null ? null : Number(decimal));
