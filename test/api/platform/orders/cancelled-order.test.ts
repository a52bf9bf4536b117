import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainOrder } from '../../../../books/explain/explain-order.ts';
import { verify } from '../../../../books/verify/verify.ts';
import { money } from '../../../../domain/money/amount.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCustomerWithCredit, pointsOf, walletOf, withPoints } from '../../../support/builders/credit.ts';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { atOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(async () => {
  expect(await verify(fork())).toEqual([]);
  await api.close();
});

const { fork, change } = booksOf(() => api.orm);

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
const save = (orderId: number, entity: object) =>
  call('POST', '/V1/orders', { entity: { entity_id: orderId, ...entity } });
const cancel = (orderId: number) => call('POST', `/V1/orders/${orderId}/cancel`);
const refund = (orderId: number, body: object) => call('POST', `/V1/order/${orderId}/refund`, body);
const goodwill = (orderId: number, amount: number) => refund(orderId, { arguments: { adjustment_positive: amount } });
const orderOf = async (orderId: number) => (await call('GET', `/V1/orders/${orderId}`)).body;

/** A mug of 20: 12 by store credit, 8 in cash, nothing invoiced. */
async function aMug(more: WantedOrder = {}) {
  const customerId = await aCustomerWithCredit(api.orm, '12');
  const { orderId, itemIds } = await anOrder(fork(), {
    customerId,
    paid: false,
    shipped: false,
    lines: [{ sku: 'MUG', qty: 1, price: '20' }],
    credits: [{ credit_type: 'store_credit', amount: 12 }],
    columns: { totalPaid: money('8'), baseTotalPaid: money('8') },
    ...more,
  });
  return { orderId, customerId, orderItemId: itemIds[0]! };
}

