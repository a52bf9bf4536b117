import type { Browser, Page } from 'playwright-core';
import { showLetters, withLetters } from './letters.ts';
import type { Paper } from './printer.ts';

const loadMs = 5_000;

/** Prints a document. */
export const printIn = (browser: Browser, html: string, paper: Paper): Promise<Buffer> =>
  shownIn(browser, html, (page) => page.pdf(optionsFor(paper)));

/** Shows a document in a context of its own without scripts and network, with all letters that come with the install. */
export async function shownIn<Seen>(
  browser: Browser,
  html: string,
  look: (page: Page) => Promise<Seen>,
): Promise<Seen> {
  const { html: lettered, isHidden } = withLetters(html);
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
    await page.setContent(lettered, { waitUntil: 'load', timeout: loadMs });
    if (isHidden) await page.evaluate(showLetters);
    return await look(page);
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
