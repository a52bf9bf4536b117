import { expect, test } from 'vitest';
import { anEmail } from '../../support/kiosk.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  opensAShop,
  shop,
  call,
  subscribe,
  unsubscribe,
  statusOf,
  isSubscribed,
  save,
  rowOf,
  subscribed,
  unsubscribed,
  unconfirmed,
} from './subscriptions.ts';

opensAShop();

const none = { subscribed: false, status: 'none' };
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
  const answers = await eightAtOnce(() => subscribe(email, id));
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

test('a subscriber marked as inactive, and never asked, gets that state', async () => {
  const email = anEmail();
  await shop.insert('newsletter_subscriber', { website_id: 1, store_id: 1, email, status: 2 });
  expect(await statusOf(email)).toEqual({ subscribed: false, status: 'not_active' });
  expect((await unsubscribe(email)).body).toEqual({ subscribed: false, status: 'not_active' });
  expect((await subscribe(email)).body).toEqual(subscribed);
});

test('an account that awaits its own confirmation is unconfirmed, without a mail', async () => {
  const email = anEmail();
  const id = await shop.customer(email);
  await shop.change('customer', { id }, { confirmation: 'x' });
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
