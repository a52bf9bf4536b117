import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { readReceiptView } from '../../../../db/receipts/read-receipt-view.ts';
import { keepReceiptLogo } from '../../../../db/receipts/receipt-logo.repository.ts';
import { keepReceiptPdf } from '../../../../db/receipts/receipt-pdf.repository.ts';
import { receiptDigest } from '../../../../providers/receipts/render-receipt.ts';
import { booksOf } from '../../../support/books.ts';
import { quickHash, secretBox } from '../../../support/builders/counter.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aSecondWebsite } from '../../../support/builders/wallet.ts';
import { useApi } from '../../../support/fixtures.ts';
import { aStoredReceipt, type Page, receiptVisitor, type Visitor } from '../../../support/receipt-visitor.ts';
import { atOnce } from '../../../support/rivals.ts';

describe('claim on page', () => {
  let shop: Visitor;

  beforeAll(async () => {
    shop = await receiptVisitor(() => ({ state: 'sent' }));
    await aShop(fork());
    await aSecondWebsite(fork());
  });
  afterAll(() => shop.api.close());

  const { theOrder, fork } = booksOf(() => shop.api.orm);
  const password = 'Correct horse 1';
  let people = 0;

  async function somebody(of = { websiteId: 1, storeId: 1 }) {
    const email = `Claimer${++people}@shop.test`;
    const em = fork();
    const name = { firstname: 'Cleo', lastname: 'Claim' };
    const customer = em.create(Customer, { ...of, ...name, groupId: 1, email, passwordHash: quickHash(password) });
    await em.flush();
    return { email, password, customerId: customer.id };
  }

  async function aClaimable() {
    const { incrementId, orderId } = await anOrder(fork(), { paid: false, shipped: false });
    return { token: await aStoredReceipt(shop, { orderIncrementId: incrementId }), orderId };
  }

  /** Each from an address of its own: here it is not limits that are looked at. */
  let places = 0;
  const claim = (token: string, { email, password, token: own }: Given, headers?: Record<string, string>) => {
    const fields = Object.entries({ email, password, token: own }).filter(
      (field): field is [string, string] => !!field[1],
    );
    return shop.post(`/receipt/${token}/claim`, Object.fromEntries(fields), `198.51.100.${++places}`, headers);
  };
  interface Given {
    email?: string;
    password?: string;
    token?: string;
  }
  const ownerOf = async (orderId: number) => (await theOrder(orderId, 'customer_id')).customer_id;
  const said = ({ html }: Page) => /role=["'](?:alert|status)["']>([^<]*)</.exec(html)?.[1];

  test('with password, in whatever case of the address, the receipt is in the account, and the page says so', async () => {
    const [{ token, orderId }, ann] = [await aClaimable(), await somebody()];
    const page = await claim(token, { email: ` ${ann.email.toUpperCase()} `, password });

    expect([page.status, said(page)]).toEqual([200, 'The receipt is in your account now.']);
    expect(page.html).not.toContain('/claim');
    expect(page.html).not.toContain(password);
    expect(await ownerOf(orderId)).toBe(ann.customerId);
    expect((await shop.visit(`/receipt/${token}`)).html).not.toContain('/claim');
  });

  test.each(['header', 'form'])('with a customer’s own token, in the %s', async (where) => {
    const [{ token, orderId }, ann] = [await aClaimable(), await somebody()];
    const own = await shop.api.customerToken(ann.customerId);
    const page = await (where === 'header'
      ? claim(token, {}, { authorization: `Bearer ${own}` })
      : claim(token, { token: own }));
    expect(page.status).toBe(200);
    expect(await ownerOf(orderId)).toBe(ann.customerId);
  });

  test('a second claim is refused, to the claimer and to others', async () => {
    const [{ token, orderId }, ann, ben] = [await aClaimable(), await somebody(), await somebody()];
    await claim(token, ann);
    const [again, other] = [await claim(token, ann), await claim(token, ben)];
    expect([again.status, said(again)]).toEqual([409, 'This receipt is already in your account.']);
    expect([other.status, said(other)]).toEqual([409, 'This receipt has already been claimed.']);
    expect(await ownerOf(orderId)).toBe(ann.customerId);
  });

  test('of eight claims at once one wins', async () => {
    const { token, orderId } = await aClaimable();
    const crowd = await atOnce(4, () => somebody());
    const pages = await Promise.all(crowd.flatMap((one) => [claim(token, one), claim(token, one)]));
    const winners = crowd.filter((_, at) => pages[2 * at]?.status === 200 || pages[2 * at + 1]?.status === 200);
    expect(pages.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array<number>(7).fill(409),
    ]);
    expect(await ownerOf(orderId)).toBe(winners[0]?.customerId);
  });

  test('the answer does not show whether an address has an account', async () => {
    const [{ token, orderId }, ann] = [await aClaimable(), await somebody()];
    const elsewhere = await somebody({ websiteId: 2, storeId: 3 });
    const long = 'x'.repeat(2_000);
    const tries = [
      { email: ann.email, password: 'wrong' },
      { email: 'nobody@shop.test', password },
      { email: elsewhere.email, password },
      { email: `${long}@shop.test`, password },
      { email: ann.email, password: long },
      { token: 'a token of nobody' },
      { token: shop.api.tokens.admin },
      { token: await shop.api.customerToken(elsewhere.customerId) },
    ];
    const pages = await Promise.all(tries.map((fields) => claim(token, fields)));
    const bodies = new Set(pages.map(({ html }) => html));
    expect(pages.map(({ status }) => status)).toEqual(tries.map(() => 401));
    expect(bodies.size).toBe(1);
    // A field with NUL is refused before any address is looked up.
    const unusable = await claim(token, { email: 'nobody\u0000@shop.test', password });
    expect(unusable.status).toBe(400);
    expect(await ownerOf(orderId)).toBeNull();
  });

  test('six wrong passwords lock the name here as everywhere', async () => {
    const [{ token, orderId }, ann] = [await aClaimable(), await somebody()];
    for (let at = 0; at < 6; at++) await claim(token, { ...ann, password: 'wrong' });
    expect((await claim(token, ann)).status).toBe(401);
    expect(await ownerOf(orderId)).toBeNull();
  });

  test('before the order is placed nothing can be claimed, and no password is looked at', async () => {
    const [token, ann] = [await aStoredReceipt(shop), await somebody()];
    const page = await claim(token, { ...ann, password: 'wrong' });
    expect([page.status, said(page)]).toEqual([409, 'This purchase is still being booked. Please try again later.']);
  });

  test('an empty field is asked for', async () => {
    const { token } = await aClaimable();
    const page = await claim(token, { email: 'ann@shop.test', password: '' });
    expect([page.status, said(page)]).toEqual([400, 'Please enter your e-mail address and your password.']);
  });

  test('a save never moves a claimed order to another customer', async () => {
    const [{ token, orderId }, ann, ben] = [await aClaimable(), await somebody(), await somebody()];
    await claim(token, ann);
    const save = (customer_id: number) =>
      shop.api.call('POST', '/V1/orders', {
        token: shop.api.tokens.register,
        body: { entity: { entity_id: orderId, customer_id } },
      });
    expect((await save(ben.customerId)).status).toBe(400);
    expect((await save(ann.customerId)).status).toBe(200);
    expect(await ownerOf(orderId)).toBe(ann.customerId);
  });
});

describe('page languages', () => {
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
});

describe('receipt logos', () => {
  const content = Buffer.from('a picture');
  const digest = createHash('sha256').update(content).digest('hex');

  const api = useApi();
  beforeAll(() => keepReceiptLogo(api.orm.em.fork(), { digest, content, width: 1, height: 1 }));

  const get = (name: string, method = 'GET') => fetch(`${api.url}/receipt-logo/${name}`, { method });

  test('a logo is served as a picture that never changes', async () => {
    const answer = await get(digest);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });

  test('a name asked for without the bytes has no body', async () => {
    const answer = await get(digest, 'HEAD');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test.each([
    ['an unknown name', 'f'.repeat(64), 'GET'],
    ['no name of ours', '..%2Fetc', 'GET'],
    ['what is no way to ask', digest, 'DELETE'],
  ])('%s is not there', async (_what, name, method) => {
    expect((await get(name, method)).status).toBeGreaterThanOrEqual(404);
  });
});

describe('receipt pages', () => {
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
});

describe('visit limits', () => {
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
});
