import { isPositive, toWire } from '../domain/money.ts';
import type { SaleModel } from './sale-model.ts';
import type { AppliedCredit, Payment, Place } from './selling.ts';
import type { Sent } from './shapes.ts';

/** What the customer gets in the hand, in the currency that was paid. */
export function receiptOf(model: SaleModel) {
  const { saleId, place, sale, tenders, cash } = model;
  const totals = model.totals.order;
  const { lines, buyer, credits = [] } = sale;
  const parts = tenders.filter(({ amount }) => isPositive(amount.order));
  const isPlain = parts.length <= 1 && credits.length === 0 && model.layaway === undefined;
  const card = tenders.find(({ payment }) => payment.transactionId !== undefined)?.payment;
  return {
    ...issuerOf(place, saleId),
    payment_method: parts.length > 1 ? 'split' : labelOf(parts[0]?.payment, credits, tenders[0]?.payment),
    subtotal: toWire(totals.subtotal),
    tax_amount: toWire(totals.taxAmount),
    discount_amount: toWire(totals.discountAmount),
    grand_total: toWire(totals.grandTotal),
    ...(isPlain || parts.length === 0
      ? {}
      : {
          split_payments: JSON.stringify(
            parts.map(({ payment, amount }) => ({
              method: payment.label ?? payment.method,
              amount: toWire(amount.order),
              ...(payment.tendered === undefined ? {} : { amount_tendered: payment.tendered }),
              ...(payment.transactionId === undefined ? {} : { transaction_id: payment.transactionId }),
            })),
          ),
        }),
    ...(credits.length === 0 ? {} : { applied_credits: JSON.stringify(credits.map(creditOnPaper)) }),
    ...(cash === undefined ? {} : { amount_tendered: toWire(cash.tendered), change_due: toWire(cash.change) }),
    ...(card?.transactionId === undefined ? {} : { terminal_payment_id: card.transactionId }),
    ...(buyer === undefined ? {} : { customer_email: buyer.email }),
    ...layawayOf(model),
    items: lines.map(({ sku, name, qty }, at) => {
      const figures = totals.lines[at];
      return {
        ...{ sku, name, qty },
        ...(figures === undefined
          ? {}
          : {
              price: toWire(figures.price),
              row_total: toWire(figures.rowTotal),
              tax_amount: toWire(figures.taxAmount),
              discount_amount: toWire(figures.discountAmount),
            }),
      };
    }),
  } satisfies Partial<Sent<'Receipt'>>;
}

/** A payment on an order that stands already: of a layaway, or of what was due later. */
export interface LaterPayment {
  kind: 'top_up' | 'settlement' | 'credit_due';
  amount: number;
  method: string;
  /** In cash: what the customer gave. */
  tendered?: number | undefined;
  transactionId?: string | undefined;
}

/**
 * The receipt of such a payment. What is paid and owed now, and the order's number, are filled in from the answer of
 * the payment.
 */
export const receiptOfPayment = (place: Place, id: string, payment: LaterPayment, change: number | undefined) =>
  ({
    ...issuerOf(place, id),
    payment_method: payment.method,
    grand_total: payment.amount,
    layaway_kind: payment.kind,
    layaway_amount_captured: payment.amount,
    ...(payment.tendered === undefined ? {} : { amount_tendered: payment.tendered }),
    ...(change === undefined ? {} : { change_due: change }),
    ...(payment.transactionId === undefined ? {} : { terminal_payment_id: payment.transactionId }),
  }) satisfies Partial<Sent<'Receipt'>>;

/** Goods that came back, by their lines. */
export interface ReturnedLines {
  /** Names the return, and so its receipt. */
  id: string;
  method: string;
  lines: readonly { qty: number }[];
}

/**
 * The receipt of a refund. Names of goods, the order's number, the memo and what goes back by this tender are filled in
 * from the answers of the return.
 */
export const receiptOfRefund = (place: Place, { id, method, lines }: ReturnedLines) =>
  ({
    ...issuerOf(place, id),
    sale_type: 'refund',
    payment_method: method,
    grand_total: 0,
    items: lines.map(({ qty }) => ({ qty })),
  }) satisfies Partial<Sent<'Receipt'>>;

const issuerOf = (place: Place, saleId: string) => ({
  ...{ sale_id: saleId, terminal_id: place.terminalId, location_id: place.locationId },
  ...{ staff_id: place.staffId, staff_name: place.staffName, currency: place.money.currency },
});

/** A sale that credits pay as a whole is named by them. */
const labelOf = (paid: Payment | undefined, credits: readonly AppliedCredit[], given: Payment | undefined) => {
  const payment = paid ?? (credits.length === 0 ? given : undefined);
  return payment?.label ?? payment?.method ?? credits[0]?.credit_type ?? '';
};

/** A gift card can be spent by its code: the paper shows its end. */
const creditOnPaper = ({ credit_type, code, amount, points }: AppliedCredit) => ({
  type: credit_type,
  amount,
  ...(code === undefined ? {} : { code: `${'*'.repeat(4)}${code.slice(-4)}` }),
  ...(points === undefined ? {} : { points }),
});

function layawayOf({ layaway, toPay }: SaleModel): Partial<Sent<'Receipt'>> {
  if (layaway === undefined) return {};
  return {
    layaway_kind: 'deposit',
    layaway_amount_captured: toWire(toPay),
    layaway_total_paid: toWire(toPay),
    layaway_balance_owed: toWire(layaway.owed),
    ...(layaway.expiresAt === undefined ? {} : { layaway_expires_at: layaway.expiresAt.toISOString() }),
  };
}
