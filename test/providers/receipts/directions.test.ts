import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { noticeText } from '../../../providers/receipts/notice-words.ts';
import { renderReceiptMail, renderReceiptPage } from '../../../providers/receipts/render-receipt.ts';
import { aReceiptView } from '../../support/receipts/a-receipt-view.ts';
import { realChromium } from '../../support/receipts/real-printer.ts';

/** A receipt whose texts have several sources, some of another direction than the receipt. */
const mixedIn = (locale: string) =>
  aReceiptView({
    receipt: {
      receiptModel: JSON.stringify({
        schema_version: 1,
        items: [
          {
            ...{ name: 'Tea شاي', qty: 2, price: 4.5, row_total: 9, base_unit_price: 6 },
            options: [
              { label: 'Size 7', value: 'كبير' },
              { label: 'اللون', value: 'Red 9' },
            ],
          },
        ],
        totals: {
          subtotal: 5,
          grand_total: 5,
          tax_breakdown: [
            { label: 'VAT', rate: 19, base: 4.2, amount: 0.8 },
            { label: 'ضريبة', rate: 7, base: 3.1, amount: 0.2 },
          ],
        },
        payment: {
          applied_credits: [
            { type: 'gift_card', label: 'Gift', code: 'GC-7QK2-9XWP-4421', amount: 1 },
            { type: 'reward_points', points: 500, amount: 1 },
          ],
          split_payments: [{ method: 'card', label: 'Karte', amount: 3, auth_code: 'A08321', aid: 'A0000031' }],
        },
      }),
    },
    parts: { locale },
  });

/** From the beginning of a line to its end, as it is read. */
const arabicLines = [
  ['VAT', '19', 'على', '4.20'],
  ['ضريبة', '7', 'على', '3.10'],
  ['×', '4.50', '6.00'],
  ['Size', 'كبير'],
  ['اللون', 'Red'],
  ['Gift', '4421'],
  ['نقاط', '500', 'نقطة'],
  ['رمز', 'A08321'],
];
const englishLines = [
  ['VAT', '19', 'on', '4.20'],
  ['ضريبة', '7', 'on', '3.10'],
  ['Size', 'كبير'],
  ['اللون', 'Red'],
];

/** Where the words of a line begin, in pixels from the left; the line is the first place that has them all in order. */
const placesOf = String.raw`((words) => {
  const nodes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest('style,.unseen')) nodes.push(walker.currentNode);
  const whole = nodes.map(({ nodeValue }) => nodeValue).join('');
  const between = words.map((word) => word.replace(/[.*+?()]/g, '\\$&')).join('[^]{0,60}?');
  const found = new RegExp(between, 'd').exec(whole);
  if (!found) return undefined;
  let at = found.index;
  return words.map((word) => {
    let start = whole.indexOf(word, at);
    at = start + word.length;
    for (const node of nodes) {
      if (start + word.length <= node.nodeValue.length) {
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, start + word.length);
        return Math.round(range.getBoundingClientRect().left);
      }
      start -= node.nodeValue.length;
    }
  });
})`;

const found = await realChromium();
(found ? describe : () => undefined)('as it is read', () => {
  let browser: Browser;
  beforeAll(async () => {
    if (!found) return;
    const isRoot = process.getuid?.() === 0;
    browser = await chromium.launch({ executablePath: found.path, env: found.env, chromiumSandbox: !isRoot });
  });
  afterAll(() => browser?.close());

  test.each([
    ['ar_AE', 'page', arabicLines],
    ['ar_AE', 'mail', arabicLines.filter(([first]) => first !== '×')],
    ['en_US', 'page', englishLines],
    ['en_US', 'mail', englishLines],
  ] as const)('a receipt in %s, as %s, keeps the order of texts in two directions', async (locale, medium, lines) => {
    const view = mixedIn(locale);
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    await page.setContent(medium === 'page' ? renderReceiptPage(view) : renderReceiptMail(view).html);
    for (const words of lines) {
      const places = await page.evaluate<number[] | undefined>(`${placesOf}(${JSON.stringify(words)})`);
      const sign = locale === 'en_US' ? 1 : -1;
      expect([words, places?.toSorted((one, other) => sign * (one - other))]).toEqual([words, places]);
      expect([words, places?.length]).toEqual([words, words.length]);
    }
    await page.close();
  });
});

test('a text mail and its subject isolate what they join, in a document of the other direction alone', () => {
  const { subject, text } = renderReceiptMail(mixedIn('ar_AE'));
  expect(subject).toBe('\u200F\u2068\u200F\u2068إيصال\u2069 \u2068000000042\u2069\u2069 · \u2068Luma\u2069');
  expect(text).toContain(
    '\u200F\u2068\u200F\u2068VAT\u2069 \u206819\u200E%\u200E\u2069 \u2068على\u2069 ' +
      '\u2068\u200F4.20\u00A0US$\u2069\u2069: \u2068\u200F0.80\u00A0US$\u2069\n',
  );

  const english = renderReceiptMail(mixedIn('en_US'));
  expect(english.subject).toBe('Receipt 000000042 · Luma');
  expect(english.text).toContain('VAT 19% on $4.20: $0.80\n\u200E\u2068\u200E\u2068ضريبة\u2069 \u20687%\u2069');
});

test('a text that ends an isolate, or leaves one open, changes nothing around it', () => {
  const view = mixedIn('ar_AE');
  const taxes = ['a\u2069b', 'c\u2067d'].map((label) => ({ label, rate: '5', base: null, amount: null }));
  const { text } = renderReceiptMail({ ...view, totals: { ...view.totals, taxes } });
  expect(text).toContain('\u2068ab\u2069 \u20685\u200E%\u200E\u2069');
  expect(text).toContain('\u2068c\u2067d\u2069\u2069 \u20685\u200E%\u200E\u2069');
});

test('a sentence of the page isolates the address in it', () => {
  const said = { message: 'The receipt was sent to %1.', parameters: ['ann@example.com'] };
  expect(noticeText('ar_SA', said)).toBe('أُرسل الإيصال إلى \u2068ann@example.com\u2069.');
  expect(noticeText('en_US', said)).toBe('The receipt was sent to ann@example.com.');
});
