import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { shownIn } from '../../../providers/documents/print-in.ts';
import { paperOf } from '../../../providers/receipts/paper-of.ts';
import { printReceipt } from '../../../providers/receipts/printed-receipt.ts';
import { renderReceiptDocument, renderReceiptPage } from '../../../providers/receipts/render-receipt.ts';
import { anItem, aReceiptView } from '../../support/receipts/a-receipt-view.ts';
import { everyKind } from '../../support/receipts/kinds.ts';
import { readPdf } from '../../support/receipts/pdf-text.ts';
import { aRealPrinter, realChromium } from '../../support/receipts/real-printer.ts';
import { waysOut } from '../../support/receipts/ways-out.ts';

const found = await realChromium();
const longest = 60_000;
/** A line may break anywhere, and a PDF says so by a blank or by none. */
const dense = (text: string) => text.replaceAll(/[\s\u200b-\u200f\u061c]/g, '');

test('paper is that of the country', () => {
  expect(['en_US', 'de_DE', 'fr_CA', 'no locale'].map(paperOf)).toEqual(['letter', 'a4', 'letter', 'a4']);
});

(found ? describe : () => undefined)('in a real browser', () => {
  const printer = aRealPrinter();
  let browser: Browser;
  beforeAll(async () => {
    if (!found) return;
    const isRoot = process.getuid?.() === 0;
    browser = await chromium.launch({ executablePath: found.path, env: found.env, chromiumSandbox: !isRoot });
  }, longest);
  afterAll(async () => {
    await browser?.close();
    await printer.close();
  });

  // Letters that join or run the other way are stored in a PDF in other forms than they were written.
  test.each(Object.entries(everyKind).filter(([kind]) => kind !== 'arabic'))(
    'the PDF of the kind %s says all that the receipt does',
    async (_kind, view) => {
      const shown = view();
      const printed = printReceipt(shown, { logo: null });
      const pdf = await readPdf(
        await printer.print(renderReceiptDocument(shown, { logo: null }), paperOf(shown.locale)),
      );

      const said = dense(pdf.text);
      const wanted = [
        ...[printed.title, printed.amount, printed.moment, printed.total?.value, printed.bars?.text],
        ...printed.items.flatMap(({ name, total, quantity }) => [name, total, quantity]),
        ...[...printed.facts, ...printed.totals, ...printed.payments, ...printed.credits].flatMap(
          ({ label, value }) => [label, value],
        ),
        ...(printed.layaway?.rows ?? []).flatMap(({ label, value }) => [label, value]),
        ...(printed.fiscal?.lines ?? []).map(({ value }) => value),
        ...printed.shipments.flatMap(({ lines, items }) => [...lines, ...items.map(({ name }) => name)]),
        ...[...printed.shop.address, ...printed.shop.header, ...printed.shop.footer],
      ];
      for (const text of wanted) if (text) expect(said).toContain(dense(text));
      expect(said.split(dense(printed.shop.name)).length - 1).toBe(1);
      expect(pdf.isTagged).toBe(true);
    },
    longest,
  );

  test(
    'a name in any of these scripts is drawn with its own letters',
    async () => {
      const names = [
        '抹茶ラテ',
        '日本語',
        '中文',
        '繁體',
        '한국어',
        'ผัดไทยกุ้งสด',
        'क्षेत्रीय',
        'தமிழ்',
        '🍕',
        'مرحبا',
        'שלום',
      ];
      const drawn = await picturesOf(names);
      // What a browser draws for letters that no font has: blanks, or boxes.
      const lacking = await picturesOf(names.map((name) => '\u{10fffd}'.repeat(Array.from(name).length)));

      const same = names.filter((_, at) => drawn[at]?.equals(lacking[at] ?? Buffer.alloc(0)));
      expect(same).toEqual([]);
      expect(new Set(drawn.map(String)).size).toBe(names.length);
    },
    longest,
  );

  /** The names of a receipt's lines as its PDF shows them. */
  const picturesOf = (names: string[]): Promise<Buffer[]> => {
    const view = aReceiptView({ items: names.map((name) => anItem({ name, sku: null })) });
    return shownIn(browser, renderReceiptDocument(view, { logo: null }), async (page) => {
      const pictures: Buffer[] = [];
      for (const line of await page.locator('.items .name').all()) pictures.push(await line.screenshot());
      return pictures;
    });
  };

  test(
    'what tries to get out is printed as the text it is',
    async () => {
      const tries = Object.values(waysOut('http://127.0.0.1:9', '/etc/passwd'));
      const view = aReceiptView({ items: tries.map((name) => anItem({ name, sku: null })) });
      const { text } = await readPdf(await printer.print(renderReceiptDocument(view, { logo: null }), 'a4'));
      for (const hostile of tries) expect(dense(text)).toContain(dense(hostile));
    },
    longest,
  );

  test.each(
    Object.keys(everyKind).flatMap((kind) => [
      { kind, width: 320, media: 'screen' as const },
      { kind, width: 390, media: 'screen' as const },
      { kind, width: 272, media: 'print' as const },
    ]),
  )(
    'a receipt of the kind $kind fits on $width pixels of $media',
    async ({ kind, width, media }) => {
      const page = await browser.newPage({ viewport: { width, height: 800 }, javaScriptEnabled: true });
      try {
        await page.emulateMedia({ media });
        const actions = { emailUrl: '/e', downloadUrl: '/d', claimUrl: '/c' };
        await page.setContent(renderReceiptPage(everyKind[kind]?.() ?? aReceiptView(), { actions }));
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        expect(await page.evaluate('document.querySelectorAll("h1").length')).toBe(1);
        const names = await page.getByRole('button', { includeHidden: true }).count();
        expect(names).toBeGreaterThan(0);
      } finally {
        await page.close();
      }
    },
    longest,
  );
});
