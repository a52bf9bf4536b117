import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReceiptView } from '../../../../db/receipts/read-receipt-view.ts';
import { keepReceiptPdf } from '../../../../db/receipts/receipt-pdf.repository.ts';
import { receiptDigest } from '../../../../providers/receipts/receipt-digest.ts';
import { secretBox } from '../../../support/builders/counter.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aStoredReceipt, receiptVisitor, type Page, type Visitor } from '../../../support/receipt-visitor.ts';

let shop: Visitor;
const lines: string[] = [];
/** What the stand-in of the worker answers. */
let workerSays: unknown = { state: 'sent' };

beforeAll(async () => {
  shop = await receiptVisitor((_update) => workerSays, { readLog: (line) => lines.push(line) });
  await aShop(shop.api.orm.em.fork());
});
afterAll(() => shop.api.close());

/** What must hold of whatever is answered there. */
function expectPage({ html, headers }: Page): void {
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src|unsafe-inline/);
  expect(html).not.toMatch(/<script|javascript:|\son\w+=/i);
}

/** What people who do not see the page, or have no pointer, need of it. */
function expectAccessible(html: string): void {
  expect(html).toMatch(/<html lang=["'][a-z]{2}/);
  expect(html).toMatch(/<title>[^<]+<\/title>/);
  expect(html).toMatch(/<main[ >]/);
  expect(html.match(/<h1[ >]/g)).toHaveLength(1);
  expect(html).toMatch(/name=["']viewport["'] content=["']width=device-width, initial-scale=1["']/);
  const labelled = [...html.matchAll(/<label\s+for=["']([^"']+)["']/g)].map(([, id]) => id);
  const inputs = [...html.matchAll(/<input(?!\s+type=["']hidden)[^>]*?\sid=["']([^"']+)["']/g)].map(([, id]) => id);
  expect(new Set(inputs)).toEqual(new Set(labelled));
  for (const [image] of html.matchAll(/<img [^>]*>/g)) expect(image).toContain('alt=');
}

test('a visitor with the token sees the receipt with all its actions, without scripts', async () => {
  const token = await aStoredReceipt(shop);
  const page = await shop.visit(`/receipt/${token}`);

  expect(page.status).toBe(200);
  expectPage(page);
  expectAccessible(page.html);
  expect(page.html).toContain('Mug');
  expect(page.html).toContain('108.00');
  for (const action of ['email', 'claim'])
    expect(page.html).toMatch(new RegExp(`<form method=["']post["'] action=["']/receipt/${token}/${action}["']>`));
  expect(page.html).toMatch(new RegExp(`href=["']/receipt/${token}/pdf["']`));
  expect((await shop.visit(`/receipt/${token.toUpperCase()}`)).status).toBe(200);
});

test('who only asks about the page gets its headers', async () => {
  const token = await aStoredReceipt(shop);
  const { status, html, headers } = await shop.visit(`/receipt/${token}`, undefined, { method: 'HEAD' });
  expect([status, html, headers.get('referrer-policy')]).toEqual([200, '', 'no-referrer']);
});

test('every refusal is a page of the same kind', async () => {
  const token = await aStoredReceipt(shop);
  const unknown = 'f'.repeat(64);
  const large = 'email='.padEnd(20_000, 'x');
  const typed = { 'content-type': 'application/x-www-form-urlencoded' };
  const cases: [number, Promise<Page>][] = [
    [404, shop.visit(`/receipt/${unknown}`)],
    [404, shop.visit('/receipt/short')],
    [404, shop.visit('/receipt/')],
    [404, shop.visit(`/receipt/${token}/nothing`)],
    [404, shop.visit(`/receipt/${token}/email/again`)],
    [404, shop.visit(`/receipt/${token}/constructor`)],
    [404, shop.visit(`/receipt/%00${token}`)],
    [404, shop.post(`/receipt/${unknown}/claim`, {})],
    [405, shop.visit(`/receipt/${token}`, undefined, { method: 'POST' })],
    [405, shop.visit(`/receipt/${token}`, undefined, { method: 'DELETE' })],
    [405, shop.visit(`/receipt/${token}/email`)],
    [405, shop.visit(`/receipt/${token}/claim`)],
    [405, shop.visit(`/receipt/${unknown}/pdf`, undefined, { method: 'PUT' })],
    [413, shop.visit(`/receipt/${token}/email`, undefined, { method: 'POST', body: large, headers: typed })],
    [413, shop.visit(`/receipt/${token}/claim`, undefined, { method: 'POST', body: large, headers: typed })],
    [400, shop.visit(`/receipt/${token}/email`, undefined, { method: 'POST', body: '{}' })],
    [400, shop.post(`/receipt/${token}/email`, { email: '' })],
  ];
  for (const [status, asked] of cases) {
    const page = await asked;
    expect(page.status).toBe(status);
    expectPage(page);
    expectAccessible(page.html);
  }
  expect((await shop.visit(`/receipt/${token}/email`)).headers.get('allow')).toBe('POST');
});

test('nothing that is the shop’s own reaches the page', async () => {
  const inner = {
    rawPayload: '{"x":"canary-raw"}',
    terminalDashboardUrl: 'https://dashboard.test/canary-dashboard',
    terminalRawPayload: '{"x":"canary-terminal"}',
    terminalPaymentId: 'canary-payment-id',
    customerEmail: 'canary-mail@example.com',
  };
  const { html } = await shop.visit(`/receipt/${await aStoredReceipt(shop, inner)}`);
  expect(html.match(/canary-[\w-]+/g)).toBeNull();
});

test('a mail goes to one address, and the page says so', async () => {
  const token = await aStoredReceipt(shop);
  const page = await shop.post(`/receipt/${token}/email`, { email: ' grace@example.com ' });
  expect(page.status).toBe(200);
  expectPage(page);
  expect(page.html).toMatch(/role=["']status["']>[^<]*grace@example\.com/);
});

test.each([
  'a@b,c@d',
  'Grace <grace@example.com>',
  'grace@example.com\r\nBcc: eve@example.com',
  'grace@example.com, '.repeat(1_000).slice(0, 9_000),
  '<img src=x onerror=alert(1)>',
])('%j is not one address: no mail is sent, and no part of it is run', async (email) => {
  const before = shop.mails.length;
  const page = await shop.post(`/receipt/${await aStoredReceipt(shop)}/email`, { email });
  expect(page.status).toBe(400);
  expectPage(page);
  expect(page.html).toMatch(/role=["']alert["']/);
  expect(shop.mails).toHaveLength(before);
});

test('a mail without an outcome is shown as on its way, and a repeat sends no second mail', async () => {
  const token = await aStoredReceipt(shop);
  workerSays = { state: 'waiting' };
  const first = await shop.post(`/receipt/${token}/email`, { email: 'grace@example.com' });
  const again = await shop.post(`/receipt/${token}/email`, { email: 'grace@example.com' });
  workerSays = { state: 'sent' };

  expect(first.status).toBe(200);
  expect(first.html).toMatch(/role=["']status["']>[^<]*on its way to grace@example\.com/);
  expect(first.html).not.toMatch(/role=["']alert["']/);
  expect(again.html).toContain('on its way');
  const [asked, askedAgain] = shop.mails.slice(-2);
  expect(askedAgain).toEqual(asked);
});

test('a mail that the server refused is reported in the interface’s words', async () => {
  workerSays = { state: 'dropped', reason: 'EENVELOPE' };
  try {
    const page = await shop.post(`/receipt/${await aStoredReceipt(shop)}/email`, { email: 'grace@example.com' });
    expect(page.status).toBe(400);
    expect(page.html).toContain('Failed to send receipt email: ');
  } finally {
    workerSays = { state: 'sent' };
  }
});

test('no log line has a token or an address', async () => {
  const token = await aStoredReceipt(shop);
  await shop.visit(`/receipt/${token}`);
  await shop.post(`/receipt/${token}/email`, { email: 'grace-hopper@example.com' });
  await shop.visit(`/receipt/${token}/nothing`);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes(token) || line.includes('grace-hopper'))).toEqual([]);
});

test('the PDF that was made of it is downloaded; where none can be made, a page says so', async () => {
  const { orm } = shop.api;
  const token = await aStoredReceipt(shop, { receiptNumber: 'R 7/1' });
  const { PUBLIC_BASE_URL: publicBaseUrl } = shop.api.settings;
  const view = await readReceiptView(orm.em.fork(), { token }, { box: secretBox, publicBaseUrl });
  workerSays = 'no_browser';
  const none = await shop.visit(`/receipt/${token}/pdf`);
  workerSays = { state: 'sent' };
  const wanted = { receiptId: view.receiptId, digest: receiptDigest(view) };
  await keepReceiptPdf(orm.em.fork(), { ...wanted, content: Buffer.from('%PDF-1.7 of a test') });
  const made = await shop.visit(`/receipt/${token}/pdf`, undefined, { headers: { range: 'bytes=0-3' } });

  expect(none.status).toBe(503);
  expectPage(none);
  expect([made.status, made.html]).toEqual([200, '%PDF-1.7 of a test']);
  expect(made.headers.get('content-type')).toBe('application/pdf');
  expect(made.headers.get('content-disposition')).toBe('attachment; filename="receipt-R-7-1.pdf"');
  for (const [name, value] of [
    ['referrer-policy', 'no-referrer'],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
  ] as const)
    expect(made.headers.get(name)).toBe(value);
});
