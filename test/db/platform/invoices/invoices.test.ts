import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { mirrorLayaway } from '../../../../db/layaways/mirror-layaway.ts';
import { createInvoice } from '../../../../db/platform/invoices/create-invoice.ts';
import { withInvoice } from '../../../../db/platform/invoices/lock-invoice.ts';
import { payInvoice } from '../../../../db/platform/invoices/pay-invoice.ts';
import { saveInvoice } from '../../../../db/platform/invoices/save-invoice.ts';
import { takeInvoiceBack } from '../../../../db/platform/invoices/take-invoice-back.ts';
import { cancelOrder } from '../../../../db/platform/orders/cancel-order.ts';
import { holdOrder } from '../../../../db/platform/orders/hold-order.ts';
import { unholdOrder } from '../../../../db/platform/orders/unhold-order.ts';
import { updateOrder } from '../../../../db/platform/order-saves/update-order.ts';
import { createShipment } from '../../../../db/platform/shipments/create-shipment.ts';
import { verify } from '../../../../books/verify/verify.ts';
import { money } from '../../../../domain/money/amount.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { testDatabase } from '../../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(orm.em.fork());
});
afterAll(() => orm.close());

const rows = <Row extends object>(sql: string, parameters: unknown[] = []) =>
  orm.em.fork().execute<Row[]>(sql, parameters);
const one = async <Row extends object>(sql: string, parameters: unknown[] = []) =>
  (await rows<Row>(sql, parameters))[0]!;
const orderRow = (orderId: number) =>
  one<Record<string, unknown>>('select * from sales_order where entity_id = ?', [orderId]);
const moneyIn = (orderId: number) =>
  rows('select kind, reference, amount from sales_money_in where order_id = ? order by money_in_id', [orderId]);
const openInvoiceOf = async (orderId: number) =>
  (await one<{ entity_id: number }>('select entity_id from sales_invoice where order_id = ?', [orderId])).entity_id;

const placed = (wanted: WantedOrder = {}) => anOrder(orm.em, { paid: false, shipped: false, ...wanted });
const capture = (orderId: number, amount: string) =>
  updateOrder(orm.em, orderId, { posted: { columns: { totalPaid: money(amount) } }, hooks: [mirrorLayaway] });
const cancelInvoice = (invoiceId: number) =>
  withInvoice(orm.em, invoiceId, (tx, { order, invoice }) => takeInvoiceBack(tx, order, invoice));

/** How many of so many attempts at once were carried out, and what the others were told. */
async function eightAtOnce(attempt: () => Promise<unknown>) {
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, attempt));
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as { status: number }] : [],
  );
  expect(refusals.every((refusal) => refusal.status === 400)).toBe(true);
  return 8 - refusals.length;
}

test('an invoice is paid at once and written into every register', async () => {
  const { orderId } = await placed({
    lines: [{ sku: 'MUG', qty: 2, price: '50', tax: '8', discount: '5' }],
    shipping: '5',
    shippingTax: '0.40',
    lastTransId: 'T-1',
  });
  const invoiceId = await createInvoice(orm.em, { orderId, comment: { comment: 'thanks', isVisibleOnFront: true } });

  expect(await one('select * from sales_invoice where entity_id = ?', [invoiceId])).toMatchObject({
    state: 2,
    subtotal: '100.0000',
    discount_amount: '-5.0000',
    shipping_amount: '5.0000',
    tax_amount: '8.4000',
    grand_total: '108.4000',
    base_grand_total: '108.4000',
    total_qty: '2.0000',
    transaction_id: 'T-1',
  });
  expect(await orderRow(orderId)).toMatchObject({
    state: 'processing',
    status: 'processing',
    total_invoiced: '108.4000',
    subtotal_invoiced: '100.0000',
    tax_invoiced: '8.4000',
    shipping_invoiced: '5.0000',
    discount_invoiced: '-5.0000',
    base_discount_invoiced: '-5.0000',
    total_paid: '108.4000',
    base_total_paid: '108.4000',
    total_due: '0.0000',
  });
  expect(await one('select * from sales_order_item where order_id = ?', [orderId])).toMatchObject({
    qty_invoiced: '2.0000',
    row_invoiced: '100.0000',
    tax_invoiced: '8.0000',
    discount_invoiced: '5.0000',
  });
  expect(
    await one('select amount_paid, shipping_captured from sales_order_payment where order_id = ?', [orderId]),
  ).toEqual({
    amount_paid: '108.4000',
    shipping_captured: '5.0000',
  });
  expect(await moneyIn(orderId)).toEqual([expect.objectContaining({ kind: 'invoice', amount: '108.4000' })]);
  expect(
    await rows(
      `select comment, is_visible_on_front from sales_document_comment where document = 'invoice' and parent_id = ?`,
      [invoiceId],
    ),
  ).toEqual([{ comment: 'thanks', is_visible_on_front: 1 }]);
});

