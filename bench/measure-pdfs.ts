import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Browser } from 'playwright-core';
import { readReceiptView } from '../db/receipts/read-receipt-view.ts';
import { keepReceiptPdf } from '../db/receipts/receipt-pdf.repository.ts';
import { saveReceipt } from '../db/receipts/save-receipt.ts';
import { createSecretBox } from '../db/support/secret-box.ts';
import { money, pieces } from '../domain/money.ts';
import { startBrowser, findChromium } from '../providers/documents/browser.ts';
import { printIn } from '../providers/documents/print-in.ts';
import { paperOf } from '../providers/receipts/paper-of.ts';
import { receiptDigest, renderReceiptDocument } from '../providers/receipts/render-receipt.ts';

export interface PdfsInput {
  orm: MikroORM;
  rounds: number;
  say: (line: string) => void;
}

/** Milliseconds of each PDF, ours and bare, with so many at the same time. */
export interface PdfsMeasured {
  atOnce: number;
  ms: number[];
  bareMs: number[];
}

const printsPerRound = 20;
const means = { box: createSecretBox(Buffer.alloc(32, 7).toString('base64')), publicBaseUrl: 'https://shop.example' };

/**
 * A receipt's PDF from row to row: read, written as a document, printed in its own browser context, stored. Beside it
 * bare `page.pdf()` of that document, in the same warm browser.
 *
 * @returns undefined where no browser is found
 */
export async function measurePdfs({ orm, rounds, say }: PdfsInput): Promise<PdfsMeasured[] | undefined> {
  const found = await findChromium({
    path: process.env['CHROMIUM_PATH'],
    cacheFolder: join(tmpdir(), 'pos-bench-chromium'),
  });
  if (typeof found === 'string') {
    say(found);
    return undefined;
  }
  const receiptId = await aReceipt(orm);
  const running = await startBrowser({
    found,
    user: undefined,
    log: { warn: () => undefined },
  });
  try {
    const { browser } = running;
    const view = await readReceiptView(orm.em.fork(), { receiptId }, means);
    const bare = await bareWay(browser, renderReceiptDocument(view, { logo: null }));
    const own = () => print(orm, browser, receiptId);
    const measured: PdfsMeasured[] = [];
    for (const atOnce of [1, 4]) {
      await inParallel(own, atOnce, atOnce * 2);
      await inParallel(bare, atOnce, atOnce * 2);
      const one: PdfsMeasured = { atOnce, ms: [], bareMs: [] };
      for (let round = 1; round <= rounds; round++) {
        one.ms.push(...(await inParallel(own, atOnce, printsPerRound)));
        one.bareMs.push(...(await inParallel(bare, atOnce, printsPerRound)));
        say(`  receipt PDF, ${atOnce} at once, round ${round}`);
      }
      measured.push(one);
    }
    return measured;
  } finally {
    await running.kill();
  }
}

async function print(orm: MikroORM, browser: Browser, receiptId: number): Promise<void> {
  const em = orm.em.fork();
  const view = await readReceiptView(em, { receiptId }, means);
  const content = await printIn(browser, renderReceiptDocument(view, { logo: null }), paperOf(view.locale));
  await keepReceiptPdf(em, { receiptId, digest: receiptDigest(view), content });
}

/** A new context, the document, its PDF: the minimum. */
async function bareWay(browser: Browser, html: string): Promise<() => Promise<void>> {
  return async () => {
    const page = await browser.newPage();
    await page.setContent(html, { waitUntil: 'load' });
    await page.pdf({ format: 'Letter', printBackground: true, tagged: true });
    await page.close();
  };
}

/** Runs so many at the same time until all are done; returns the time of each. */
async function inParallel(work: () => Promise<void>, atOnce: number, all: number): Promise<number[]> {
  const took: number[] = [];
  let begun = 0;
  const hand = async () => {
    while (begun++ < all) {
      const start = performance.now();
      await work();
      took.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, hand));
  return took;
}

function aReceipt(orm: MikroORM): Promise<number> {
  const fields = { posOrderId: 'a-pdf', currency: 'USD', grandTotal: money('42'), receiptNumber: 'R-1' };
  const items = Array.from({ length: 6 }, (_, line) => ({
    sku: `SKU-${line}`,
    name: `Thing number ${line}`,
    qty: pieces(1),
    price: money('7'),
    rowTotal: money('7'),
  }));
  return saveReceipt(orm.em.fork(), means.box, { fields, items });
}
