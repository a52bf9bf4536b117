import { beforeAll, describe, expect, test } from '@jest/globals';
import { booksOf } from '../../support/books.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { useApi } from '../../support/fixtures.ts';

const api = useApi();
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(fork()));
});
const { fork, find } = booksOf(() => api.orm);
const post = (path: string, body: object) => api.call('POST', path, { token: api.tokens.admin, body });

/** Two mugs for 216 dollars, which are 32,400 yen. */
const inYen: WantedOrder = { currency: 'JPY', rate: '150', step: 10_000 };
const refused = { status: 400, body: { message: 'The amount %1 cannot be booked: %2 has %3 decimals.' } };
const nothingBooked = async (orderId: number) => {
  expect(await find('sales_creditmemo', { order_id: orderId })).toEqual([]);
};

describe.each([
  ['half a yen', inYen, 0.5, 'JPY'],
  ['a yen and a tenth', inYen, 1.1, 'JPY'],
  ['half a cent', {}, 0.005, 'USD'],
  ['a cent and a tenth', {}, 0.011, 'USD'],
])('%s', (_what, order: WantedOrder, amount, currency) => {
  test('is no payment of a layaway', async () => {
    const { orderId } = await anOrder(fork(), { ...order, layaway: true });
    const answer = await post(`/V1/pos/layaways/${orderId}/payments`, { amount, paymentMethod: 'cash' });
    expect(answer).toMatchObject(refused);
    expect(answer.body.parameters).toEqual([String(amount), currency, currency === 'JPY' ? 0 : 2]);
    expect(await find('sales_money_in', { order_id: orderId })).toEqual([]);
  });

  test.each(['adjustmentPositive', 'adjustmentNegative', 'shippingAmount'])('is no %s of a refund', async (name) => {
    const { orderId, itemIds } = await anOrder(fork(), order);
    const items = JSON.stringify([{ order_item_id: itemIds[0], qty: 1 }]);
    expect(await post('/V1/pos/refunds/preview', { orderId, items, [name]: amount })).toMatchObject(refused);
    const rma = await aReturn(api.orm, { locationId, refundMethod: 'cash', order });
    expect(await post(`/V1/pos/rma/${rma.returnId}/settle`, { method: 'cash', [name]: amount })).toMatchObject(refused);
    expect(await find('sale_return_comment', { return_id: rma.returnId })).toEqual([]);
    await nothingBooked(rma.orderId);
  });

  test('is no refund to credit', async () => {
    const customerId = await aCustomer(fork());
    const sale = await anOrder(fork(), { ...order, customerId });
    await refundPieces(fork(), sale, 1);
    const answer = await post('/V1/pos/credits/refund', {
      ...{ orderId: String(sale.orderId), creditType: 'store_credit', provider: '', amount },
      ...{ customerId, reason: 'a return', code: null },
    });
    expect(answer).toMatchObject({ status: 200, body: { success: false } });
    expect(answer.body.error_message).toContain('cannot be booked');
  });
});

test.each(['adjustment_positive', 'adjustment_negative', 'shipping_amount'])(
  'the platform’s refund takes no %s of half a cent of the base currency',
  async (name) => {
    const { orderId } = await anOrder(fork());
    expect(await post(`/V1/order/${orderId}/refund`, { arguments: { [name]: 0.005 } })).toMatchObject(refused);
    await nothingBooked(orderId);
  },
);

test('a memo with its caller’s figures gives back whole coins', async () => {
  const { orderId } = await anOrder(fork());
  const creditmemo = { order_id: orderId, grand_total: 10.005, adjustment_positive: 10.005, items: [] };
  expect(await post('/V1/creditmemo/refund', { creditmemo, offlineRequested: true })).toMatchObject(refused);
  await nothingBooked(orderId);
});

test('a wallet takes no half of a cent', async () => {
  const customerId = await aCustomer(fork());
  const credit = { customerId, websiteId: 1, amount: 0.005, reason: 'a gift' };
  expect(await post('/V1/vendor-store-credit/credit', credit)).toMatchObject(refused);
});

test('whole coins are taken', async () => {
  const { orderId } = await anOrder(fork(), inYen);
  expect(await post(`/V1/order/${orderId}/refund`, { arguments: { adjustment_negative: 0.01 } })).toMatchObject({
    status: 200,
  });
});