test('an order in another currency keeps both sets of figures', async () => {
  const { orderId } = await placed({ storeId: 2, currency: 'CAD', rate: '1.36' });
  await createInvoice(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({
    total_paid: '146.8800',
    base_total_paid: '108.0000',
    total_invoiced: '146.8800',
    base_total_invoiced: '108.0000',
  });
  expect(await one('select amount, base_amount from sales_money_in where order_id = ?', [orderId])).toEqual({
    amount: '146.8800',
    base_amount: '108.0000',
  });
});

test('invoices of parts add up to the order', async () => {
  const { orderId, itemIds } = await placed({
    lines: [{ sku: 'PLATE', qty: 3, price: '33.33', tax: '10' }],
    shipping: '5',
  });
  const part = [{ orderItemId: itemIds[0]!, qty: pieces(1) }];
  await createInvoice(orm.em, { orderId, items: part });
  expect(await orderRow(orderId)).toMatchObject({ total_paid: '41.6600', total_due: '73.3300', state: 'processing' });
  await createInvoice(orm.em, { orderId, items: part });
  await createInvoice(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({
    total_paid: '114.9900',
    total_due: '0.0000',
    total_invoiced: '114.9900',
  });
  expect((await moneyIn(orderId)).map((row) => Reflect.get(row, 'amount'))).toEqual(['41.6600', '36.6700', '36.6600']);
});

test('of eight invoices of one order at once, one is made', async () => {
  const { orderId } = await placed();
  expect(await eightAtOnce(() => createInvoice(orm.em, { orderId }))).toBe(1);
  expect(await rows('select 1 from sales_invoice where order_id = ?', [orderId])).toHaveLength(1);
  expect(await moneyIn(orderId)).toHaveLength(1);
  expect(await orderRow(orderId)).toMatchObject({ total_paid: '108.0000', total_invoiced: '108.0000' });
});

test('an order that may not be invoiced says why, line by line', async () => {
  const { orderId } = await anOrder(orm.em);
  await expect(createInvoice(orm.em, { orderId })).rejects.toMatchObject({
    status: 400,
    message: [
      'Invoice Document Validation Error(s):',
      "The invoice can't be created without products. Add products and try again.",
      'An invoice cannot be created when an order has a status of complete',
    ].join('\n'),
  });
  await expect(createInvoice(orm.em, { orderId: 999_999 })).rejects.toMatchObject({ status: 404 });
});

test('too many of a line is refused by its name', async () => {
  const { orderId, itemIds } = await placed();
  await expect(
    createInvoice(orm.em, { orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(3) }] }),
  ).rejects.toMatchObject({
    status: 400,
    message: 'We found an invalid quantity to invoice item "%1".',
    parameters: ['Mug'],
  });
});

