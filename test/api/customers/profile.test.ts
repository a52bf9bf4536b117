import { afterAll, beforeAll, expect, test } from 'vitest';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { countUsage } from '../../../db/platform/sales-rules/count-usage.ts';
import { money } from '../../../domain/money/amount.ts';
import { createSecretBox } from '../../../db/support/secret-box.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aCoupon } from '../../support/builders/cart.ts';
import { manyProducts } from '../../support/builders/many-products.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let api: TestApi;
let customerId: number;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  customerId = await aCustomer(fork());
});
afterAll(() => api.close());

const books = booksOf(() => api.orm);
const { fork, change } = books;
const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
const limitOf = async (id = customerId) => (await call('GET', `/V1/pos/customers/${id}/credit-limit`)).body;

test('a customer with whom nothing was agreed gets no credit', async () => {
  const id = await aCustomer(fork());
  expect(await limitOf(id)).toEqual({
    customer_id: id,
    limit: 0,
    used: 0,
    available: 0,
    currency: 'USD',
    source: 'none',
  });
});

test('the limit of the customer goes before that of the group, also where it is lower', async () => {
  const box = createSecretBox(Buffer.alloc(32).toString('base64'));
  await setConfigValue(fork(), box, { path: 'vendor_pos_advanced/credit_limits/groups', value: '1:900,2:50' });
  expect(await limitOf()).toMatchObject({ limit: 900, available: 900, source: 'customer_group' });
  const path = `/V1/pos/customers/${customerId}/credit-limit`;
  expect((await call('PUT', path, { limit: 500 })).body).toMatchObject({ limit: 500, source: 'customer' });
  expect((await call('PUT', path, { limit: 0 })).body).toMatchObject({ limit: 0, available: 0, source: 'customer' });
  expect((await call('DELETE', path)).body).toMatchObject({ limit: 900, source: 'customer_group' });
  expect((await call('PUT', path, { limit: 500, websiteId: 1 })).body).toMatchObject({ limit: 500 });
  expect((await call('PUT', path, { limit: -1 })).status).toBe(400);
});

test('the amount due counts as used: of open invoices, of sales on credit and on invoice, not of layaways', async () => {
  const id = await aCustomer(fork());
  const used = async () => (await limitOf(id)).used;
  const onCredit = { customerId: id, paid: false } as const;
  await anOrder(fork(), { customerId: id });
  await anOrder(fork(), onCredit);
  expect(await used()).toBe(0);
  const { orderId } = await anOrder(fork(), { ...onCredit, method: 'purchaseorder' });
  expect(await used()).toBe(108);
  await anOrder(fork(), { ...onCredit, columns: { posCreditDue: money('108') } });
  expect(await used()).toBe(216);
  await anOrder(fork(), { ...onCredit, layaway: true });
  expect(await used()).toBe(216);

  await change('sales_order', { entity_id: orderId }, { total_paid: 8, base_total_paid: 8 });
  expect(await used()).toBe(208);
  await change('sales_order', { entity_id: orderId }, { state: 'canceled' });
  expect(await used()).toBe(108);

  const open = await anOrder(fork(), { customerId: id });
  await change('sales_invoice', { order_id: open.orderId }, { state: 1 });
  await change('sales_order', { entity_id: open.orderId }, { total_paid: 0, base_total_paid: 0 });
  expect(await used()).toBe(216);
  expect(await limitOf(id)).toMatchObject({ limit: 900, used: 216, available: 684 });
});

test('of what was sold on invoice nothing is owed for goods that were cancelled', async () => {
  const id = await aCustomer(fork());
  const { orderId, itemIds } = await anOrder(fork(), { customerId: id, paid: false, method: 'purchaseorder' });
  await change('sales_order', { entity_id: orderId }, { state: 'processing' });
  const one = { capture: true, items: [{ order_item_id: itemIds[0], qty: 1 }] };
  expect((await call('POST', `/V1/order/${orderId}/invoice`, one)).status).toBe(200);
  expect((await limitOf(id)).used).toBe(54);
  expect((await call('POST', `/V1/orders/${orderId}/cancel`)).body).toBe(true);
  expect((await limitOf(id)).used).toBe(0);
});

