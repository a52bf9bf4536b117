import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Call } from '../../support/api.ts';
import { aSecondWebsite } from '../../support/builders/wallet.ts';
import { anEmail, aKioskShop, type KioskShop } from '../../support/kiosk.ts';

let shop: KioskShop;
beforeAll(async () => {
  shop = await aKioskShop();
  await aSecondWebsite(shop.api.orm.em.fork());
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.rows(`delete from config_value where path like 'newsletter/%'`);
  shop.mail.took = [];
  shop.begun.splice(0);
});

const call = (method: string, path: string, more: Call = {}) =>
  shop.api.call(method, path, { token: shop.api.tokens.register, ...more });
const subscribe = (email: unknown, customerId?: unknown, store = '') =>
  call('POST', `${store}/V1/pos/newsletter/subscribe`, { body: { email, customerId } });
const unsubscribe = (email: string, customerId?: number) =>
  call('POST', '/V1/pos/newsletter/unsubscribe', { body: { email, customerId } });
const statusOf = async (email: string, store = '') =>
  (await call('GET', `${store}/V1/pos/newsletter/status?email=${encodeURIComponent(email)}`)).body;
const isSubscribed = async (id: number) =>
  (await call('GET', `/V1/customers/${id}`, { token: shop.api.tokens.admin })).body.extension_attributes.is_subscribed;
const save = (id: number, customer: Record<string, unknown>) =>
  call('PUT', `/V1/customers/${id}`, { token: shop.api.tokens.admin, body: { customer } });
const doubleOptIn = () => shop.set('newsletter/subscription/confirm', '1');
const rowOf = (email: string) =>
  shop.rows('select status, customer_id from newsletter_subscriber where lower(email) = lower(?)', email);
const linkIn = (text = '') => /https?:\/\/\S+(\/newsletter\/confirm\/\S+)/.exec(text)?.[1] ?? '';

const none = { subscribed: false, status: 'none' };
const subscribed = { subscribed: true, status: 'subscribed' };
const unsubscribed = { subscribed: false, status: 'unsubscribed' };
const unconfirmed = { subscribed: false, status: 'unconfirmed' };
const foreign = { status: 400, body: { message: 'Cannot create a newsletter subscription.' } };

test('a guest joins and leaves, and repeats answer the present state', async () => {
  const email = anEmail();
  expect(await statusOf(email)).toEqual(none);
  expect((await unsubscribe(email)).body).toEqual(none);
  expect((await subscribe(email)).body).toEqual(subscribed);
  expect((await subscribe(email.toUpperCase())).body).toEqual(subscribed);
  expect(await statusOf(` ${email.toUpperCase()} `)).toEqual(subscribed);
  expect((await unsubscribe(email)).body).toEqual(unsubscribed);
  expect((await unsubscribe(email)).body).toEqual(unsubscribed);
  expect((await subscribe(email)).body).toEqual(subscribed);
  expect(await rowOf(email)).toEqual([{ status: 1, customer_id: null }]);
});

test('eight at once leave one subscription', async () => {
  const email = anEmail();
  const id = await shop.customer(email);
  const answers = await Promise.all(Array.from({ length: 8 }, () => subscribe(email, id)));
  expect(answers.map(({ body }) => body)).toEqual(Array(8).fill(subscribed));
  expect(await rowOf(email)).toEqual([{ status: 1, customer_id: id }]);
});

test('an account that names itself is linked, and the customer says so', async () => {
  const email = anEmail();
  const id = await shop.customer(email);
  expect(await isSubscribed(id)).toBe(false);
  expect((await subscribe(email, id)).body).toEqual(subscribed);
  expect(await rowOf(email)).toEqual([{ status: 1, customer_id: id }]);
  expect(await isSubscribed(id)).toBe(true);
  expect((await unsubscribe(email, id)).body).toEqual(unsubscribed);
  expect(await isSubscribed(id)).toBe(false);
});

test('an account’s e-mail joins or leaves only when the account is named', async () => {
  const [email, other] = [anEmail(), anEmail()];
  const id = await shop.customer(email);
  const otherId = await shop.customer(other);
  await subscribe(email, id);
  for (const customerId of [undefined, 0, null, otherId, 999_999]) {
    expect(await subscribe(email, customerId)).toMatchObject(foreign);
    expect(await unsubscribe(email, customerId ?? undefined)).toMatchObject(foreign);
  }
  expect(await statusOf(email)).toEqual(subscribed);
});

