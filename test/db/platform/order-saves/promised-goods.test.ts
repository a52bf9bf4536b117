import { expect, test } from 'vitest';
import { createOrder } from '../../../../db/platform/order-saves/create-order.ts';
import { updateOrder } from '../../../../db/platform/order-saves/update-order.ts';
import { verify } from '../../../../books/verify/verify.ts';
import { money } from '../../../../domain/money/amount.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { anOrder, aPostedOrder } from '../../../support/builders/order.ts';
import { booksOf } from '../../../support/books.ts';
import { opensAShop, now, orm, reservations } from './saved-orders.ts';

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

test.each(['canceled', 'closed'] as const)(
  'an order that a save sets to %s promises no goods any more',
  async (state) => {
    const couponCode = `SAVED-${state}`;
    const { orderId } = await anOrder(orm.em, { paid: false, shipped: false, columns: { couponCode } });
    const save = () => updateOrder(orm.em, orderId, { posted: { columns: { state, status: state } } });
    await save();
    await save();
    expect(await reservations(orderId)).toEqual([
      { sku: 'MUG', quantity: '-2.0000', event_type: 'order_placed' },
      { sku: 'MUG', quantity: '2.0000', event_type: 'order_canceled' },
    ]);
    expect(await findOne('sales_rule_usage', { code: couponCode, customer_id: 0 }, 'times_used')).toEqual({
      times_used: state === 'canceled' ? 0 : 1,
    });
  },
);

test('the books are right, whatever was done so far', async () => {
  expect(await verify(fork())).toEqual([]);
});
