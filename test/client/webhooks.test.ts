import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { isFromShop } from '../../client/webhooks.ts';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const sentAt = new Date('2026-11-21T09:30:00Z');
const body = '{"type":"return.closed"}';
const headersBy = (...secrets: readonly string[]) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(sentAt.getTime() / 1_000),
  'webhook-signature': secrets.map((one) => new Webhook(one).sign('evt_1', sentAt, body)).join(' '),
});

test('an event of the shop is known by its signature, also while the shop changes its secret', async () => {
  expect(await isFromShop({ headers: headersBy(secret), body, secret }, sentAt)).toBe(true);
  expect(await isFromShop({ headers: headersBy(other, secret), body, secret }, sentAt)).toBe(true);
});

test('somebody else’s event, a changed one and an old copy are not', async () => {
  const headers = headersBy(secret);
  const later = (seconds: number) => new Date(sentAt.getTime() + seconds * 1_000);
  expect(await isFromShop({ headers: headersBy(other), body, secret }, sentAt)).toBe(false);
  expect(await isFromShop({ headers, body: `${body} `, secret }, sentAt)).toBe(false);
  expect(await isFromShop({ headers: { ...headers, 'webhook-id': 'evt_2' }, body, secret }, sentAt)).toBe(false);
  expect(await isFromShop({ headers, body, secret }, later(300))).toBe(true);
  expect(await isFromShop({ headers, body, secret }, later(301))).toBe(false);
  expect(await isFromShop({ headers, body, secret }, later(-301))).toBe(false);
  for (const signature of ['', 'v1,', 'v1,????', 'v2,AAAA', 'v1,AAAA'])
    expect(await isFromShop({ headers: { ...headers, 'webhook-signature': signature }, body, secret }, sentAt)).toBe(
      false,
    );
  expect(await isFromShop({ headers, body, secret: 'whsec_no' }, sentAt)).toBe(false);
  expect(await isFromShop({ headers: { ...headers, 'webhook-timestamp': 'now' }, body, secret }, sentAt)).toBe(false);
});
