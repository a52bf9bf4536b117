import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { saveLocation } from '../../../db/locations/save-location.ts';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aReceipt, aTerminal, secretBox, secretKey } from '../../support/builders/counter.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

let api: TestApi;
let locationId: number;
let terminalId: number;
beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  ({ locationId } = await aShop(fork()));
  ({ terminalId } = await aTerminal(fork(), { locationId }));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const { theOrder, fork, change } = booksOf(() => api.orm);
const days = (layawayExpiryDays: number | null) => saveLocation(fork(), { locationId, wish: { layawayExpiryDays } });
const shopDays = (value: string | null) =>
  setConfigValue(fork(), secretBox, { path: 'vendor_pos_terminal/layaway/expiry_days', value });

async function place(given: Record<string, unknown> = {}, { isReceiptSent = true, isLayaway = true } = {}) {
  const attributes = isLayaway ? { pos_layaway_status: 'open', ...given } : given;
  const state = isLayaway ? { state: 'pending_payment', status: 'pending_payment' } : {};
  const saleId = randomUUID();
  const token = api.tokens.register;
  const receipt = aReceipt(terminalId, { sale_id: saleId, location_id: locationId });
  if (isReceiptSent) await api.call('POST', '/V1/pos/receipts', { token, body: { receipt } });
  const { body } = await api.call('POST', '/V1/orders', {
    token,
    body: {
      entity: {
        ...aPostedSale(),
        ...state,
        extension_attributes: { pos_sale_id: saleId, ...attributes },
      },
    },
  });
  return Number(body.entity_id);
}

async function daysLeft(orderId: number): Promise<number | null> {
  const order = await theOrder(orderId, 'pos_layaway_expires_at', 'created_at');
  const [placed, expires] = [order.created_at, order.pos_layaway_expires_at];
  return expires === null ? null : Math.round((Date.parse(expires) - Date.parse(placed)) / 86_400_000);
}

test('a layaway that was posted without a moment expires after the days of its location, else of the shop', async () => {
  expect(await daysLeft(await place())).toBe(30);
  await shopDays('45');
  expect(await daysLeft(await place())).toBe(45);
  await days(60);
  expect(await daysLeft(await place())).toBe(60);
  expect(await daysLeft(await place({}, { isReceiptSent: false }))).toBe(45);
  await saveTerminal(fork(), terminalId, { configOverrides: { layaway_expiry_days: 14 } });
  expect(await daysLeft(await place())).toBe(14);
  await saveTerminal(fork(), terminalId, { configOverrides: {} });
  await days(null);
  await shopDays(null);
});

test('zero days are no window: the layaway never expires, nor does a later save date it', async () => {
  await days(0);
  const orderId = await place();
  expect(await daysLeft(orderId)).toBeNull();
  await change('sales_order', { entity_id: orderId }, { pos_layaway_followed_at: new Date() });
  await days(60);
  const saved = await api.call('POST', '/V1/orders', {
    token: api.tokens.register,
    body: { entity: { entity_id: orderId, extension_attributes: { pos_layaway_status: 'open' } } },
  });
  expect([saved.status, await daysLeft(orderId)]).toEqual([200, null]);
  await days(null);
});

test('a moment that was posted stays, at placement and when the order is saved again', async () => {
  const posted = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const orderId = await place({ pos_layaway_expires_at: posted });
  expect(await daysLeft(orderId)).toBe(3);
  await api.call('POST', '/V1/orders', {
    token: api.tokens.register,
    body: { entity: { entity_id: orderId, extension_attributes: { pos_layaway_status: 'open' } } },
  });
  expect(await daysLeft(orderId)).toBe(3);
});

test('an order that is not a layaway gets no date', async () => {
  expect(await daysLeft(await place({}, { isLayaway: false }))).toBeNull();
});
