import { describe, expect, test } from '@jest/globals';
import { verify } from '../../../../books/verify/verify.ts';
import { createOrder } from '../../../../db/platform/place-order.ts';
import { updateOrder } from '../../../../db/platform/update-order.ts';
import { Order } from '../../../../db/platform/orders/order.entity.ts';
import type { PostedColumns, PostedOrder, PostedPayment } from '../../../../db/platform/orders/posted-order.ts';
import { money, zero, pieces } from '../../../../domain/money.ts';
import { booksOf } from '../../../support/books.ts';
import { anOrder, aPostedOrder } from '../../../support/builders/order.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { now, opensAShop, orm, reservations } from './saved-orders.ts';

describe('create order', () => {
  opensAShop();

  const { theOrder, invoicesOf, moneyInOf, commentsOf, fork, findOne, howMany } = booksOf(() => orm);

  test('an order is stored as posted, with numbers, secret and moment from the server', async () => {
    const posted = await aPostedOrder(orm.em, {
      lines: [{ sku: 'MUG', qty: 2, price: '50', tax: '8', discount: '5' }],
    });
    const { orderId, incrementId } = await createOrder(orm.em, posted, { now });

    expect(incrementId).toMatch(/^0000000\d\d$/);
    const order = await theOrder(orderId);
    expect(order).toMatchObject({
      state: 'new',
      status: 'pending',
      store_id: 1,
      store_name: 'Main Website\nDefault Store View',
      grand_total: '103.0000',
      total_paid: '0.0000',
      total_due: '103.0000',
      total_item_count: 1,
    });
    expect(order['protect_code']).toMatch(/^[0-9a-f]{32}$/);
    expect(order['created_at']).toBe('2026-11-21 09:30:00+00');
    expect(await findOne('sales_order_item', { order_id: orderId }, 'row_total', 'discount_amount')).toEqual({
      row_total: '100.0000',
      discount_amount: '5.0000',
    });
    const billing = await findOne('sales_order_address', { order_id: orderId }, 'entity_id');
    expect(order['billing_address_id']).toBe(billing.entity_id);
  });

  test('the history begins with the placement', async () => {
    const { orderId } = await anOrder(orm.em, { paid: false, shipped: false, posSaleId: 'a sale' });
    expect(await commentsOf(orderId, 'comment', 'status')).toEqual([
      { comment: 'The order was placed. Sale a sale.', status: 'pending' },
    ]);
  });

  test('what is paid at placement is money in, and an invoice does not count it again', async () => {
    const { orderId } = await anOrder(orm.em, {
      columns: { totalPaid: money('108'), baseTotalPaid: money('108') },
      shipped: false,
    });
    expect(await moneyInOf(orderId, 'kind', 'amount', 'base_amount', 'method')).toEqual([
      { kind: 'placement', amount: '108.0000', base_amount: '108.0000', method: 'checkmo' },
    ]);
    expect(await theOrder(orderId, 'total_paid', 'state')).toEqual({
      total_paid: '108.0000',
      state: 'processing',
    });
  });

  test('the second store numbers its orders on its own', async () => {
    const { incrementId } = await anOrder(orm.em, {
      storeId: 2,
      currency: 'CAD',
      rate: '1.36',
      paid: false,
      shipped: false,
    });
    expect(incrementId).toBe('2000000001');
  });

  test('an increment id that is sent is kept, and cannot be taken twice', async () => {
    const columns = { incrementId: 'REGISTER-7' };
    expect((await anOrder(orm.em, { columns, paid: false, shipped: false })).incrementId).toBe('REGISTER-7');
    await expect(anOrder(orm.em, { columns })).rejects.toMatchObject({
      status: 400,
      message: 'Unique constraint violation found',
    });
  });

  test('eight sales at once get eight numbers', async () => {
    const orders = await eightAtOnce(() => anOrder(orm.em, { paid: false, shipped: false }));
    expect(new Set(orders.map((order) => order.incrementId)).size).toBe(8);
  });

  test('an order that cannot be is refused and leaves nothing behind', async () => {
    const before = await howMany('sales_order');
    const posted = await aPostedOrder(orm.em);
    const { payment: _payment, ...unpaid } = posted;
    const columns = posted.columns;
    const tries = [
      [() => createOrder(orm.em, unpaid, { now }), { status: 400, parameters: { fieldName: 'payment' } }],
      [
        () => createOrder(orm.em, { ...posted, payment: {} }, { now }),
        { status: 400, parameters: { fieldName: 'method' } },
      ],
      [
        () => createOrder(orm.em, { ...posted, lines: [{ qtyOrdered: pieces(1) }] }, { now }),
        { status: 400, parameters: { fieldName: 'sku' } },
      ],
      [
        () => createOrder(orm.em, { ...posted, columns: { ...columns, totalPaid: money('109') } }, { now }),
        { status: 400 },
      ],
      [
        () => createOrder(orm.em, { ...posted, columns: { ...columns, baseTotalRefunded: money('1') } }, { now }),
        { status: 400 },
      ],
      [() => createOrder(orm.em, { ...posted, columns: { ...columns, storeId: 77 } }, { now }), { status: 404 }],
    ] as const;
    for (const [attempt, refusal] of tries) await expect(attempt()).rejects.toMatchObject(refusal);
    expect(await howMany('sales_order')).toEqual(before);
  });

  test('a hook that fails takes the order with it', async () => {
    const before = await howMany('sales_order');
    const hook = async () => {
      throw new Error('the linker broke');
    };
    await expect(createOrder(orm.em, await aPostedOrder(orm.em), { hooks: [hook], now })).rejects.toThrow(
      'the linker broke',
    );
    expect(await howMany('sales_order')).toEqual(before);
  });

  test('hooks run in order, in the transaction, and know the order', async () => {
    const seen: unknown[] = [];
    const { orderId } = await anOrder(orm.em, {
      posSaleId: 'sale-9',
      paid: false,
      shipped: false,
      hooks: [
        async (em, order) => {
          const { incrementId } = await em.findOneOrFail(Order, { entityId: order.orderId });
          seen.push(order.posSaleId, incrementId);
        },
        async () => {
          seen.push('second');
        },
      ],
    });
    const { increment_id } = await theOrder(orderId, 'increment_id');
    expect(seen).toEqual(['sale-9', increment_id, 'second']);
  });

  test('an order that waits for its payments and has an expiry is a layaway, with its full invoice open', async () => {
    const columns = { state: 'pending_payment' as const, posLayawayExpiresAt: new Date('2099-01-31T00:00:00Z') };
    const { orderId } = await anOrder(orm.em, { paid: false, shipped: false, columns });
    expect(await theOrder(orderId, 'pos_layaway_status', 'pos_layaway_balance_owed')).toEqual({
      pos_layaway_status: 'open',
      pos_layaway_balance_owed: '108.0000',
    });
    expect(await invoicesOf(orderId, 'state')).toEqual([{ state: 1 }]);
  });

  test('a layaway is placed with its full invoice open', async () => {
    const { orderId } = await anOrder(orm.em, { layaway: true });
    expect(
      await theOrder(orderId, 'state', 'total_paid', 'total_due', 'total_invoiced', 'pos_layaway_balance_owed'),
    ).toEqual({
      state: 'pending_payment',
      total_paid: '0.0000',
      total_due: '108.0000',
      total_invoiced: '108.0000',
      pos_layaway_balance_owed: '108.0000',
    });
    expect(await invoicesOf(orderId, 'state', 'grand_total')).toEqual([{ state: 1, grand_total: '108.0000' }]);
    expect(await findOne('sales_order_item', { order_id: orderId }, 'qty_invoiced', 'row_invoiced')).toEqual({
      qty_invoiced: '2.0000',
      row_invoiced: '100.0000',
    });
    expect(await moneyInOf(orderId)).toEqual([]);
    expect(await reservations(orderId)).toHaveLength(1);
  });

  test('a pending payment without a layaway status is not a layaway', async () => {
    const { orderId } = await anOrder(orm.em, {
      columns: { state: 'pending_payment', status: 'pending_payment' },
      paid: false,
      shipped: false,
    });
    expect(await invoicesOf(orderId)).toEqual([]);
  });

  test.each([
    ['its view’s own', 2, {}, { order_currency_code: 'CAD', base_to_order_rate: '1.360000000000' }],
    ['the base currency', 2, { orderCurrencyCode: 'USD' }, { base_to_order_rate: '1.000000000000' }],
    [
      'another one, by its totals',
      2,
      { orderCurrencyCode: 'EUR', grandTotal: money('54') },
      { base_to_order_rate: '0.500000000000' },
    ],
    [
      'one and the same, which is not the shop’s',
      1,
      { baseCurrencyCode: 'EUR', orderCurrencyCode: 'EUR' },
      { base_to_order_rate: '1.000000000000', global_currency_code: 'EUR', store_currency_code: 'EUR' },
    ],
  ])('an order that names no rate has that of its currency: %s', async (_currency, storeId, columns, expected) => {
    const posted = await unrated(columns);
    const { orderId } = await createOrder(orm.em, { ...posted, columns: { ...posted.columns, storeId } }, { now });
    expect(await theOrder(orderId)).toMatchObject(expected);
  });

  test('an order whose rate nothing tells is refused', async () => {
    const posted = await unrated({ orderCurrencyCode: 'EUR', grandTotal: zero, baseGrandTotal: zero });
    await expect(createOrder(orm.em, posted, { now })).rejects.toMatchObject({
      status: 400,
      parameters: { fieldName: 'baseToOrderRate' },
    });
  });

  /** An order that says of its currencies nothing but what is given. */
  async function unrated(given: PostedColumns): Promise<PostedOrder> {
    const posted = await aPostedOrder(orm.em);
    const {
      baseCurrencyCode: _base,
      globalCurrencyCode: _global,
      storeCurrencyCode: _store,
      orderCurrencyCode: _order,
      baseToOrderRate: _rate,
      ...columns
    } = posted.columns;
    return { ...posted, columns: { ...columns, ...given } };
  }

  test('the books are right, whatever was done so far', async () => {
    expect(await verify(fork())).toEqual([]);
  });
});