test('a debt beyond the limit leaves zero, not less', async () => {
  const id = await aCustomer(fork());
  await call('PUT', `/V1/pos/customers/${id}/credit-limit`, { limit: 100 });
  await anOrder(fork(), { customerId: id, paid: false, method: 'purchaseorder' });
  expect(await limitOf(id)).toMatchObject({ limit: 100, used: 108, available: 0 });
});

test('an unknown customer or website has no limit, and a register cannot set one', async () => {
  expect((await call('GET', '/V1/pos/customers/999999/credit-limit')).status).toBe(404);
  expect((await call('PUT', '/V1/pos/customers/999999/credit-limit', { limit: 5 })).status).toBe(404);
  expect((await call('GET', `/V1/pos/customers/${customerId}/credit-limit?websiteId=77`)).status).toBe(404);
  const byRegister = { token: api.tokens.register, body: { limit: 1_000_000 } };
  expect((await api.call('PUT', `/V1/pos/customers/${customerId}/credit-limit`, byRegister)).status).toBe(401);
});

test('a promotion is counted for the customer who used it, a coupon whatever its case', async () => {
  await aCoupon(fork(), 'Welcome10', { ruleId: 3 });
  const used = { appliedRuleIds: '3,4', couponCode: 'WELCOME10', customerId };
  await countUsage(fork(), used, 1);
  await countUsage(fork(), { ...used, customerId: null }, 1);
  const usage = async (path: string) => (await call('GET', `/V1/pos/customers/${path}`)).body;

  expect(await usage(`${customerId}/rule-usage/3?couponCode=welcome10`)).toEqual({
    customer_id: customerId,
    rule_id: 3,
    rule_times_used: 1,
    coupon_code: 'welcome10',
    coupon_times_used: 1,
  });
  expect(await usage(`${customerId}/rule-usage/4`)).toMatchObject({ rule_times_used: 1, coupon_code: null });
  const none = { rule_times_used: 0, coupon_times_used: 0 };
  // Customer 0 is everybody together, and no customer.
  for (const unknown of ['999999/rule-usage/3?couponCode=Welcome10', '0/rule-usage/3?couponCode=Welcome10'])
    expect(await usage(unknown)).toMatchObject(none);
  expect(await usage(`${customerId}/rule-usage/99?couponCode=NOPE`)).toMatchObject(none);
});

test('a wish is on the list once, however often it is sent; the list has a maximum', async () => {
  const path = `/V1/pos/wishlist/${customerId}`;
  expect((await call('GET', path)).body).toEqual({ customer_id: customerId, items_count: 0, items: [] });
  const wish = (sku: string, qty = 1) => call('POST', `${path}/items`, { item: { sku, qty } });
  const answers = await eightAtOnce(() => wish('MUG', 2));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const { body } = await wish('PLATE');
  expect(body.items.map((item: { sku: string; qty: number }) => [item.sku, item.qty])).toEqual([
    ['PLATE', 1],
    ['MUG', 2],
  ]);
  expect((await wish('NOPE')).status).toBe(404);
  expect((await wish('MUG', 0)).status).toBe(400);
  expect((await call('GET', '/V1/pos/wishlist/999999')).status).toBe(404);

  const item = `${path}/items/${body.items[0].wishlist_item_id}`;
  const stranger = await aCustomer(fork());
  expect((await call('DELETE', item.replace(`/${customerId}/`, `/${stranger}/`))).status).toBe(404);
  expect((await call('DELETE', item)).body).toBe(true);
  expect((await call('DELETE', item)).status).toBe(404);

  const products = await manyProducts(books, { sku: 'W', count: 499 });
  await books.insertAll(
    'wishlist_item',
    products.map((id) => ({ customer_id: customerId, product_id: id, qty: 1 })),
  );
  expect((await wish('PLATE')).status).toBe(400);
  expect((await wish('MUG', 3)).status).toBe(200);
});
