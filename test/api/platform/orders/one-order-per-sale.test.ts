import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replayHeader } from '../../../../api/http/mark-replayed.ts';
import { addEntry } from '../../../../db/store-credit/add-entry.ts';
import { testApi, type Answer, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { loseAnswer } from '../../../support/books/lost-answer.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../../support/builders/wallet.ts';
import { eightAtOnce, atOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const books = booksOf(() => api.orm);
const { invoicesOf, fork, find, howMany } = books;
const aSale = (posSaleId: string | undefined, more: Record<string, unknown> = {}, extension = {}) => ({
  base_currency_code: 'USD',
  order_currency_code: 'USD',
  base_to_order_rate: 1,
  grand_total: 108,
  base_grand_total: 108,
  total_paid: 108,
  base_total_paid: 108,
  items: [{ sku: 'MUG', name: 'Mug', qty_ordered: 2, price: 50, base_price: 50, row_total: 100, base_row_total: 100 }],
  payment: { method: 'cash' },
  ...more,
  extension_attributes: { ...(posSaleId === undefined ? {} : { pos_sale_id: posSaleId }), ...extension },
});
const post = (entity: unknown, headers: Record<string, string> = {}) =>
  api.call('POST', '/V1/orders', { token: api.tokens.register, body: { entity }, headers });
const put = (entity: unknown) => api.call('PUT', '/V1/orders/create', { token: api.tokens.register, body: { entity } });
const idOf = ({ body }: Answer): number => body.entity_id;
const isReplay = ({ headers }: Answer) => headers.get(replayHeader) === 'true';
const ordersOf = (posSaleId: string) => howMany('sales_order', { pos_sale_id: posSaleId });

describe('a sale posted again', () => {
  test('is the same order, through either route and in either spelling', async () => {
    const saleId = randomUUID();
    const first = await post(aSale(saleId));
    const { grand_total: grandTotal, ...others } = aSale(saleId);
    const again = [await post(aSale(saleId)), await put(aSale(saleId)), await post({ ...others, grandTotal })];

    expect([first.status, isReplay(first)]).toEqual([200, false]);
    for (const answer of again) {
      expect([answer.status, isReplay(answer), idOf(answer)]).toEqual([200, true, idOf(first)]);
      expect(answer.body).toEqual(first.body);
    }
    expect(await ordersOf(saleId)).toBe(1);
  });

  test('stays one order: no save takes its sale id away, or gives it another', async () => {
    const saleId = randomUUID();
    const orderId = idOf(await post(aSale(saleId)));
    for (const other of ['', randomUUID()]) {
      const save = await post({ entity_id: orderId, extension_attributes: { pos_sale_id: other } });
      expect(save).toMatchObject({ status: 400, body: { parameters: { fieldName: 'posSaleId' } } });
    }
    expect((await post({ entity_id: orderId, extension_attributes: { pos_sale_id: saleId } })).status).toBe(200);
    expect(idOf(await post(aSale(saleId)))).toBe(orderId);
  });

  test('eight times at once is one order, promised and counted once', async () => {
    const saleId = randomUUID();
    const answers = await eightAtOnce(() => post(aSale(saleId)));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await ordersOf(saleId)).toBe(1);
  });

  test('with other content is a conflict that names the order', async () => {
    const saleId = randomUUID();
    const first = await post(aSale(saleId));
    const dearer = await post(aSale(saleId, { customer_note: 'Gift' }));

    expect(dearer).toMatchObject({
      status: 409,
      body: { parameters: { outcome: 'sale_order_conflict', order_id: idOf(first) } },
    });
    expect(await ordersOf(saleId)).toBe(1);
  });

  test('gets the present state of the order', async () => {
    const saleId = randomUUID();
    const first = await post(aSale(saleId));
    await put({ entity_id: idOf(first), customer_note: 'Changed' });
    await api.call('POST', `/V1/order/${idOf(first)}/invoice`, { token: api.tokens.register, body: {} });
    const again = await post(aSale(saleId));
    expect(again).toMatchObject({ status: 200, body: { entity_id: idOf(first), customer_note: 'Changed' } });
  });

  test('that is paid with store credit spends it once', async () => {
    const saleId = randomUUID();
    const customerId = await aCustomer(fork());
    await addEntry(fork(), anEntry(customerId, { amount: '50' }));
    const sale = aSale(
      saleId,
      { customer_id: customerId, total_paid: 83, base_total_paid: 83 },
      { pos_applied_credits: [{ credit_type: 'store_credit', amount: 25 }] },
    );
    const answers = await atOnce(4, () => post(sale));
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
      Array.from({ length: 4 }, () => [200, undefined]),
    );
    const moves = await find('store_credit_entry', {}, 'delta');
    expect(moves.filter(({ delta }) => Number(delta) < 0)).toHaveLength(1);
  });

  test('that is a layaway is one layaway, with one open invoice', async () => {
    const saleId = randomUUID();
    const sale = aSale(
      saleId,
      { state: 'pending_payment', total_paid: 0, base_total_paid: 0 },
      { pos_layaway_status: 'open', pos_layaway_deposit_amount: 0 },
    );
    const answers = await atOnce(4, () => post(sale));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(await invoicesOf(idOf(answers[0]!))).toHaveLength(1);
  });
});

describe('the sale id of an order', () => {
  test('that was given to it by a save belongs to it: a sale posted with it is another’s', async () => {
    const saleId = randomUUID();
    const { orderId } = await anOrder(fork());
    expect((await put({ entity_id: orderId, extension_attributes: { pos_sale_id: saleId } })).status).toBe(200);
    expect((await put({ entity_id: orderId, extension_attributes: { pos_sale_id: saleId } })).status).toBe(200);
    expect(await post(aSale(saleId))).toMatchObject({
      status: 409,
      body: { parameters: { outcome: 'sale_order_conflict', order_id: orderId } },
    });
  });

  test('cannot be taken by a save of another order', async () => {
    const saleId = randomUUID();
    await post(aSale(saleId));
    const { orderId } = await anOrder(fork());
    expect(await put({ entity_id: orderId, extension_attributes: { pos_sale_id: saleId } })).toMatchObject({
      status: 409,
      body: { parameters: { outcome: 'sale_order_conflict' } },
    });
  });

  test('may be missing or empty: each such order is one of its own', async () => {
    const orders = [
      await post(aSale(undefined)),
      await post(aSale(undefined)),
      await post(aSale('')),
      await post(aSale('')),
    ];
    expect(new Set(orders.map(idOf)).size).toBe(4);
  });
});

describe('an order without a sale id', () => {
  test('posted again with its key is one order', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = [];
    for (let time = 0; time < 3; time++) answers.push(await post(aSale(undefined), headers));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(answers.map(isReplay)).toEqual([false, true, true]);
  });

  test('whose process dies between commit and answer is found by the next run', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await post(aSale(undefined), headers);
    await loseAnswer(books, { made_id: idOf(first) });
    const second = await post(aSale(undefined), headers);
    expect([second.status, second.body]).toEqual([200, first.body]);
  });

  test('eight at once with one key are one order', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await eightAtOnce(() => post(aSale(undefined), headers));
    expect(new Set(answers.filter(({ status }) => status === 200).map(idOf)).size).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  });
});
