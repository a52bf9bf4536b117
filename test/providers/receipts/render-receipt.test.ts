import { describe, expect, test } from 'vitest';
import { printReceipt } from '../../../providers/receipts/printed-receipt.ts';
import { money } from '../../../domain/money/amount.ts';
import {
  renderReceiptMail,
  renderReceiptNotice,
  renderReceiptPage,
} from '../../../providers/receipts/render-receipt.ts';
import { aPlace, anItem, aReceiptView } from '../../support/receipts/a-receipt-view.ts';
import { everyKind } from '../../support/receipts/kinds.ts';
import { waysOut } from '../../support/receipts/ways-out.ts';

/** What reads the page reads its text: everything between the tags, signs of the language turned back. */
const textOf = (html: string) =>
  html
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&#x60;', '`')
    .replaceAll('&#x3D;', '=')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

const hostile = [
  ...Object.values(waysOut('http://127.0.0.1:9', '/etc/passwd')),
  '"><svg onload=alert(1)>',
  '</style><iframe src=file:///etc/passwd>',
  '{{constructor}}',
  '{{{x}}}',
  '{{lookup this "__proto__"}}',
  'javascript:alert(1)',
  '<a href="data:text/html,x">',
  '<base href=//evil>',
];

describe.each(hostile)('%j in every field', (text) => {
  const view = aReceiptView({
    items: [anItem({ name: text, sku: text })],
    place: aPlace({
      name: text,
      street: text,
      receipt_header: text,
      receipt_footer: text,
      phone: text,
      vat_number: text,
    }),
    receipt: {
      staffName: text,
      terminalName: text,
      customerName: text,
      receiptNumber: text,
      orderIncrementId: text,
      paymentMethod: text,
      terminalInfo: text,
      currency: text,
      shipToShipments: JSON.stringify([{ name: text, street: [text], method: text, items: [{ name: text }] }]),
      splitPayments: JSON.stringify([{ label: text, amount: '1.00', card_brand: text, auth_code: text }]),
      appliedCredits: JSON.stringify([{ type: text, label: text, code: text }]),
      receiptModel: JSON.stringify({
        schema_version: 1,
        totals: { tax_breakdown: [{ label: text, rate: text }] },
        fiscal: { signature: text, [text]: 'key', qr_code_data: text },
      }),
    },
    settings: {
      'general/store_information/name': text,
      'vendor_pos_terminal/receipt/qr_text': text,
      'vendor_pos_terminal/receipt/qr_url': text,
    },
  });
  const actions = { notice: { text, isProblem: true }, emailUrl: '/e', hidden: [{ name: text, value: text }] };

  test.each([
    ['page', () => renderReceiptPage(view, { actions })],
    ['mail', () => renderReceiptMail(view).html],
    ['notice', () => renderReceiptNotice({ title: text, text, isProblem: true })],
  ])('is text of the %s and nothing else', (_which, render) => {
    const html = render();
    const plain = renderReceiptPage(aReceiptView());
    expect(textOf(html)).toContain(text.replaceAll(/\s+/g, ' '));
    const tags = [...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag);
    expect(tags.filter((tag) => /^(script|iframe|object|embed|base|video|image)$/i.test(tag ?? ''))).toEqual([]);
    expect(html.match(/<(?:link|meta http-equiv)/g)).toBeNull();
    expect(html.match(/<style>/g)?.length ?? 0).toBeLessThanOrEqual(plain.match(/<style>/g)?.length ?? 0);
    expect(html).not.toMatch(/<[^>]+\son\w+=/i);
    for (const [, address] of html.matchAll(/\s(?:href|src|action)="([^"]*)"/g))
      expect(address).toMatch(/^(?:https:\/\/shop\.example\/|\/)/);
  });
});

test.each(Object.entries(everyKind))(
  'a receipt of the kind %s says the same on its page, in its mail and as text',
  (_kind, view) => {
    const shown = view();
    const mail = renderReceiptMail(shown);
    const page = textOf(renderReceiptPage(shown));
    for (const { name } of shown.items) {
      expect(page).toContain(name.replaceAll(/\s+/g, ' '));
      expect(textOf(mail.html)).toContain(name.replaceAll(/\s+/g, ' '));
      expect(mail.text).toContain(name);
    }
    const reason = shown.refund?.reason ?? '';
    for (const text of [page, textOf(mail.html), mail.text]) expect(text).toContain(reason);
    expect(mail.html).not.toContain('<style');
  },
);

test.each([
  ['en_US', 'DE', 'Germany'],
  ['de_DE', 'DE', 'Deutschland'],
  ['ar_SA', 'DE', 'ألمانيا'],
  ['en_US', 'Germany', 'Germany'],
  ['en_US', 'QQ', 'QQ'],
])('in %s the country %s of an address is %s', (locale, country, name) => {
  const shipToShipments = JSON.stringify([{ city: 'Berlin', postcode: '10178', country }]);
  const view = aReceiptView({ receipt: { shipToShipments }, parts: { locale } });
  expect(textOf(renderReceiptPage(view))).toContain(`10178 Berlin ${name}`);
  expect(renderReceiptMail(view).text).toContain(`10178 Berlin\n${name}`);
});

