import { z } from 'zod';
import type { NewReceipt } from '../../db/receipts/save-receipt.ts';
import { given } from '../../db/support/given.ts';
import { layawayKinds, saleTypes } from '../../domain/receipts/receipt-kinds.ts';
import { flag, growing, integer, isoDate, quantity, storedMoney, text } from '../wire/schemas.ts';

/** The request's own limit is smaller. */
const document = text(20_000_000).optional();
const word = text(255).optional();
const whole = integer.optional();
const money = storedMoney.optional();
/** For regular sales and plain receipts the kind is absent or empty. */
const kind = <const Word extends string>(words: readonly Word[]) =>
  z
    .enum([...words, ''])
    .optional()
    .transform((given) => words.find((known) => known === given));

const item = growing({
  sku: word,
  name: document,
  qty: quantity.optional(),
  price: money,
  rowTotal: money,
  taxAmount: money,
  discountAmount: money,
  baseUnitPrice: money,
  fulfillmentMode: text(64).optional(),
});

/** A receipt that a register sends (spec 2.14). It grows by version: unknown keys are ignored. */
export const receiptPayload = growing({
  saleId: word,
  posOrderId: word,
  terminalId: whole,
  locationId: whole,
  staffId: whole,
  staffName: word,
  terminalName: word,
  locationName: word,
  orderIncrementId: word,
  paymentMethod: word,
  subtotal: money,
  taxAmount: money,
  discountAmount: money,
  grandTotal: money,
  currency: text(3).optional(),
  createdAt: isoDate.optional(),
  receiptToken: word,
  receiptNumber: word,
  amountTendered: money,
  changeDue: money,
  items: z.array(item).max(10_000).optional(),
  rawPayload: document,
  receiptModel: document,
  saleType: kind(saleTypes),
  creditMemoId: whole,
  rmaId: whole,
  originalOrderIncrementId: word,
  shippingRefund: money,
  adjustmentPositive: money,
  adjustmentNegative: money,
  layawayKind: kind(layawayKinds),
  layawayAmountCaptured: money,
  layawayTotalPaid: money,
  layawayBalanceOwed: money,
  layawayExpiresAt: isoDate.optional(),
  splitPayments: document,
  shipToShipments: document,
  backorderShipments: document,
  appliedCredits: document,
  terminalProvider: word,
  terminalPaymentId: word,
  terminalDashboardUrl: document,
  terminalInfo: document,
  terminalRawPayload: document,
  isReverseCharge: flag.optional(),
  pointsEarned: money,
  customerName: word,
  customerEmail: word,
});

export type PostedReceipt = z.output<typeof receiptPayload>;

/** The sale's id: `pos_order_id`, or `sale_id` where that is unset (spec 2.14). */
export const saleIdOf = ({ posOrderId, saleId }: PostedReceipt) => posOrderId || saleId || undefined;

/** A receipt as stored: an empty token counts as absent, and a new one is generated. */
export function newReceipt(posted: PostedReceipt, posOrderId: string): NewReceipt {
  const { items = [], receiptToken, posOrderId: _asPosted, ...fields } = posted;
  return {
    fields: { ...given(fields), orderIncrementId: fields.orderIncrementId || null, posOrderId },
    items: items.map(given),
    receiptToken: receiptToken || undefined,
  };
}

/** Every free text of a register, with the name of its field on the wire. */
export const textsOf = ({ items = [], ...posted }: PostedReceipt): [name: string, text: string | undefined][] => [
  ['raw_payload', posted.rawPayload],
  ['receipt_model', posted.receiptModel],
  ['split_payments', posted.splitPayments],
  ['ship_to_shipments', posted.shipToShipments],
  ['backorder_shipments', posted.backorderShipments],
  ['applied_credits', posted.appliedCredits],
  ['terminal_payment_id', posted.terminalPaymentId],
  ['terminal_dashboard_url', posted.terminalDashboardUrl],
  ['terminal_info', posted.terminalInfo],
  ['terminal_raw_payload', posted.terminalRawPayload],
  ['receipt_number', posted.receiptNumber],
  ['payment_method', posted.paymentMethod],
  ['staff_name', posted.staffName],
  ['customer_name', posted.customerName],
  ...items.flatMap(({ sku, name }): [string, string | undefined][] => [
    ['items.sku', sku],
    ['items.name', name],
  ]),
];
