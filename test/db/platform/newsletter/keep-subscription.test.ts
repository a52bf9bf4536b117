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

test('a mail that still waits when the e-mail changes goes to nobody', async () => {
  const id = await shop.customer(anEmail(), wishes);
  await save(id, { email: anEmail() });

  expect(await shop.sendMails()).toEqual(['dropped']);
});
