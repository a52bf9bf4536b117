import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setConfig } from '../../../cli/set-config.ts';
import { Product } from '../../../db/platform/catalog/product.entity.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { like } from '../../support/books/which.ts';
import { inSeconds } from '../../support/moments.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(() => api.close());
beforeEach(() => remove('config_value', { path: like('%/returns/%') }));

const { fork, change, remove } = booksOf(() => api.orm);
const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
const set = (name: string, value: string, storeId?: number) =>
  setConfigValue(fork(), secretBox, {
    path: `vendor_pos_advanced/returns/${name}`,
    value,
    ...(storeId === undefined ? {} : { scope: 'stores', scopeId: storeId }),
  });

async function aSale({
  daysAgo = 0,
  shippedDaysAgo = daysAgo,
  ...wanted
}: WantedOrder & { daysAgo?: number; shippedDaysAgo?: number } = {}) {
  const order = await anOrder(fork(), wanted);
  await change('sales_order', { entity_id: order.orderId }, { created_at: inSeconds(-daysAgo * 86_400) });
  await change('sales_shipment', { order_id: order.orderId }, { created_at: inSeconds(-shippedDaysAgo * 86_400) });
  return { orderId: order.orderId, itemId: order.itemIds[0]! };
}

const eligibility = async ({ orderId }: { orderId: number }) =>
  (await call('GET', `/V1/pos/rma/eligibility/${orderId}`)).body;
const create = ({ orderId, itemId }: { orderId: number; itemId: number }, row: Record<string, unknown> = {}) =>
  call('POST', '/V1/pos/rma', {
    orderId,
    items: JSON.stringify([{ order_item_id: itemId, qty_requested: 1, resolution: 'Refund', ...row }]),
  });

test('a period is answered, runs from the hand-over, and has no override', async () => {
  await set('period_days', '30');
  const shippedLate = await aSale({ daysAgo: 45, shippedDaysAgo: 10 });
  expect(await eligibility(shippedLate)).toMatchObject({
    outcome: 'allowed',
    period_days: 30,
    lines: [{ period_days: 30 }],
  });

  const old = await aSale({ daysAgo: 45 });
  expect(await eligibility(old)).toMatchObject({
    outcome: 'forbidden',
    reason_code: 'outside_period',
    reason: 'The return period of 30 days is over.',
    lines: [{ outcome: 'forbidden', reason_code: 'outside_period', allowed_resolution_ids: [] }],
  });
  const { status, body } = await create(old);
  expect(status).toBe(400);
  expect(body.parameters).toEqual({
    outcome: 'return_not_eligible',
    reason_code: 'outside_period',
    period_days: 30,
    order_item_id: 0,
  });
});

test('a layaway that is not settled brings nothing back, and says what to do', async () => {
  const layaway = await aSale({ layaway: true });
  const forbidden = {
    outcome: 'forbidden',
    reason_code: 'vendor_rule',
    reason: 'The layaway is not settled yet. Settle it first, or cancel it.',
  };
  expect(await eligibility(layaway)).toMatchObject({
    ...forbidden,
    lines: [{ ...forbidden, allowed_resolution_ids: [] }],
  });
  const refused = { status: 400, body: { parameters: { outcome: 'return_not_eligible', reason_code: 'vendor_rule' } } };
  expect(await create(layaway)).toMatchObject(refused);
  const items = JSON.stringify([{ order_item_id: layaway.itemId, qty: 1 }]);
  const run = { orderId: layaway.orderId, items, resolution: 'refund', isOnline: false };
  expect(await call('POST', '/V1/pos/rma/process', run)).toMatchObject(refused);
});

test('without a shipment the day of the order counts', async () => {
  await set('period_days', '14');
  expect(await eligibility(await aSale({ daysAgo: 20, shipped: false }))).toMatchObject({ outcome: 'forbidden' });
  expect(await eligibility(await aSale({ daysAgo: 14, shipped: false }))).toMatchObject({ outcome: 'allowed' });
});

test('a rule of one store view binds its orders only', async () => {
  await set('period_days', '14', 2);
  expect(await eligibility(await aSale({ daysAgo: 20 }))).toMatchObject({ outcome: 'allowed', period_days: 0 });
  const canada = await aSale({ daysAgo: 20, storeId: 2, currency: 'CAD', rate: '1.3600' });
  expect(await eligibility(canada)).toMatchObject({ outcome: 'forbidden', period_days: 14 });
});