describe('promised goods', () => {
  opensAShop();

  const { fork, theOrder, findOne } = booksOf(() => orm);

  test('the goods are promised, line by line; what is not stock-managed is not', async () => {
    const { orderId } = await anOrder(orm.em, {
      paid: false,
      shipped: false,
      lines: [
        { sku: 'MUG', qty: 2, price: '50' },
        { sku: 'MUG', qty: 1, price: '45' },
        { sku: 'GIFTWRAP', qty: 1, price: '5' },
        { sku: 'NOT-IN-THE-CATALOGUE', qty: 1, price: '5' },
      ],
    });
    expect(await reservations(orderId)).toEqual([
      { sku: 'MUG', quantity: '-2.0000', event_type: 'order_placed' },
      { sku: 'MUG', quantity: '-1.0000', event_type: 'order_placed' },
    ]);
  });

  test.each(['canceled', 'closed'] as const)('an order posted as %s promises no goods', async (state) => {
    const posted = await aPostedOrder(orm.em);
    const columns = { ...posted.columns, state, status: state };
    const { orderId } = await createOrder(orm.em, { ...posted, columns }, { now });
    expect(await reservations(orderId)).toEqual([]);
  });

  test('an order posted as complete counts as handed over', async () => {
    const posted = await aPostedOrder(orm.em);
    const [line] = posted.lines!;
    const columns = { ...posted.columns, state: 'complete' as const, status: 'complete', totalPaid: money('108') };
    const lines = [{ ...line!, qtyInvoiced: pieces(2), qtyShipped: pieces(2) }];
    const { orderId } = await createOrder(orm.em, { ...posted, columns, lines }, { now });
    expect(await reservations(orderId)).toEqual([]);
    expect(await theOrder(orderId, 'state', 'status')).toEqual({
      state: 'complete',
      status: 'complete',
    });
  });

  test('an order that a save cancels promises no goods any more, and its coupon may be used again', async () => {
    const couponCode = 'SAVED-canceled';
    const { orderId } = await anOrder(orm.em, { paid: false, shipped: false, columns: { couponCode } });
    const columns = { state: 'canceled', status: 'canceled' } as const;
    const save = () => updateOrder(orm.em, orderId, { posted: { columns } });
    await save();
    await save();
    expect(await reservations(orderId)).toEqual([
      { sku: 'MUG', quantity: '-2.0000', event_type: 'order_placed' },
      { sku: 'MUG', quantity: '2.0000', event_type: 'order_canceled' },
    ]);
    expect(await findOne('sales_rule_usage', { code: couponCode, customer_id: 0 }, 'times_used')).toEqual({
      times_used: 0,
    });
  });

  test('the books are right, whatever was done so far', async () => {
    expect(await verify(fork())).toEqual([]);
  });
});