test('a refund is what went back, without a sign, and its column adds up to the total', () => {
  const page = textOf(renderReceiptPage(everyKind['refund']?.() ?? aReceiptView()));
  expect(page).toContain('Refund $36.72');
  expect(page).toContain('Joust Duffle Bag $34.00');
  expect(page).toContain('Subtotal $34.00 Shipping refund $5.00 Fee -$5.00 Tax $2.72 Total refunded $36.72');
  expect(page).toContain('Original order 000000042');
});

const partlyKept = 'Subtotal $34.00 Shipping refund $5.00 Fee -$5.00 Tax $2.72 Total refunded $36.72';
const allKept = 'Subtotal $34.00 Shipping refund $5.00 Fee -$41.72 Tax $2.72 Total refunded $0.00';
test.each([
  [1, '5.00', '36.72', partlyKept],
  [-1, '5.00', '36.72', partlyKept],
  [1, '41.72', '0', allKept],
  [-1, '41.72', '0', allKept],
])('a refund is shown the same, whether a register writes it with a sign or without: %d, a fee of %s', (...row) => {
  const [sign, fee, refunded, shown] = row;
  const amount = (text: string) => money(`${sign < 0 ? '-' : ''}${text}`);
  const view = aReceiptView({
    receipt: {
      saleType: 'refund',
      subtotal: amount('34.00'),
      taxAmount: amount('2.72'),
      grandTotal: amount(refunded),
      shippingRefund: money('5.00'),
      adjustmentNegative: money(fee),
    },
  });
  expect(textOf(renderReceiptPage(view))).toContain(shown);
});

test('money, moments and words are those of the shop’s language, each by its currency’s own coins', () => {
  const german = everyKind['sale-fiscal']?.() ?? aReceiptView();
  expect(textOf(renderReceiptPage(german)).replaceAll('\u00a0', ' ')).toContain('Summe 92,30 €');
  const yen = aReceiptView({ receipt: { currency: 'JPY', grandTotal: money('1980') }, parts: { locale: 'ja_JP' } });
  expect(textOf(renderReceiptPage(yen))).toContain('￥1,980');
  const dinar = aReceiptView({ receipt: { currency: 'KWD', grandTotal: money('1.250') } });
  expect(textOf(renderReceiptPage(dinar)).replaceAll('\u00a0', ' ')).toContain('KWD 1.250');
  const nothing = aReceiptView({
    receipt: { currency: null },
    parts: { locale: 'not a locale', timeZone: 'Nowhere/At' },
  });
  expect(textOf(renderReceiptPage(nothing))).toContain('Total 66.96');
});

test('a shop whose language runs from right to left has its receipt so', () => {
  expect(renderReceiptPage(everyKind['arabic']?.() ?? aReceiptView())).toContain('dir="rtl"');
});

test('the page offers the given actions, and a claimed receipt no second claim', () => {
  const actions = { emailUrl: '/e', downloadUrl: '/d', claimUrl: '/c' };
  const offered = renderReceiptPage(aReceiptView(), { actions });
  expect(offered).toContain('action="/e"');
  expect(offered).toContain('href="/d"');
  expect(offered).toContain('action="/c"');
  const claimed = renderReceiptPage(aReceiptView({ receipt: { claimedAt: new Date(0) } }), { actions });
  expect(claimed).not.toContain('action="/c"');
  expect(renderReceiptPage(aReceiptView())).not.toContain('<form');
});

test('a subject is one line, whatever the shop is called', () => {
  const view = aReceiptView({ settings: { 'general/store_information/name': 'Luma\r\nBcc: x@y.example' } });
  expect(renderReceiptMail(view).subject).toBe('Receipt 000000042 · Luma Bcc: x@y.example');
});

test('a receipt says the name of the shop once, and a short reference of the sale', () => {
  const shownOf = (place: Parameters<typeof aPlace>[0]) => {
    const view = aReceiptView({ place: aPlace(place) });
    return { ...printReceipt(view, { logo: null }), view };
  };
  const { shop, facts, view } = shownOf({
    name: 'Luma, Harbor Street',
    receipt_header: 'Luma, Harbor Street\nOpen till 8',
  });

  expect([shop.name, shop.locationName]).toEqual([view.shop.name, 'Harbor Street']);
  expect(shownOf({ name: 'Harbor Street', receipt_header: 'Luma · Harbor Street\nOpen till 8' }).shop.header).toEqual([
    'Open till 8',
  ]);
  expect(shownOf({ name: view.shop.name }).shop.locationName).toBeNull();
  expect(shownOf({ receipt_header: 'Harbor Street\nA line about Luma' }).shop.header).toEqual([
    'Harbor Street',
    'A line about Luma',
  ]);
  expect(facts).toContainEqual({ label: 'Reference', value: '6F1D2C1E', isLong: false });
});