test('a customer with an e-mail that no account has is a guest there', async () => {
  const [email, id] = [anEmail(), await shop.customer(anEmail())];
  expect((await subscribe(email, id)).body).toEqual(subscribed);
  expect(await rowOf(email)).toEqual([{ status: 1, customer_id: null }]);
  expect(await isSubscribed(id)).toBe(false);
});

test('a store for accounts only refuses guests who join, and lets them leave', async () => {
  const [guest, email] = [anEmail(), anEmail()];
  const id = await shop.customer(email);
  await subscribe(guest);
  await shop.set('newsletter/subscription/allow_guest_subscribe', '0');
  expect(await subscribe(anEmail())).toMatchObject({
    status: 400,
    body: { message: 'Guests can not subscribe to the newsletter. You must create an account to subscribe.' },
  });
  expect((await subscribe(email, id)).body).toEqual(subscribed);
  expect((await unsubscribe(guest)).body).toEqual(unsubscribed);
});

test.each([
  ['', 'You must specify an email address to subscribe to a newsletter.'],
  ['ada', 'Enter a valid email address.'],
  ['ada@b c', 'Enter a valid email address.'],
  ['ada,eve@shop.test', 'Enter a valid email address.'],
  ['<ada@shop.test>', 'Enter a valid email address.'],
  ['ada@localhost', 'Enter a valid email address.'],
])('"%s" is refused on all three routes', async (email, message) => {
  for (const answer of [await subscribe(email), await unsubscribe(email)])
    expect(answer).toMatchObject({ status: 400, body: { message } });
  expect(await statusOf(email)).toMatchObject({ message });
});

test('each website has its own newsletter; an account’s belongs to the website of the account', async () => {
  const email = anEmail();
  const id = await shop.customer(email, { websiteId: 2 });
  expect((await subscribe(email)).body).toEqual(subscribed);
  expect(await statusOf(email, '/rest/eu_de')).toEqual(none);
  expect((await subscribe(email, id)).body).toEqual(subscribed);
  expect(await statusOf(email, '/rest/eu_de')).toEqual(subscribed);
  expect(await isSubscribed(id)).toBe(true);
});

test('a store that asks first mails a link; only the button behind it subscribes', async () => {
  await doubleOptIn();
  const email = anEmail();
  const id = await shop.customer(email);

  expect((await subscribe(email, id)).body).toEqual(unconfirmed);
  expect((await subscribe(email, id)).body).toEqual(unconfirmed);
  expect(await statusOf(email)).toEqual(unconfirmed);
  expect((await unsubscribe(email, id)).body).toEqual(unconfirmed);
  expect(await rowOf(email)).toEqual([{ status: 2, customer_id: id }]);
  expect(await shop.sendMails()).toEqual(['sent']);
  expect(shop.mail.took).toMatchObject([{ to: email }]);
  const link = linkIn(shop.mail.took[0]?.text);

  const page = await shop.api.call('GET', link);
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.body).toContain('<button>Yes, send it to me</button>');
  expect(await statusOf(email)).toEqual(unconfirmed);

  expect((await shop.api.call('POST', link)).body).toContain('You get the newsletter of Default Store View.');
  expect(await statusOf(email)).toEqual(subscribed);
  expect(await isSubscribed(id)).toBe(true);
  expect((await shop.api.call('POST', link)).status).toBe(200);
  await unsubscribe(email, id);
  expect((await shop.api.call('POST', link)).status).toBe(404);
  expect(await statusOf(email)).toEqual(unsubscribed);
});

test('a link that is invented, of another subscriber, or too old confirms nothing', async () => {
  await doubleOptIn();
  const [email, other] = [anEmail(), anEmail()];
  await subscribe(email);
  await subscribe(other);
  await shop.sendMails();
  const [link, otherLink] = shop.mail.took.map(({ text }) => linkIn(text));
  const swapped = `${link?.slice(0, -64)}${otherLink?.slice(-64)}`;
  const madeUp = `${link?.slice(0, -64)}${'0'.repeat(64)}`;
  for (const path of [swapped, madeUp, '/newsletter/confirm/1', '/newsletter/confirm/9999999/x'])
    expect((await shop.api.call('POST', path)).status).toBe(404);
  await shop.rows(
    `update newsletter_subscriber set confirm_asked_at = now() - interval '31 days' where email = ?`,
    email,
  );
  expect((await shop.api.call('POST', link ?? '')).status).toBe(404);
  expect(await statusOf(email)).toEqual(unconfirmed);
});

