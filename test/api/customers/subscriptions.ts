import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Call } from '../../support/api.ts';
import { forgetSettings } from '../../support/books/settings.ts';
import { aSecondWebsite } from '../../support/builders/wallet.ts';
import { aKioskShop, type KioskShop } from '../../support/kiosk.ts';

export let shop: KioskShop;

/** A shop without a rule of its own for the newsletter before each test. */
export function opensAShop(): void {
  beforeAll(async () => {
    shop = await aKioskShop();
    await aSecondWebsite(shop.api.orm.em.fork());
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    await forgetSettings(shop, 'newsletter/');
    shop.mail.took = [];
    shop.begun.splice(0);
  });
}

export const call = (method: string, path: string, more: Call = {}) =>
  shop.api.call(method, path, { token: shop.api.tokens.register, ...more });
export const subscribe = (email: unknown, customerId?: unknown, store = '') =>
  call('POST', `${store}/V1/pos/newsletter/subscribe`, { body: { email, customerId } });
export const unsubscribe = (email: string, customerId?: number) =>
  call('POST', '/V1/pos/newsletter/unsubscribe', { body: { email, customerId } });
export const statusOf = async (email: string, store = '') =>
  (await call('GET', `${store}/V1/pos/newsletter/status?email=${encodeURIComponent(email)}`)).body;
export const isSubscribed = async (id: number) =>
  (await call('GET', `/V1/customers/${id}`, { token: shop.api.tokens.admin })).body.extension_attributes.is_subscribed;
export const save = (id: number, customer: Record<string, unknown>) =>
  call('PUT', `/V1/customers/${id}`, { token: shop.api.tokens.admin, body: { customer } });
export const rowOf = (email: string) =>
  shop.rows('select status, customer_id from newsletter_subscriber where lower(email) = lower(?)', email);
export const subscribed = { subscribed: true, status: 'subscribed' };
export const unsubscribed = { subscribed: false, status: 'unsubscribed' };
export const unconfirmed = { subscribed: false, status: 'unconfirmed' };
