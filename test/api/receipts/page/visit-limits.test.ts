import { afterAll, beforeAll, expect, test } from 'vitest';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { aStoredReceipt, receiptVisitor, type Page, type Visitor } from '../../../support/receipt-visitor.ts';
import { atOnce } from '../../../support/rivals.ts';

let shop: Visitor;
/** Another process of the same shop. */
let other: Visitor;

beforeAll(async () => {
  const worker = () => ({ state: 'sent' });
  shop = await receiptVisitor(worker);
  await aShop(fork());
  other = await receiptVisitor(worker, { orm: shop.api.orm, routes: [] });
});
afterAll(async () => {
  await other.api.close();
  await shop.api.close();
});

let places = 0;
const { fork, howMany } = booksOf(() => shop.api.orm);

/** An address that was not used yet. */
const somewhere = () => `198.51.${Math.floor(++places / 250)}.${1 + (places % 250)}`;
const statuses = (pages: readonly Page[]) => pages.map(({ status }) => status);
const tally = (pages: readonly Page[]) => {
  const done = statuses(pages).filter((status) => status !== 429).length;
  return { done, refused: pages.length - done };
};
const inTurn = async (count: number, load: (at: number) => Promise<Page>) => {
  const pages: Page[] = [];
  for (let at = 0; at < count; at++) pages.push(await load(at));
  return pages;
};
const mail = (token: string, from: string, by = shop) =>
  by.post(`/receipt/${token}/email`, { email: 'grace@example.com' }, from);

test('ten views in ten minutes are permitted, the eleventh is asked to wait', async () => {
  const [token, here] = [await aStoredReceipt(shop), somewhere()];
  const pages = await inTurn(11, () => shop.visit(`/receipt/${token}`, here));
  expect(statuses(pages)).toEqual([...Array<number>(10).fill(200), 429]);

  const refused = pages[10]!;
  expect(refused.html).toContain('Please wait some minutes');
  expect(refused.headers.get('retry-after')).toBe('600');
  expect(refused.headers.get('referrer-policy')).toBe('no-referrer');
});

test('of forty at once, over two processes, ten are let in', async () => {
  const [token, here] = [await aStoredReceipt(shop), somewhere()];
  const pages = await atOnce(40, (at) => (at % 2 === 0 ? shop : other).visit(`/receipt/${token}`, here));
  expect(tally(pages)).toEqual({ done: 10, refused: 30 });
});

test('another address, another receipt and another action have limits of their own', async () => {
  const [token, here] = [await aStoredReceipt(shop), somewhere()];
  await atOnce(10, () => shop.visit(`/receipt/${token}`, here));
  expect((await shop.visit(`/receipt/${token}`, here)).status).toBe(429);

  expect((await shop.visit(`/receipt/${token}`, somewhere())).status).toBe(200);
  expect((await shop.visit(`/receipt/${await aStoredReceipt(shop)}`, here)).status).toBe(200);
  expect((await mail(token, here)).status).toBe(200);
  expect((await shop.visit(`/receipt/${token}/pdf`, here, { method: 'HEAD' })).status).toBe(200);
  expect((await shop.post(`/receipt/${token}/claim`, {}, here)).status).not.toBe(429);
});

test.each([
  ['mail', 'email', { email: 'nobody' }],
  ['claim', 'claim', {}],
])('ten tries to %s a receipt from one address, whatever comes of them', async (_verb, action, fields) => {
  const [token, here] = [await aStoredReceipt(shop), somewhere()];
  const pages = await atOnce(14, () => shop.post(`/receipt/${token}/${action}`, fields, here));
  expect(tally(pages)).toEqual({ done: 10, refused: 4 });
});

test('names in front of a proxy’s list do not count as an address', async () => {
  const [token, here] = [await aStoredReceipt(shop), somewhere()];
  const pages = await atOnce(14, (at) => shop.visit(`/receipt/${token}`, `192.0.2.${at}, ${here}`));
  expect(tally(pages)).toEqual({ done: 10, refused: 4 });
});

test('twenty mails from one address, of whatever receipts', async () => {
  const here = somewhere();
  const tokens = await atOnce(4, () => aStoredReceipt(shop));
  const pages = await inTurn(24, (at) => mail(tokens[at % 4]!, here, at % 2 === 0 ? shop : other));
  expect(statuses(pages)).toEqual([...Array<number>(20).fill(200), 429, 429, 429, 429]);
});

test('ten mails of one receipt, from whatever addresses', async () => {
  const token = await aStoredReceipt(shop);
  expect(tally(await atOnce(16, () => mail(token, somewhere())))).toEqual({ done: 10, refused: 6 });
});

test('what one limit refuses counts in none', async () => {
  const here = somewhere();
  const [popular, mine, yours] = [await aStoredReceipt(shop), await aStoredReceipt(shop), await aStoredReceipt(shop)];
  await atOnce(10, () => mail(popular, somewhere()));
  expect(tally(await atOnce(8, () => mail(popular, here)))).toEqual({ done: 0, refused: 8 });

  // Neither of this address's mails is gone, nor one of its requests for that receipt.
  expect(tally(await atOnce(10, () => mail(mine, here)))).toEqual({ done: 10, refused: 0 });
  expect(tally(await atOnce(10, () => mail(yours, here)))).toEqual({ done: 10, refused: 0 });
  const typed = () => shop.post(`/receipt/${popular}/email`, { email: 'no address' }, here);
  expect(tally(await atOnce(10, typed))).toEqual({ done: 10, refused: 0 });
});

test('an address that was mistyped is a request and no mail', async () => {
  const [token, here] = [await aStoredReceipt(shop), somewhere()];
  await atOnce(9, () => shop.post(`/receipt/${token}/email`, { email: 'grace@' }, here));
  const elsewhere = await atOnce(10, () => mail(token, somewhere()));
  expect(tally(elsewhere)).toEqual({ done: 10, refused: 0 });
});

test('a token that no receipt has fills no table', async () => {
  const before = await howMany('rate_limit');
  await atOnce(20, (at) => shop.visit(`/receipt/${String(at).padStart(64, 'e')}`, somewhere()));
  expect(await howMany('rate_limit')).toBe(before);
});