describe('update order', () => {
  opensAShop();

  const { fork, moneyInOf, theOrder, addressesOf, findOne } = booksOf(() => orm);

  const sold = () => anOrder(orm.em, { paid: false, shipped: false });

  test('a change leaves what it does not name, twice the same', async () => {
    const { orderId, incrementId, itemIds } = await sold();
    const posted = {
      columns: { status: 'my_own', customerNote: 'Left at the till', incrementId: 'OTHER' },
      lines: [{ itemId: itemIds[0], description: 'blue' }],
      payment: { poNumber: '77' },
      shippingAddress: { city: 'Utica' },
    };
    for (const _time of [1, 2]) await updateOrder(orm.em, orderId, { posted });
    expect(await theOrder(orderId, 'increment_id', 'status', 'state', 'customer_note', 'grand_total')).toEqual({
      increment_id: incrementId,
      status: 'my_own',
      state: 'new',
      customer_note: 'Left at the till',
      grand_total: '108.0000',
    });
    expect(await findOne('sales_order_item', { order_id: orderId }, 'description', 'sku')).toEqual({
      description: 'blue',
      sku: 'MUG',
    });
    expect(await findOne('sales_order_payment', { order_id: orderId }, 'po_number', 'method')).toEqual({
      po_number: '77',
      method: 'checkmo',
    });
    expect(await addressesOf(orderId, 'address_type', 'city')).toEqual([
      { address_type: 'billing', city: 'Troy' },
      { address_type: 'shipping', city: 'Utica' },
    ]);
  });

  test('paying more by a save is money in; paying less is refused', async () => {
    const { orderId } = await sold();
    const pay = (amount: string) => updateOrder(orm.em, orderId, { posted: { columns: { totalPaid: money(amount) } } });
    await pay('40');
    await pay('40');
    await pay('108');
    await expect(pay('107')).rejects.toMatchObject({
      status: 400,
      message: 'What an order has been paid cannot be lowered.',
    });
    await expect(pay('108.01')).rejects.toMatchObject({ status: 400 });
    expect(await moneyInOf(orderId, 'amount', 'base_amount')).toEqual([
      { amount: '40.0000', base_amount: '40.0000' },
      { amount: '68.0000', base_amount: '68.0000' },
    ]);
  });

  test('what is paid by a save is paid in the payment as well', async () => {
    const { orderId } = await sold();
    const paid = () => findOne('sales_order_payment', { order_id: orderId }, 'amount_paid', 'base_amount_paid');
    await updateOrder(orm.em, orderId, { posted: { columns: { totalPaid: money('40') } } });
    expect(await paid()).toEqual({ amount_paid: '40.0000', base_amount_paid: '40.0000' });
    await updateOrder(orm.em, orderId, { posted: { columns: {}, payment: { amountPaid: money('108') } } });
    expect(await paid()).toEqual({ amount_paid: '40.0000', base_amount_paid: '40.0000' });
  });

  test('a save cannot overwrite what the payment gave back and took in', async () => {
    const { orderId } = await anOrder(orm.em, { shipping: '5' });
    const save = (payment: PostedPayment) => updateOrder(orm.em, orderId, { posted: { columns: {}, payment } });
    await save({ amountRefunded: zero, shippingCaptured: money('5'), poNumber: 'P-7' });
    for (const name of ['amountRefunded', 'shippingRefunded', 'shippingCaptured', 'baseAmountRefunded'])
      await expect(save({ [name]: money('3') })).rejects.toMatchObject({
        status: 400,
        parameters: { fieldName: name, value: '3.0000' },
      });
  });

  test('of a line’s totals each is changed that is not the one an answer shows', async () => {
    const line = { sku: 'MUG', qty: 2, price: '50', tax: '8', discount: '10' };
    const { orderId, itemIds } = await anOrder(orm.em, { lines: [line], paid: false, shipped: false });
    const save = (totals: object) =>
      updateOrder(orm.em, orderId, { posted: { columns: {}, lines: [{ itemId: itemIds[0], ...totals }] } });
    const kept = () =>
      findOne(
        ...(['sales_order_item', { order_id: orderId }, 'row_total', 'base_row_total'] as const),
        ...(['row_total_incl_tax', 'base_row_total_incl_tax'] as const),
      );
    const asSold = await kept();
    const shown = { rowTotal: money('90'), baseRowTotal: money('90') };
    await save({ ...shown, rowTotalInclTax: money('98'), baseRowTotalInclTax: money('98') });
    expect(await kept()).toEqual(asSold);
    await save({ ...shown, baseRowTotal: money('96'), rowTotalInclTax: money('107') });
    expect(await kept()).toEqual({ ...asSold, base_row_total: '96.0000', row_total_incl_tax: '107.0000' });
  });

  test('a line without a discount takes new totals that come with its old one', async () => {
    const { orderId, itemIds } = await sold();
    const totals = { rowTotal: money('100'), baseRowTotal: money('99'), rowTotalInclTax: money('107') };
    await updateOrder(orm.em, orderId, { posted: { columns: {}, lines: [{ itemId: itemIds[0], ...totals }] } });
    expect(
      await findOne('sales_order_item', { order_id: orderId }, 'row_total', 'base_row_total', 'row_total_incl_tax'),
    ).toEqual({ row_total: '100.0000', base_row_total: '99.0000', row_total_incl_tax: '107.0000' });
  });

  test('a save cannot overwrite what documents booked', async () => {
    const { orderId, itemIds } = await anOrder(orm.em);
    const save = (columns: object, line: object = {}) =>
      updateOrder(orm.em, orderId, { posted: { columns, lines: [{ itemId: itemIds[0], ...line }] } });
    await save({ totalInvoiced: money('108'), totalRefunded: zero }, { qtyInvoiced: pieces(2) });
    await expect(save({ totalInvoiced: money('1') })).rejects.toMatchObject({
      status: 400,
      parameters: { fieldName: 'totalInvoiced', value: '1.0000' },
    });
    await expect(save({}, { qtyShipped: pieces(1) })).rejects.toMatchObject({ status: 400 });
  });

  test('a change of what is not there is refused', async () => {
    const { orderId } = await sold();
    await expect(updateOrder(orm.em, 999_999, { posted: { columns: {} } })).rejects.toMatchObject({ status: 404 });
    await expect(
      updateOrder(orm.em, orderId, { posted: { columns: {}, lines: [{ itemId: 999_999 }] } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test('the books are right, whatever was done so far', async () => {
    expect(await verify(fork())).toEqual([]);
  });
});
