import type { EntityManager } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { createInvoice, saveInvoice } from '../../../db/platform/invoices/invoices.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { holdOrder } from '../../../db/platform/orders/hold-order.ts';
import { unholdOrder } from '../../../db/platform/orders/hold-order.ts';
import type { PostedOrder } from '../../../db/platform/orders/posted-order.ts';
import { updateOrder } from '../../../db/platform/update-order.ts';
import { createShipment } from '../../../db/platform/shipments/shipments.ts';
import { money, zero, pieces } from '../../../domain/money.ts';
import { orderStates } from '../../../domain/platform/order-state.ts';
import { aCancellation, aPayment } from './layaway.ts';

/** The verbs of an order, drawn at random. Each has a name, so that a failure is readable. */

export interface Sold {
  orderId: number;
  itemIds: readonly number[];
}

export interface Verb {
  name: string;
  ask: (em: EntityManager, sold: Sold) => Promise<unknown>;
}

const verb = (name: string, ask: Verb['ask']): Verb => ({ name, ask });

/** Picks a line: the lists of an order are short. */
export const lineNumber = fc.nat(2);
export const itemAt = ({ itemIds }: Sold, index: number): number => itemIds[index % itemIds.length]!;

const byHand = { adjustmentNegative: zero, returnToStockItemIds: [] };

const plain = fc.constantFrom<Verb>(
  verb('hold', (em, { orderId }) => holdOrder(em, orderId)),
  verb('unhold', (em, { orderId }) => unholdOrder(em, orderId)),
  verb('cancel', (em, { orderId }) => cancelOrder(em, orderId)),
  verb('invoice', (em, { orderId }) => createInvoice(em, { orderId })),
  verb('open an invoice', (em, { orderId }) => saveInvoice(em, { orderId })),
  verb('ship', (em, { orderId }) => createShipment(em, { orderId })),
  verb('cancel the layaway', (em, { orderId }) => cancelLayaway(em, aCancellation(orderId, 0))),
  verb('refund all by hand', (em, { orderId }) =>
    refundOrder(em, { ...byHand, orderId, items: [], adjustmentPositive: zero }),
  ),
);

const invoiceChange = fc.constantFrom(2, 3).map((state) =>
  verb(`set the last invoice to ${state}`, async (em, { orderId }) => {
    const rows = await em.execute<{ id: number }[]>(
      'select coalesce(max(entity_id), 0) as id from sales_invoice where order_id = ?',
      [orderId],
    );
    return saveInvoice(em, { entityId: rows[0]!.id, state });
  }),
);

const amounts = fc.constantFrom('0', '1', '4', '9.99', '50', '200').map(money);
const figures = fc.constantFrom(
  ...['grandTotal', 'subtotal', 'taxAmount', 'discountAmount', 'shippingAmount', 'shippingTaxAmount', 'totalPaid'],
  ...['baseGrandTotal', 'baseSubtotal', 'baseTaxAmount', 'baseShippingAmount', 'baseShippingTaxAmount'],
);
const lineFigures = fc.constantFrom('rowTotal', 'baseRowTotal', 'taxAmount', 'baseTaxAmount', 'discountAmount');

const saving = (posted: PostedOrder): Verb =>
  verb(`save ${JSON.stringify(posted)}`, (em, { orderId }) => updateOrder(em, orderId, { posted }));

const savingLine = (index: number, line: object): Verb =>
  verb(`save ${JSON.stringify(line)} of line ${index}`, (em, sold) =>
    updateOrder(em, sold.orderId, { posted: { columns: {}, lines: [{ itemId: itemAt(sold, index), ...line }] } }),
  );

const saves = fc.oneof(
  fc.constantFrom(...orderStates).map((state) => saving({ columns: { state, status: state } })),
  fc.tuple(figures, amounts).map(([name, value]) => saving({ columns: { [name]: value } })),
  fc.tuple(lineNumber, lineFigures, amounts).map(([index, name, value]) => savingLine(index, { [name]: value })),
  fc
    .tuple(lineNumber, fc.integer({ min: 1, max: 4 }))
    .map(([index, qty]) => savingLine(index, { qtyOrdered: pieces(qty), isQtyDecimal: qty > 2 })),
  fc.constantFrom(
    saving({ columns: { orderCurrencyCode: 'EUR' } }),
    saving({ columns: { baseToOrderRate: '2' } }),
    saving({ columns: {}, payment: { method: 'provider_b' } }),
    saving({ columns: {}, payment: { lastTransId: 'pay_2' } }),
  ),
);

const captures = amounts
  .filter((value) => value > 0)
  .map((value) => verb(`capture ${value}`, (em, { orderId }) => capturePayment(em, aPayment(orderId, value))));

const adjustment = fc.constantFrom('0', '5', '50');
const refundsByHand = fc.tuple(lineNumber, fc.nat(1), adjustment, adjustment).map(([index, qty, more, fee]) =>
  verb(`refund ${qty} of line ${index} by hand, ${more} more and ${fee} less`, (em, sold) =>
    refundOrder(em, {
      ...byHand,
      orderId: sold.orderId,
      items: [{ orderItemId: itemAt(sold, index), qty: pieces(qty) }],
      adjustmentPositive: money(more),
      adjustmentNegative: money(fee),
    }),
  ),
);

export const anyVerb: fc.Arbitrary<Verb> = fc.oneof(plain, invoiceChange, saves, captures, refundsByHand);