test('an invoice never asks for more than the order is worth, whatever its lines say', async () => {
  const { orderId } = await placed({ columns: { grandTotal: money('100'), baseGrandTotal: money('100') } });
  await createInvoice(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({ total_paid: '100.0000', total_invoiced: '100.0000' });
});

test('virtual goods are no longer promised once invoiced, and complete the order', async () => {
  await orm.em.fork().execute(`update product set manage_stock = true where sku = 'GIFTWRAP'`);
  const { orderId } = await placed({ lines: [{ sku: 'GIFTWRAP', qty: 2, price: '5' }] });
  await createInvoice(orm.em, { orderId });
  expect(
    await rows('select quantity, event_type from inventory_reservation where order_id = ? order by reservation_id', [
      orderId,
    ]),
  ).toEqual([
    { quantity: '-2.0000', event_type: 'order_placed' },
    { quantity: '2.0000', event_type: 'invoice_created' },
  ]);
  expect(await orderRow(orderId)).toMatchObject({ state: 'complete', status: 'complete', is_virtual: true });
});

test('a layaway is settled by paying its open invoice, once it owes nothing', async () => {
  const { orderId } = await anOrder(orm.em, { layaway: true });
  await capture(orderId, '40');
  await capture(orderId, '108');
  const invoiceId = await openInvoiceOf(orderId);
  expect(await eightAtOnce(() => payInvoice(orm.em, invoiceId))).toBe(1);

  expect(await orderRow(orderId)).toMatchObject({
    state: 'processing',
    total_paid: '108.0000',
    total_due: '0.0000',
    pos_layaway_status: 'ready_to_settle',
    pos_layaway_balance_owed: '0.0000',
  });
  expect((await moneyIn(orderId)).map((row) => Reflect.get(row, 'amount'))).toEqual(['40.0000', '68.0000']);
  await createShipment(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({ state: 'complete' });
});

test('a layaway paid in full is settled without a cent of money in', async () => {
  const { orderId } = await anOrder(orm.em, { layaway: true });
  await capture(orderId, '108');
  await payInvoice(orm.em, await openInvoiceOf(orderId));
  expect(await moneyIn(orderId)).toHaveLength(1);
  expect(await orderRow(orderId)).toMatchObject({ state: 'processing', total_paid: '108.0000' });
});

test('a layaway that is handed over before it is settled stays a layaway', async () => {
  const { orderId } = await anOrder(orm.em, { layaway: true });
  await createShipment(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({ state: 'pending_payment' });
  await capture(orderId, '108');
  await payInvoice(orm.em, await openInvoiceOf(orderId));
  expect(await orderRow(orderId)).toMatchObject({ state: 'complete' });
});

test('a layaway whose invoice is paid while it is held goes on as one that is settled', async () => {
  const { orderId } = await anOrder(orm.em, { layaway: true });
  await capture(orderId, '108');
  await holdOrder(orm.em, orderId);
  await payInvoice(orm.em, await openInvoiceOf(orderId));
  expect(await orderRow(orderId)).toMatchObject({
    state: 'holded',
    status: 'holded',
    pos_layaway_status: 'ready_to_settle',
    pos_layaway_balance_owed: '0.0000',
  });
  await unholdOrder(orm.em, orderId);
  expect(await orderRow(orderId)).toMatchObject({ state: 'processing', status: 'processing', hold_before_state: null });
  await createShipment(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({ state: 'complete' });
});

test('an order that is paid for while it is held is complete when the hold ends', async () => {
  const columns = { state: 'processing', status: 'processing', posCreditDue: money('108') } as const;
  const { orderId } = await placed({ columns });
  await createShipment(orm.em, { orderId });
  await holdOrder(orm.em, orderId);
  await payInvoice(orm.em, await openInvoiceOf(orderId));
  expect(await orderRow(orderId)).toMatchObject({ state: 'holded' });
  await unholdOrder(orm.em, orderId);
  expect(await orderRow(orderId)).toMatchObject({ state: 'complete', status: 'complete' });
});

test('a paid or cancelled invoice cannot be captured', async () => {
  const { invoiceId } = await anOrder(orm.em);
  const refusal = { status: 400, message: 'The capture action is not available.' };
  await expect(payInvoice(orm.em, invoiceId!)).rejects.toMatchObject(refusal);
  const { orderId } = await anOrder(orm.em, { layaway: true });
  const open = await openInvoiceOf(orderId);
  await cancelInvoice(open);
  await expect(payInvoice(orm.em, open)).rejects.toMatchObject(refusal);
  await expect(payInvoice(orm.em, 999_999)).rejects.toMatchObject({ status: 404 });
});

test('a cancelled invoice is out of every register, and its order can be cancelled then', async () => {
  const { orderId } = await anOrder(orm.em, { layaway: true });
  await capture(orderId, '40');
  expect(await cancelOrder(orm.em, orderId)).toBe(false);
  expect(await eightAtOnce(async () => cancelInvoice(await openInvoiceOf(orderId)))).toBe(1);

  expect(await orderRow(orderId)).toMatchObject({
    state: 'processing',
    total_invoiced: '0.0000',
    subtotal_invoiced: '0.0000',
    tax_invoiced: '0.0000',
    total_paid: '40.0000',
  });
  expect(
    await one('select qty_invoiced, row_invoiced, tax_invoiced from sales_order_item where order_id = ?', [orderId]),
  ).toEqual({
    qty_invoiced: '0.0000',
    row_invoiced: '0.0000',
    tax_invoiced: '0.0000',
  });
  expect(await cancelOrder(orm.em, orderId)).toBe(true);
  expect(await orderRow(orderId)).toMatchObject({ state: 'canceled', total_canceled: '68.0000' });
});

test('saving an invoice: state 2 pays, 3 cancels, the same again changes nothing', async () => {
  const { orderId } = await anOrder(orm.em, { layaway: true });
  const entityId = await openInvoiceOf(orderId);
  await capture(orderId, '108');
  for (const state of [undefined, 1, 2, 2]) expect(await saveInvoice(orm.em, { entityId, state })).toBe(entityId);
  expect(await orderRow(orderId)).toMatchObject({ state: 'processing', total_paid: '108.0000' });
  for (const state of [1, 3, 9]) {
    await expect(saveInvoice(orm.em, { entityId, state })).rejects.toMatchObject({ status: 400 });
  }
  const other = await anOrder(orm.em, { layaway: true });
  await saveInvoice(orm.em, { entityId: await openInvoiceOf(other.orderId), state: 3 });
  expect(await orderRow(other.orderId)).toMatchObject({ state: 'processing', total_invoiced: '0.0000' });
});

test.each<[string, string | null, string, string | null]>([
  ['new', null, 'processing', null],
  ['processing', null, 'processing', null],
  ['holded', 'new', 'holded', 'processing'],
  ['payment_review', null, 'payment_review', null],
  ['closed', null, 'closed', null],
  ['canceled', null, 'canceled', null],
])(
  'an order that is %s (before: %s) is %s after its open invoice was cancelled',
  async (state, before, after, goesOnAs) => {
    const { orderId } = await placed();
    const entityId = await saveInvoice(orm.em, { orderId });
    const columns = { state: state as 'new', ...(before === null ? {} : { holdBeforeState: before }) };
    await updateOrder(orm.em, orderId, { posted: { columns } });
    await saveInvoice(orm.em, { entityId, state: 3 });
    expect(
      await one('select state, hold_before_state, total_invoiced from sales_order where entity_id = ?', [orderId]),
    ).toEqual({ state: after, hold_before_state: goesOnAs, total_invoiced: '0.0000' });
  },
);

test('saving a new invoice opens it, or pays it with state 2', async () => {
  const { orderId } = await placed();
  const invoiceId = await saveInvoice(orm.em, { orderId });
  expect(await one('select state, grand_total from sales_invoice where entity_id = ?', [invoiceId])).toEqual({
    state: 1,
    grand_total: '108.0000',
  });
  expect(await orderRow(orderId)).toMatchObject({ state: 'new', total_paid: '0.0000', total_invoiced: '108.0000' });

  const paid = await placed();
  await saveInvoice(orm.em, { orderId: paid.orderId, state: 2 });
  expect(await orderRow(paid.orderId)).toMatchObject({ state: 'processing', total_paid: '108.0000' });
  await expect(saveInvoice(orm.em, {})).rejects.toMatchObject({ status: 400, parameters: { fieldName: 'orderId' } });
  await expect(saveInvoice(orm.em, { orderId, state: 3 })).rejects.toMatchObject({ status: 400 });
});

test('a new order whose open invoice is paid waits for nothing but the goods', async () => {
  const { orderId } = await placed();
  await payInvoice(orm.em, await saveInvoice(orm.em, { orderId }));
  await createShipment(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({ state: 'complete' });
});

test.each([
  ['paid', (entityId: number) => payInvoice(orm.em, entityId)],
  ['saved as paid', (entityId: number) => saveInvoice(orm.em, { entityId, state: 2 })],
])('virtual goods on an open invoice are promised until it is %s', async (_how, pay) => {
  await orm.em.fork().execute(`update product set manage_stock = true where sku = 'GIFTWRAP'`);
  const { orderId } = await placed({ lines: [{ sku: 'GIFTWRAP', qty: 2, price: '5' }] });
  const promised = () =>
    one('select sum(quantity)::int as promised from inventory_reservation where order_id = ?', [orderId]);
  const invoiceId = await saveInvoice(orm.em, { orderId });
  expect(await promised()).toEqual({ promised: -2 });

  await pay(invoiceId);

  expect(await promised()).toEqual({ promised: 0 });
  expect(await orderRow(orderId)).toMatchObject({ state: 'complete' });
});

test('an open invoice keeps a shipped order in processing until it is paid', async () => {
  const { orderId } = await placed();
  await createShipment(orm.em, { orderId });
  const invoiceId = await saveInvoice(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({ state: 'processing' });
  await updateOrder(orm.em, orderId, { posted: { columns: { customerNote: 'saved again' } } });
  expect(await orderRow(orderId)).toMatchObject({ state: 'processing' });
  await payInvoice(orm.em, invoiceId);
  expect(await orderRow(orderId)).toMatchObject({ state: 'complete' });
});

test('captures and the settlement of a layaway, all at once, never overpay it', async () => {
  const { orderId } = await anOrder(orm.em, { layaway: true });
  const invoiceId = await openInvoiceOf(orderId);
  await Promise.allSettled([
    ...[20, 40, 60, 108].map((amount) => capture(orderId, String(amount))),
    payInvoice(orm.em, invoiceId),
    payInvoice(orm.em, invoiceId),
  ]);
  // Whoever came before the last payment was refused.
  await payInvoice(orm.em, invoiceId).catch(() => undefined);
  expect(await orderRow(orderId)).toMatchObject({ total_paid: '108.0000', state: 'processing' });
  expect(await one('select sum(amount)::text as sum from sales_money_in where order_id = ?', [orderId])).toEqual({
    sum: '108.0000',
  });
});

test('the books are right, whatever was done so far', async () => {
  expect(await verify(orm.em.fork())).toEqual([]);
});