test('who asks again after ten minutes is mailed again, with a link that is as good as the first', async () => {
  await doubleOptIn();
  const email = anEmail();
  await subscribe(email);
  await shop.rows(`update newsletter_subscriber set confirm_asked_at = confirm_asked_at - interval '11 minutes'`);
  await subscribe(email);
  expect(await shop.sendMails()).toEqual(['sent', 'sent']);
  const [first, second] = shop.mail.took.map(({ text }) => linkIn(text));
  expect(first).toBe(second);
});

test('a mail that asks is not sent to one who has answered', async () => {
  await doubleOptIn();
  const email = anEmail();
  await subscribe(email);
  await shop.rows('update newsletter_subscriber set status = 1 where email = ?', email);
  expect(await shop.sendMails()).toEqual(['dropped']);
});

test('a subscriber marked as inactive, and never asked, gets that state', async () => {
  const email = anEmail();
  await shop.rows(`insert into newsletter_subscriber (website_id, store_id, email, status) values (1, 1, ?, 2)`, email);
  expect(await statusOf(email)).toEqual({ subscribed: false, status: 'not_active' });
  expect((await unsubscribe(email)).body).toEqual({ subscribed: false, status: 'not_active' });
  expect((await subscribe(email)).body).toEqual(subscribed);
});

test('an account that awaits its own confirmation is unconfirmed, without a mail', async () => {
  const email = anEmail();
  const id = await shop.customer(email);
  await shop.rows(`update customer set confirmation = 'x' where id = ?`, id);
  expect((await subscribe(email, id)).body).toEqual(unconfirmed);
  expect(await rowOf(email)).toEqual([{ status: 4, customer_id: id }]);
  expect((await unsubscribe(email, id)).body).toEqual(unconfirmed);
  expect(shop.begun).toEqual([]);
});

test('is_subscribed of a customer works both ways, at create, save, read and search', async () => {
  const email = anEmail();
  const wishes = { extension_attributes: { is_subscribed: true } };
  const id = await shop.customer(email, wishes);
  expect(await isSubscribed(id)).toBe(true);
  expect(await statusOf(email)).toEqual(subscribed);

  expect((await save(id, { firstname: 'Augusta' })).body.extension_attributes).toEqual({ is_subscribed: true });
  const left = await save(id, { extensionAttributes: { isSubscribed: false } });
  expect(left.body.extension_attributes).toEqual({ is_subscribed: false });
  expect(await statusOf(email)).toEqual(unsubscribed);
  const back = await save(id, { ...left.body, ...wishes });
  expect(back.body.extension_attributes).toEqual({ is_subscribed: true });

  const filter = `searchCriteria[filterGroups][0][filters][0][field]=id&searchCriteria[filterGroups][0][filters][0][value]=${id}`;
  const found = await call('GET', `/V1/customers/search?${filter}`, { token: shop.api.tokens.admin });
  expect(found.body.items).toMatchObject([{ id, extension_attributes: { is_subscribed: true } }]);
});

test('where the store asks first, a customer who is saved as subscribed is asked', async () => {
  await doubleOptIn();
  const email = anEmail();
  const id = await shop.customer(email, { extension_attributes: { is_subscribed: true } });
  expect(await isSubscribed(id)).toBe(false);
  expect(await shop.sendMails()).toEqual(['sent']);
  await save(id, { extension_attributes: { is_subscribed: true } });
  expect(shop.begun).toEqual([]);
  await shop.api.call('POST', linkIn(shop.mail.took[0]?.text));
  expect(await isSubscribed(id)).toBe(true);
});

test('a guest who opens an account keeps the subscription, and it follows a changed e-mail', async () => {
  const [email, later, taken] = [anEmail(), anEmail(), anEmail()];
  await subscribe(email);
  const id = await shop.customer(email);
  expect(await isSubscribed(id)).toBe(true);

  await save(id, { email: later });
  expect(await statusOf(email)).toEqual(none);
  expect(await statusOf(later)).toEqual(subscribed);

  await subscribe(taken);
  await unsubscribe(taken);
  await save(id, { email: taken });
  expect(await rowOf(taken)).toEqual([{ status: 3, customer_id: id }]);
  expect(await isSubscribed(id)).toBe(false);
});