describe('an order that was cancelled', () => {
  test.each(['new', 'processing', 'pending_payment', 'complete', 'closed', 'holded'])(
    'cannot be saved as %s: its credit came back, and would pay a second time',
    async (state) => {
      const { orderId, customerId } = await aMug();
      expect((await cancel(orderId)).body).toBe(true);
      expect(await save(orderId, { state })).toMatchObject({
        status: 400,
        body: { message: 'A cancelled order cannot be opened again. Place a new one.' },
      });
      expect(await orderOf(orderId)).toMatchObject({ state: 'canceled', total_paid: 20 });
      expect(await walletOf(api.orm, customerId)).toBe('12.0000');
    },
  );

  test('can still be saved in its state: a note, the same state, a status of the shop', async () => {
    const { orderId } = await aMug();
    await cancel(orderId);
    expect((await save(orderId, { state: 'canceled', customer_note: 'moved away' })).status).toBe(200);
    expect((await save(orderId, { status: 'canceled' })).status).toBe(200);
  });

  test('gives its cash back by a memo without goods, to the cent and once', async () => {
    const { orderId, customerId } = await aMug();
    await cancel(orderId);
    expect(await goodwill(orderId, 20)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('The most money available to refund is 8.') },
    });
    expect((await goodwill(orderId, 3)).status).toBe(200);
    const answers = await atOnce(4, () => goodwill(orderId, 5));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await orderOf(orderId)).toMatchObject({ state: 'canceled', total_paid: 20, total_refunded: 8 });
    expect(await walletOf(api.orm, customerId)).toBe('12.0000');
    expect((await goodwill(orderId, 0.01)).status).toBe(400);
  });

  test('asks in its history for the cash that is not given back yet', async () => {
    const { orderId } = await aMug();
    await cancel(orderId);
    const { status_histories: history } = await orderOf(orderId);
    expect(history.map(({ comment }: { comment: string }) => comment)).toContainEqual(
      expect.stringMatching(/^Cancelled: \$8\.00 was paid for what is not sold any more/),
    );
  });

  test('gives no goods back, no shipping that was never charged, and no memo of nothing', async () => {
    const { orderId, orderItemId } = await aMug({ shipping: '5' });
    await save(orderId, { state: 'canceled' });
    const refused = { status: 400, body: { message: expect.stringContaining('has a status of') } };
    expect(await refund(orderId, {})).toMatchObject(refused);
    const goods = { items: [{ order_item_id: orderItemId, qty: 1 }] };
    expect((await refund(orderId, goods)).status).toBe(400);
    const memo = await goodwill(orderId, 8);
    expect((await call('GET', `/V1/creditmemo/${memo.body}`)).body).toMatchObject({
      grand_total: 8,
      shipping_amount: 0,
      items: [],
    });
  });

  test('by a save gives credit and cash back by one memo, each its own', async () => {
    const { orderId, customerId } = await aMug();
    expect((await save(orderId, { state: 'canceled' })).status).toBe(200);
    expect(await walletOf(api.orm, customerId)).toBe('0.0000');
    expect((await goodwill(orderId, 20)).status).toBe(200);
    expect(await walletOf(api.orm, customerId)).toBe('12.0000');
    expect((await goodwill(orderId, 0.01)).status).toBe(400);
  });

  test('by a save gives points that were a discount back with the memo of its money', async () => {
    const customerId = await aCustomerWithCredit(api.orm, '1');
    await withPoints(api.orm, customerId, 500);
    const points = { credit_type: 'reward_points', points: 500, amount: 5, applies_as: 'discount' };
    const { orderId } = await aMug({
      customerId,
      lines: [{ sku: 'MUG', qty: 1, price: '20', discount: '5' }],
      credits: [points],
    });
    await save(orderId, { state: 'canceled' });
    expect(await pointsOf(api.orm, customerId)).toBe(0);
    expect((await goodwill(orderId, 8)).status).toBe(200);
    expect(await pointsOf(api.orm, customerId)).toBe(500);
  });

  test('takes no more money: by a save, by an invoice that is left, by a payment of credit due', async () => {
    const { orderId } = await aMug({ lines: [{ sku: 'MUG', qty: 2, price: '20' }] });
    const opened = await call('POST', '/V1/invoices', { entity: { order_id: orderId } });
    const due = await save(orderId, { extension_attributes: { pos_credit_due: 10 } });
    expect([opened.status, due.status]).toEqual([200, 200]);
    await save(orderId, { state: 'canceled' });
    const before = await orderOf(orderId);
    const over = { status: 400, body: { message: expect.stringContaining('is over: it takes no more money') } };
    expect(await save(orderId, { total_paid: 30 })).toMatchObject(over);
    expect(await call('POST', `/V1/invoices/${opened.body.entity_id}/capture`)).toMatchObject(over);
    expect(
      await call('POST', '/V1/invoices', { entity: { entity_id: opened.body.entity_id, state: 2 } }),
    ).toMatchObject(over);
    expect(await call('POST', `/V1/pos/orders/${orderId}/due-payments`, { reference: 'D-1', amount: 5 })).toMatchObject(
      over,
    );
    expect(await orderOf(orderId)).toEqual(before);
  });

  test('takes no money with the save that cancels it', async () => {
    const { orderId } = await aMug({ columns: {} });
    expect((await save(orderId, { state: 'canceled', total_paid: 20 })).status).toBe(400);
    expect(await orderOf(orderId)).toMatchObject({ state: 'new', total_paid: 12 });
  });

  test('is protected by the database against every writer', async () => {
    const { orderId } = await aMug();
    await cancel(orderId);
    const put = (cells: Record<string, unknown>) => change('sales_order', { entity_id: orderId }, cells);
    await expect(put({ state: 'processing' })).rejects.toThrow('a cancelled order stays cancelled');
    await expect(put({ grand_total: 21, total_paid: 21 })).rejects.toThrow('takes no more money');
    await expect(put({ total_refunded: 8.01 })).rejects.toThrow('sales_order_never_given_back_twice');
  });

  test('is shown with the amount given back without a memo', async () => {
    const { orderId } = await aMug();
    await cancel(orderId);
    const story = await explainOrder(fork(), String(orderId));
    expect(story.totals).toContainEqual({ what: 'given back without a memo', amount: '12.00 USD' });
  });

  test('stays cancelled when an invoice that was left is cancelled', async () => {
    const { orderId } = await aMug({ lines: [{ sku: 'MUG', qty: 2, price: '20' }] });
    const opened = await call('POST', '/V1/invoices', { entity: { order_id: orderId } });
    await save(orderId, { state: 'canceled' });
    const taken = await call('POST', '/V1/invoices', { entity: { entity_id: opened.body.entity_id, state: 3 } });
    expect(taken).toMatchObject({ status: 200, body: { state: 3 } });
    expect(await orderOf(orderId)).toMatchObject({ state: 'canceled', total_invoiced: 0 });
  });
});