test('resolutions and their own periods are answered, and a create may use the allowed ones', async () => {
  await set('period_days', '90');
  await set('resolutions', 'Refund,Exchange');
  await set('resolution_periods', 'Refund:14,Exchange:60');
  const sale = await aSale({ daysAgo: 20 });
  expect((await eligibility(sale)).lines[0]).toMatchObject({
    outcome: 'allowed',
    allowed_resolution_ids: ['Exchange'],
    resolution_periods: [
      { resolution_id: 'Refund', period_days: 14 },
      { resolution_id: 'Exchange', period_days: 60 },
    ],
  });
  expect((await create(sale)).body.parameters).toEqual({
    outcome: 'return_not_eligible',
    reason_code: 'resolution_not_allowed',
    period_days: 14,
    order_item_id: sale.itemId,
    resolution_id: 'Refund',
    allowed_resolution_ids: ['Exchange'],
  });
  expect((await create(sale, { resolution: 'Store Credit' })).body.parameters).toMatchObject({
    reason_code: 'resolution_not_allowed',
    resolution_id: 'Store Credit',
  });
  expect((await create(sale, { resolution: 'Teleport' })).body.parameters).toMatchObject({
    outcome: 'return_not_eligible',
    reason_code: 'resolution_unsupported',
    period_days: 90,
    order_item_id: sale.itemId,
  });
});

test('a line keeps the catalog’s value of its sale', async () => {
  const writer = fork();
  const plate = await writer.findOneOrFail(Product, { sku: 'PLATE' });
  plate.customAttributes = { is_returnable: '0' };
  await writer.flush();
  const lines = [
    { sku: 'PLATE', qty: 1, price: '10' },
    { sku: 'MUG', qty: 1, price: '10' },
  ];
  const sale = await aSale({ lines });
  plate.customAttributes = {};
  await writer.flush();

  expect(await eligibility(sale)).toMatchObject({
    outcome: 'allowed',
    lines: [{ outcome: 'forbidden', reason_code: 'not_returnable' }, { outcome: 'allowed' }],
  });
  expect((await create(sale)).body.parameters).toMatchObject({
    reason_code: 'not_returnable',
    order_item_id: sale.itemId,
  });
  expect((await eligibility(await aSale({ lines }))).lines[0]).toMatchObject({ outcome: 'allowed' });
});

test('a bargain is final where the store says so', async () => {
  await set('final_sale_percent', '50');
  const sale = await aSale({ lines: [{ sku: 'MUG', qty: 2, price: '50', discount: '60' }] });
  expect((await eligibility(sale)).lines[0]).toMatchObject({ outcome: 'forbidden', reason_code: 'vendor_rule' });
  expect((await create(sale)).body.parameters).toMatchObject({
    outcome: 'return_not_eligible',
    reason_code: 'vendor_rule',
    order_item_id: sale.itemId,
  });
});

test('how much of a bargain it was is judged without tax, also where the discount was given with it', async () => {
  await set('final_sale_percent', '51');
  // 100 and 19 tax, at half the price: 59.50 off with tax, of which 9.50 are tax.
  const sale = await aSale({ lines: [{ sku: 'MUG', qty: 2, price: '50', discount: '59.50' }] });
  await change('sales_order_item', { item_id: sale.itemId }, { base_discount_tax_compensation_amount: 9.5 });
  expect((await eligibility(sale)).lines[0]).toMatchObject({ outcome: 'allowed' });
  await set('final_sale_percent', '50');
  expect((await eligibility(sale)).lines[0]).toMatchObject({ outcome: 'forbidden', reason_code: 'vendor_rule' });
});

test('resolutions that were set in small letters are offered all the same', async () => {
  await set('resolutions', 'refund,exchange');
  const sale = await aSale();
  expect((await eligibility(sale)).lines[0]).toMatchObject({ allowed_resolution_ids: ['Refund', 'Exchange'] });
});

test('reasons are a store’s own, and an operator sets them like any setting', async () => {
  const context = { em: () => Promise.resolve(fork()), secrets: () => secretBox };
  const set = (value: string) =>
    setConfig(context as never, 'vendor_pos_advanced/returns/reasons', value, { store: 'ca' });
  expect((await set('Too cold,Too big')).text).not.toContain('No register reads');
  const reasons = async (query: string) =>
    (await call('GET', `/V1/pos/rma/options${query}`)).body.reasons.map(({ label }: { label: string }) => label);
  expect(await reasons('?storeId=2')).toEqual(['Too cold', 'Too big']);
  expect(await reasons('')).toContain('Changed mind');
});

test('without a returns module the built-in resolutions keep their windows, as the collapsed run judges them', async () => {
  await set('resolution_periods', 'Refund:14,Exchange:60');
  await setConfigValue(fork(), secretBox, { path: 'vendor_pos_terminal/returns/providers', value: '' });

  expect(await eligibility(await aSale({ daysAgo: 1 }))).toMatchObject({
    outcome: 'allowed',
    lines: [{ outcome: 'allowed', allowed_resolution_ids: ['Refund', 'Exchange', 'Store Credit'] }],
  });
  expect(await eligibility(await aSale({ daysAgo: 20 }))).toMatchObject({
    outcome: 'allowed',
    lines: [{ allowed_resolution_ids: ['Exchange', 'Store Credit'] }],
  });
});
