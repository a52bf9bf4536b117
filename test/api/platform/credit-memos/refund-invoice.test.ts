import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCustomerWithCredit, walletOf } from '../../../support/builders/credit.ts';
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
  await booksHold();
  await api.close();
});

const { invoicesOf, fork, booksHold } = booksOf(() => api.orm);

const call = (path: string, body: object) => api.call('POST', path, { token: api.tokens.admin, body });
const refund = (invoiceId: number | undefined, body: object = {}) => call(`/V1/invoice/${invoiceId}/refund`, body);
/** Two mugs for 108, paid by card. */
const sale = (wanted: WantedOrder = {}) => anOrder(fork(), { method: 'provider_a', ...wanted });
const memoOf = async (id: number) => (await api.call('GET', `/V1/creditmemo/${id}`, { token: api.tokens.admin })).body;
const refused = {
  status: 400,
  body: { message: expect.stringContaining("We can't create creditmemo for the invoice.") },
};

test('takes all of the invoice that is left, and only once', async () => {
  const { invoiceId, itemIds } = await sale();
  const one = await refund(invoiceId, { items: [{ order_item_id: itemIds[0], qty: 1 }] });
  expect(await memoOf(one.body)).toMatchObject({ grand_total: 54, invoice_id: invoiceId, state: 2 });
  expect(await memoOf((await refund(invoiceId)).body)).toMatchObject({ grand_total: 54, invoice_id: invoiceId });
  expect(await refund(invoiceId)).toMatchObject(refused);
});

test('takes nothing of another invoice of the order', async () => {
  const { orderId, itemIds } = await sale({ paid: false, shipped: false });
  const items = [{ order_item_id: itemIds[0], qty: 1 }];
  const first = (await call(`/V1/order/${orderId}/invoice`, { items })).body;
  const second = (await call(`/V1/order/${orderId}/invoice`, {})).body;
  expect(await refund(first, { items: [{ order_item_id: itemIds[0], qty: 2 }] })).toMatchObject({
    status: 400,
    body: { message: 'We found an invalid quantity to refund item "%1".' },
  });
  expect(await memoOf((await refund(first)).body)).toMatchObject({ grand_total: 54 });
  expect(await refund(first)).toMatchObject(refused);
  expect((await refund(second)).status).toBe(200);
});

test('gives back the shipping that it charged, and none that another invoice of the order did', async () => {
  const lines = ['MUG', 'PLATE'].map((sku) => ({ sku, qty: 1, price: '50' }));
  const { orderId, itemIds } = await sale({ lines, shipping: '10', paid: false, shipped: false });
  const first = (await call(`/V1/order/${orderId}/invoice`, { items: [{ order_item_id: itemIds[0], qty: 1 }] })).body;
  const second = (await call(`/V1/order/${orderId}/invoice`, {})).body;

  expect(await memoOf((await refund(second)).body)).toMatchObject({ grand_total: 50, shipping_amount: 0 });
  expect(await memoOf((await refund(first)).body)).toMatchObject({ grand_total: 60, shipping_amount: 10 });
});

test('gives back shipping that is asked for, whichever invoice charged it', async () => {
  const lines = ['MUG', 'PLATE'].map((sku) => ({ sku, qty: 1, price: '50' }));
  const { orderId, itemIds } = await sale({ lines, shipping: '10', paid: false, shipped: false });
  await call(`/V1/order/${orderId}/invoice`, { items: [{ order_item_id: itemIds[0], qty: 1 }] });
  const second = (await call(`/V1/order/${orderId}/invoice`, {})).body;
  const memo = await refund(second, { arguments: { shipping_amount: 4 } });

  expect(await memoOf(memo.body)).toMatchObject({ grand_total: 54, shipping_amount: 4 });
});

test('gives the order’s credit back with it', async () => {
  const customerId = await aCustomerWithCredit(api.orm, '50');
  const { invoiceId } = await sale({ customerId, credits: [{ credit_type: 'store_credit', amount: 50 }] });
  await refund(invoiceId);
  expect(await walletOf(api.orm, customerId)).toBe('50.0000');
});

test.each([2, 8])('%i at once are one memo', async (count) => {
  const { invoiceId } = await sale();
  const answers = await atOnce(count, () => refund(invoiceId));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('an open invoice, an offline payment and an unknown invoice are refused, by hand and through a gateway', async () => {
  const { orderId } = await sale({ layaway: true });
  const [open] = await invoicesOf(orderId, 'entity_id');
  const { invoiceId: offline } = await sale({ method: 'checkmo' });
  for (const more of [{}, { isOnline: true }]) {
    expect(await refund(open?.entity_id, more)).toMatchObject(refused);
    expect(await refund(offline, more)).toMatchObject(refused);
    expect((await refund(999_999, more)).status).toBe(404);
  }
});
