import { afterAll, beforeAll, expect, test } from 'vitest';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { aStoredReceipt, receiptVisitor, type Visitor } from '../../../support/receipt-visitor.ts';

let shop: Visitor;
let workerSays: unknown = { state: 'sent' };

beforeAll(async () => {
  shop = await receiptVisitor(() => workerSays);
  await aShop(shop.api.orm.em.fork());
  await change('store_view', {}, { locale: 'de_DE' });
});
afterAll(() => shop.api.close());

const { change } = booksOf(() => shop.api.orm);
const address = { email: 'grace@example.com' };
const noticeIn = (html: string) => /<p class="notice[^>]*>([^<]*)</.exec(html)?.[1];

test.each([
  ['sent', 'Der Bon wurde an grace@example.com gesendet.'],
  ['waiting', 'Der Bon ist unterwegs an grace@example.com. Er kommt in wenigen Minuten an.'],
])('a German receipt says in German that its mail is %s', async (state, said) => {
  workerSays = { state };
  const { html } = await shop.post(`/receipt/${await aStoredReceipt(shop)}/email`, address);
  workerSays = { state: 'sent' };
  expect(noticeIn(html)).toBe(said);
  expect(html).toContain('<html lang="de-DE" dir="ltr">');
});

test.each([
  ['EENVELOPE', 'Der Mailserver hat die Adresse abgelehnt.'],
  ['EMESSAGE', 'Der Mailserver hat die Mail nicht angenommen.'],
])('so it says that the mail server refused the mail (%s)', async (reason, said) => {
  workerSays = { state: 'dropped', reason };
  const { status, html } = await shop.post(`/receipt/${await aStoredReceipt(shop)}/email`, address);
  workerSays = { state: 'sent' };
  expect(status).toBe(400);
  expect(noticeIn(html)).toBe(`Der Bon konnte nicht gesendet werden: ${said}`);
});

test('so it asks for an address, for a password and for an order', async () => {
  const token = await aStoredReceipt(shop);
  const unsent = await shop.post(`/receipt/${token}/email`, { email: 'nobody' });
  expect(noticeIn(unsent.html)).toContain('Bitte geben Sie eine E-Mail-Adresse ein');
  const early = await shop.post(`/receipt/${token}/claim`, { ...address, password: 'x' });
  expect(noticeIn(early.html)).toContain('Dieser Einkauf wird noch gebucht.');
});

test.each([
  ['de-AT,de;q=0.9,en;q=0.5', 'de', 'Bon nicht gefunden', 'Bitte prüfen Sie den Link'],
  ['ar', 'ar', 'الإيصال غير موجود', 'يرجى التحقق من الرابط'],
  ['fr', 'en', 'Receipt not found', 'Please check the link, or scan the code again.'],
])('where there is no receipt the visitor’s browser says in which language (%s)', async (...row) => {
  const [accepted, lang, title, advice] = row;
  const headers = { 'accept-language': accepted };
  const { status, html } = await shop.visit(`/receipt/${'f'.repeat(64)}`, undefined, { headers });
  expect(status).toBe(404);
  expect(html).toContain(`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">`);
  expect(html).toContain(`<title>${title}</title>`);
  expect(html).toContain(advice);
});
