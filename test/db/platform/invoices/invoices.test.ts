import { describe, expect, test } from '@jest/globals';
import { verify } from '../../../../books/verify/verify.ts';
import { mirrorLayaway } from '../../../../db/layaways/read-layaway.ts';
import { refundOrder } from '../../../../db/platform/credit-memos/refund-invoice.ts';
import { createInvoice, payInvoice, saveInvoice } from '../../../../db/platform/invoices/invoices.ts';
import { withInvoice, takeInvoiceBack } from '../../../../db/platform/invoices/invoice.repository.ts';
import { updateOrder } from '../../../../db/platform/update-order.ts';
import { cancelOrder } from '../../../../db/platform/orders/cancel-order.ts';
import { holdOrder } from '../../../../db/platform/orders/hold-order.ts';
import { unholdOrder } from '../../../../db/platform/orders/hold-order.ts';
import { createShipment } from '../../../../db/platform/shipments/shipments.ts';
import { money, zero, pieces } from '../../../../domain/money.ts';
import { booksOf } from '../../../support/books.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { carriedOutOfEight, moneyIn, opensAShop, orderRow, orm, placed } from './invoiced-orders.ts';

describe('invoices', () => {
  opensAShop();

  const { invoicesOf, promisesOf, fork, change, theInvoice, find, findOne } = booksOf(() => orm);

  test('an invoice is paid at once and written into every register', async () => {
    const { orderId } = await placed({
      lines: [{ sku: 'MUG', qty: 2, price: '50', tax: '8', discount: '5' }],
      shipping: '5',
      shippingTax: '0.40',
      lastTransId: 'T-1',
    });
    const invoiceId = await createInvoice(orm.em, { orderId, comment: { comment: 'thanks', isVisibleOnFront: true } });

    expect(await theInvoice(invoiceId)).toMatchObject({
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
    expect(await findOne('sales_order_item', { order_id: orderId })).toMatchObject({
      qty_invoiced: '2.0000',
      row_invoiced: '100.0000',
      tax_invoiced: '8.0000',
      discount_invoiced: '5.0000',
    });
    expect(await findOne('sales_order_payment', { order_id: orderId }, 'amount_paid', 'shipping_captured')).toEqual({
      amount_paid: '108.4000',
      shipping_captured: '5.0000',
    });
    expect(await moneyIn(orderId)).toEqual([expect.objectContaining({ kind: 'invoice', amount: '108.4000' })]);
    expect(
      await find(
        'sales_document_comment',
        { document: 'invoice', parent_id: invoiceId },
        'comment',
        'is_visible_on_front',
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
    expect(await findOne('sales_money_in', { order_id: orderId }, 'amount', 'base_amount')).toEqual({
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
    expect((await moneyIn(orderId)).map((row) => Reflect.get(row, 'amount'))).toEqual([
      '41.6600',
      '36.6700',
      '36.6600',
    ]);
  });

  test('of eight invoices of one order at once, one is made', async () => {
    const { orderId } = await placed();
    expect(await carriedOutOfEight(() => createInvoice(orm.em, { orderId }))).toBe(1);
    expect(await invoicesOf(orderId)).toHaveLength(1);
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
    await change('product', { sku: 'GIFTWRAP' }, { manage_stock: true });
    const { orderId } = await placed({ lines: [{ sku: 'GIFTWRAP', qty: 2, price: '5' }] });
    await createInvoice(orm.em, { orderId });
    expect(await promisesOf(orderId, 'quantity', 'event_type')).toEqual([
      { quantity: '-2.0000', event_type: 'order_placed' },
      { quantity: '2.0000', event_type: 'invoice_created' },
    ]);
    expect(await orderRow(orderId)).toMatchObject({ state: 'complete', status: 'complete', is_virtual: true });
  });

  test('the books are right, whatever was done so far', async () => {
    expect(await verify(fork())).toEqual([]);
  });
});

describe('open invoices and states', () => {
  opensAShop();

  const { promised, change } = booksOf(() => orm);
  const onePiece = (items: readonly { itemId: number }[]) =>
    items.map(({ itemId }) => ({ orderItemId: itemId, qty: pieces(1) }));
  /** Gives a piece of each line back. */
  const giveBack = (orderId: number, items: readonly { itemId: number }[]) =>
    refundOrder(orm.em, {
      orderId,
      items: onePiece(items),
      adjustmentPositive: zero,
      adjustmentNegative: zero,
      returnToStockItemIds: [],
    });

  test('an order whose paid part was given back still takes the money of its open invoice', async () => {
    const { orderId, items } = await placed();
    await createInvoice(orm.em, { orderId, items: onePiece(items) });
    await createShipment(orm.em, { orderId });
    const openId = await saveInvoice(orm.em, { orderId });
    await giveBack(orderId, items);
    expect(await orderRow(orderId)).toMatchObject({
      state: 'processing',
      total_paid: '54.0000',
      total_refunded: '54.0000',
    });

    await payInvoice(orm.em, openId);

    expect(await orderRow(orderId)).toMatchObject({ state: 'complete', total_paid: '108.0000', total_due: '0.0000' });
  });

  test('virtual goods of an open invoice stay promised when the paid part is given back, and until it is paid', async () => {
    await change('product', { sku: 'GIFTWRAP' }, { manage_stock: true });
    const { orderId, items } = await placed({ lines: [{ sku: 'GIFTWRAP', qty: 4, price: '5', isVirtual: true }] });
    await createInvoice(orm.em, { orderId, items: onePiece(items) });
    const openId = await saveInvoice(orm.em, { orderId });
    await giveBack(orderId, items);
    expect([(await orderRow(orderId))['state'], await promised(orderId)]).toEqual(['processing', -3]);

    await payInvoice(orm.em, openId);

    expect([(await orderRow(orderId))['state'], await promised(orderId)]).toEqual(['complete', 0]);
  });

  test('an order that costs nothing and was handed over is complete with its invoice, open as it is', async () => {
    const { orderId } = await placed({ lines: [{ sku: 'MUG', qty: 1, price: '0' }] });
    await createShipment(orm.em, { orderId });
    expect(await orderRow(orderId)).toMatchObject({ state: 'processing' });
    await saveInvoice(orm.em, { orderId });
    expect(await orderRow(orderId)).toMatchObject({ state: 'complete' });
  });
});

describe('open invoices', () => {
  opensAShop();

  const { promised, fork, change, theOrder, theInvoice, findOne } = booksOf(() => orm);
  const openInvoiceOf = async (orderId: number) =>
    (await findOne('sales_invoice', { order_id: orderId }, 'entity_id')).entity_id;
  const capture = (orderId: number, amount: string) =>
    updateOrder(orm.em, orderId, { posted: { columns: { totalPaid: money(amount) } }, hooks: [mirrorLayaway] });
  const cancelInvoice = (invoiceId: number) =>
    withInvoice(orm.em, invoiceId, (tx, { order, invoice }) => takeInvoiceBack(tx, order, invoice));

  test('a layaway is settled by paying its open invoice, once it owes nothing', async () => {
    const { orderId } = await anOrder(orm.em, { layaway: true });
    await capture(orderId, '40');
    await capture(orderId, '108');
    const invoiceId = await openInvoiceOf(orderId);
    expect(await carriedOutOfEight(() => payInvoice(orm.em, invoiceId))).toBe(1);

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
    expect(await orderRow(orderId)).toMatchObject({
      state: 'processing',
      status: 'processing',
      hold_before_state: null,
    });
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
    expect(await carriedOutOfEight(async () => cancelInvoice(await openInvoiceOf(orderId)))).toBe(1);

    expect(await orderRow(orderId)).toMatchObject({
      state: 'processing',
      total_invoiced: '0.0000',
      subtotal_invoiced: '0.0000',
      tax_invoiced: '0.0000',
      total_paid: '40.0000',
    });
    expect(
      await findOne('sales_order_item', { order_id: orderId }, 'qty_invoiced', 'row_invoiced', 'tax_invoiced'),
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
      // As orders are that came here from elsewhere: no save and no verb leads to each of these states.
      await change('sales_order', { entity_id: orderId }, { state, hold_before_state: before });
      await saveInvoice(orm.em, { entityId, state: 3 });
      expect(await theOrder(orderId, 'state', 'hold_before_state', 'total_invoiced')).toEqual({
        state: after,
        hold_before_state: goesOnAs,
        total_invoiced: '0.0000',
      });
    },
  );

  test('saving a new invoice opens it, or pays it with state 2', async () => {
    const { orderId } = await placed();
    const invoiceId = await saveInvoice(orm.em, { orderId });
    expect(await theInvoice(invoiceId, 'state', 'grand_total')).toEqual({
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
    await change('product', { sku: 'GIFTWRAP' }, { manage_stock: true });
    const { orderId } = await placed({ lines: [{ sku: 'GIFTWRAP', qty: 2, price: '5' }] });
    const invoiceId = await saveInvoice(orm.em, { orderId });
    expect(await promised(orderId)).toBe(-2);

    await pay(invoiceId);

    expect(await promised(orderId)).toBe(0);
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
    // A settlement that came before the last payment was refused.
    await payInvoice(orm.em, invoiceId).catch(() => undefined);
    expect(await orderRow(orderId)).toMatchObject({ total_paid: '108.0000', state: 'processing' });
    const taken = await moneyIn(orderId);
    expect(taken.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(108);
  });

  test('the books are right, whatever was done so far', async () => {
    expect(await verify(fork())).toEqual([]);
  });
});
