import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, aKioskShop, type KioskShop } from '../../../support/kiosk.ts';

let shop: KioskShop;
beforeAll(async () => {
  shop = await aKioskShop();
  await shop.set('newsletter/subscription/confirm', '1');
});
afterAll(() => shop.close());

const admin = () => ({ token: shop.api.tokens.admin });
const save = (id: number, customer: Record<string, unknown>) =>
  shop.api.call('PUT', `/V1/customers/${id}`, { ...admin(), body: { customer } });
const wishes = { extension_attributes: { is_subscribed: true } };
const linkIn = (text = '') => /https?:\/\/\S+(\/newsletter\/confirm\/\S+)/.exec(text)?.[1] ?? '';
const isSubscribed = async (id: number) =>
  (await shop.api.call('GET', `/V1/customers/${id}`, admin())).body.extension_attributes.is_subscribed;

test('the link that was mailed to a former e-mail does not subscribe the new one; a link of its own does', async () => {
  const [former, later] = [anEmail(), anEmail()];
  const id = await shop.customer(former, wishes);
  await shop.sendMails();
  const link = linkIn(shop.mail.took.at(-1)?.text);
  expect((await shop.api.call('GET', link)).status).toBe(200);

  await save(id, { email: later });
  expect((await shop.api.call('POST', link)).status).toBe(404);
  expect(await isSubscribed(id)).toBe(false);

  await save(id, wishes);
  expect(await shop.sendMails()).toEqual(['sent']);
  expect(shop.mail.took.at(-1)?.to).toBe(later);
  expect((await shop.api.call('POST', link)).status).toBe(404);
  expect((await shop.api.call('POST', linkIn(shop.mail.took.at(-1)?.text))).status).toBe(200);
  expect(await isSubscribed(id)).toBe(true);
});

test('a mail that still waits when the e-mail changes is not sent', async () => {
  const id = await shop.customer(anEmail(), wishes);
  await save(id, { email: anEmail() });

  expect(await shop.sendMails()).toEqual(['dropped']);
});

const confirmed = async (email: string) => {
  const id = await shop.customer(email, wishes);
  await shop.sendMails();
  await shop.api.call('POST', linkIn(shop.mail.took.at(-1)?.text));
  expect(await isSubscribed(id)).toBe(true);
  return id;
};
const asksFirst = (value: string) =>
  shop.change('config_value', { path: 'newsletter/subscription/confirm' }, { value });
const off = (email: string) => shop.insert('newsletter_subscriber', { website_id: 1, store_id: 1, email, status: 3 });
const statusOf = (email: string) => shop.find('newsletter_subscriber', { email }, 'status', 'customer_id');

test('a new e-mail is asked although the former one had confirmed, and gets nothing before', async () => {
  const [former, later] = [anEmail(), anEmail()];
  const id = await confirmed(former);
  await save(id, { email: later });
  expect(await isSubscribed(id)).toBe(false);
  expect(await shop.sendMails()).toEqual(['sent']);
  expect(shop.mail.took.at(-1)?.to).toBe(later);
  await shop.api.call('POST', linkIn(shop.mail.took.at(-1)?.text));
  expect(await isSubscribed(id)).toBe(true);

  await save(id, { email: later });
  expect(await shop.sendMails()).toEqual([]);
  expect(await isSubscribed(id)).toBe(true);
});

test('an e-mail that was taken off the newsletter stays off when an account changes to it', async () => {
  const [former, later] = [anEmail(), anEmail()];
  const id = await confirmed(former);
  await off(later);
  await save(id, { email: later });
  expect(await shop.sendMails()).toEqual([]);
  expect(await statusOf(later)).toEqual([{ status: 3, customer_id: id }]);
  expect(await statusOf(former)).toEqual([]);
});

test('where the store does not ask it stays off too, unless its own mail says yes', async () => {
  const [former, later, last] = [anEmail(), anEmail(), anEmail()];
  await asksFirst('0');
  const id = await shop.customer(former, wishes);
  await off(later);
  await save(id, { email: later, ...wishes });
  expect(await isSubscribed(id)).toBe(false);
  expect(await shop.sendMails()).toEqual(['sent']);
  expect(shop.mail.took.at(-1)?.to).toBe(later);
  await shop.api.call('POST', linkIn(shop.mail.took.at(-1)?.text));
  await save(id, { email: last });
  await asksFirst('1');
  expect(await isSubscribed(id)).toBe(true);
});

test('who leaves the newsletter with the former e-mail has left it', async () => {
  const later = anEmail();
  const id = await confirmed(anEmail());
  await save(id, { email: later, extension_attributes: { is_subscribed: false } });
  expect(await shop.sendMails()).toEqual([]);
  expect(await statusOf(later)).toEqual([{ status: 3, customer_id: id }]);
});
