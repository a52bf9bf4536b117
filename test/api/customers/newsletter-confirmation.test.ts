import { expect, test } from 'vitest';
import { daysAgo, minutesAgo } from '../../support/moments.ts';
import { anEmail } from '../../support/kiosk.ts';
import {
  opensAShop,
  shop,
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

const doubleOptIn = () => shop.set('newsletter/subscription/confirm', '1');
const linkIn = (text = '') => /https?:\/\/\S+(\/newsletter\/confirm\/\S+)/.exec(text)?.[1] ?? '';

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
  await shop.change('newsletter_subscriber', { email }, { confirm_asked_at: daysAgo(31) });
  expect((await shop.api.call('POST', link ?? '')).status).toBe(404);
  expect(await statusOf(email)).toEqual(unconfirmed);
});

test('who asks again after ten minutes is mailed again, with a link that is as good as the first', async () => {
  await doubleOptIn();
  const email = anEmail();
  await subscribe(email);
  await shop.change('newsletter_subscriber', { email }, { confirm_asked_at: minutesAgo(11) });
  await subscribe(email);
  expect(await shop.sendMails()).toEqual(['sent', 'sent']);
  const [first, second] = shop.mail.took.map(({ text }) => linkIn(text));
  expect(first).toBe(second);
});

test('a mail that asks is not sent to one who has answered', async () => {
  await doubleOptIn();
  const email = anEmail();
  await subscribe(email);
  await shop.change('newsletter_subscriber', { email }, { status: 1 });
  expect(await shop.sendMails()).toEqual(['dropped']);
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
