import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import {
  renderReceiptDocument,
  renderReceiptMail,
  renderReceiptPage,
} from '../../../providers/receipts/render-receipt.ts';
import { paperOf } from '../../../providers/receipts/paper-of.ts';
import { aReceiptView } from '../../support/receipts/a-receipt-view.ts';
import { everyKind } from '../../support/receipts/kinds.ts';
import { readingFaults } from '../../support/receipts/reading-faults.ts';
import { layoutFaults } from '../../support/receipts/layout-faults.ts';
import { pictureOfPdf } from '../../support/receipts/pdf-picture.ts';
import { aRealPrinter, realChromium } from '../../support/receipts/real-printer.ts';
import { differenceFrom, isUpdating, keptText, keepForDocs } from '../../support/receipts/reference-picture.ts';

const found = await realChromium();
const longest = 60_000;
const actions = { emailUrl: '/e', downloadUrl: '/d', claimUrl: '/c' };
const viewOf = (kind: string) => everyKind[kind]?.() ?? aReceiptView();
/** A phone, and paper of 80 mm with its margins off. */
const media = [
  { medium: 'phone', width: 390, media: 'screen', colorScheme: 'light' },
  { medium: 'dark', width: 390, media: 'screen', colorScheme: 'dark' },
  { medium: 'roll', width: 272, media: 'print', colorScheme: 'light' },
] as const;
const cases = Object.keys(everyKind).flatMap((kind) =>
  // The dark differs in its colours alone: two of them say it.
  media
    .filter(({ medium }) => medium !== 'dark' || /^(?:sale|settlement)$/.test(kind))
    .map((how) => ({ kind, ...how })),
);

/** Pixels say something where the same browser has the same fonts: a line of letters is as wide as it was. */
const browserFile = new URL('./pictures/browser.txt', import.meta.url);
let isSameBrowser = false;

(found ? describe : () => undefined)('as it is seen', () => {
  const printer = aRealPrinter();
  let browser: Browser;
  beforeAll(async () => {
    if (!found) return;
    const isRoot = process.getuid?.() === 0;
    browser = await chromium.launch({ executablePath: found.path, env: found.env, chromiumSandbox: !isRoot });
    const page = await browser.newPage();
    await page.setContent('<span style="font:100px system-ui,sans-serif">Receipt 0123 العربية</span>');
    const width: unknown = await page.evaluate('document.querySelector("span").getBoundingClientRect().width');
    await page.close();
    const now = `${browser.version()}, ${Number(width).toFixed(1)}\n`;
    if (isUpdating) writeFileSync(browserFile, now);
    isSameBrowser = readFileSync(browserFile, 'utf8') === now;
  }, longest);
  afterAll(async () => {
    await browser?.close();
    await printer.close();
  });

  test.each(cases)(
    'a receipt of the kind $kind on $medium',
    async ({ kind, medium, width, media: how, colorScheme }) => {
      const page = await browser.newPage({ viewport: { width, height: 600 } });
      try {
        await page.emulateMedia({ media: how, colorScheme });
        await page.setContent(renderReceiptPage(viewOf(kind), { actions }));
        expect(await page.evaluate(layoutFaults)).toEqual([]);
        expect(await page.evaluate(readingFaults)).toEqual([]);
        const text = `${await page.locator('article').innerText()}\n`;
        if (medium === 'phone') expect(text).toBe(keptText(kind, text));
        if (!isSameBrowser) return;
        const picture = await page.screenshot({ fullPage: true, animations: 'disabled' });
        keepForDocs(`${kind}-${medium}`, picture);
        expect(differenceFrom(`${kind}-${medium}`, PNG.sync.read(picture))).toBeUndefined();
      } finally {
        await page.close();
      }
    },
    longest,
  );

  test.each(Object.keys(everyKind).flatMap((kind) => [390, 800].map((width) => ({ kind, width }))))(
    'the mail of the kind $kind reads well where $width pixels are wide',
    async ({ kind, width }) => {
      const page = await browser.newPage({ viewport: { width, height: 600 } });
      try {
        await page.setContent(renderReceiptMail(viewOf(kind)).html);
        expect(await page.evaluate(readingFaults)).toEqual([]);
      } finally {
        await page.close();
      }
    },
    longest,
  );

  test.each(Object.keys(everyKind))(
    'the first page of the PDF of the kind %s',
    async (kind) => {
      const view = viewOf(kind);
      const pdf = await printer.print(renderReceiptDocument(view, { logo: null }), paperOf(view.locale));
      if (isSameBrowser) expect(differenceFrom(`${kind}-pdf`, await pictureOfPdf(pdf))).toBeUndefined();
    },
    longest,
  );
});
