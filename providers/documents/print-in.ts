import type { Browser, Page } from 'playwright-core';
import type { Paper } from './printer.ts';

const loadMs = 5_000;

/** Prints a document in a separate browser context without scripts and network, which is closed afterwards. */
export async function printIn(browser: Browser, html: string, paper: Paper): Promise<Buffer> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    offline: true,
    serviceWorkers: 'block',
    acceptDownloads: false,
    colorScheme: 'light',
  });
  try {
    await context.route('**/*', (route) => route.abort());
    const page = await context.newPage();
    await page.setContent(html, { waitUntil: 'load', timeout: loadMs });
    return await page.pdf(optionsFor(paper));
  } finally {
    await context.close().catch(() => undefined);
  }
}

/** A tagged PDF, so that screen readers can read it. */
const optionsFor = (paper: Paper): Parameters<Page['pdf']>[0] => ({
  ...sizes[paper],
  printBackground: true,
  tagged: true,
});

const sheet = { margin: { top: '14mm', bottom: '14mm', left: '18mm', right: '18mm' } };
const sizes = {
  a4: { format: 'A4', ...sheet },
  letter: { format: 'Letter', ...sheet },
  roll: { width: '80mm', height: '297mm', margin: { top: '4mm', bottom: '4mm', left: '4mm', right: '4mm' } },
} as const;
