import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { testApi, type TestApi } from '../../../support/api.ts';
import { contrastFaults } from '../../../support/contrast-faults.ts';
import { realChromium } from '../../../support/receipts/real-printer.ts';

const found = await realChromium();
const longest = 60_000;
const pages = [
  '/',
  '/docs',
  '/docs/sell.html',
  '/docs/guide',
  '/docs/guide/registers/first-sale',
  '/docs/guide/changelog',
];
const screens = [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1360, colorScheme: 'light' },
  { width: 1360, colorScheme: 'dark' },
] as const;

(found ? describe : () => undefined)('in a real browser', () => {
  let api: TestApi;
  let browser: Browser;
  beforeAll(async () => {
    api = await testApi();
    if (!found) return;
    const isRoot = process.getuid?.() === 0;
    browser = await chromium.launch({ executablePath: found.path, env: found.env, chromiumSandbox: !isRoot });
  }, longest);
  afterAll(async () => {
    await browser?.close();
    await api.close();
  });

  async function opened<Seen>(
    path: string,
    { width, colorScheme }: (typeof screens)[number],
    look: (page: Page, faults: string[]) => Promise<Seen>,
  ) {
    const context = await browser.newContext({
      ...{ viewport: { width, height: 844 }, colorScheme },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    try {
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(`${api.url}${path}`);
      return await look(page, faults);
    } finally {
      await context.close();
    }
  }

  test.each(pages.flatMap((path) => screens.map((screen) => ({ path, ...screen }))))(
    '$path fits on $width pixels, and can be read in $colorScheme',
    async ({ path, ...screen }) => {
      await opened(path, screen, async (page, faults) => {
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        expect(await page.evaluate(contrastFaults)).toEqual([]);
        expect(faults).toEqual([]);
      });
    },
    longest,
  );

  test(
    'a request of the guide is copied as a call to this service',
    async () => {
      await opened('/docs/guide/registers/first-sale', screens[0], async (page) => {
        await page.locator('.call button').first().click();
        await page.locator('text=Copied').waitFor();
        const call = String(await page.evaluate('navigator.clipboard.readText()'));
        expect(call.split(' \\\n')[0]).toBe(
          `curl -sS -g -X POST "${api.url}/rest/V1/pos/terminals/activate?fields=terminal[terminal_id,name],location[location_id,name]"`,
        );
      });
    },
    longest,
  );

  test(
    'each row of the API page is copied as a call, before it was ever opened',
    async () => {
      await opened('/docs', screens[2], async (page) => {
        await page.locator('#settleReturn .curl').click();
        await page.getByRole('button', { name: 'Copied' }).first().waitFor();
        expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
          `curl -g -X POST "${api.url}/rest/V1/pos/rma/`,
        );
        expect(await page.locator('#settleReturn').getAttribute('open')).toBeNull();
      });
    },
    longest,
  );

  test(
    'on a phone the menu waits until it is asked for',
    async () => {
      await opened('/docs/guide/registers/hold', screens[0], async (page) => {
        const link = page.getByRole('link', { name: 'Offline, and back' });
        expect(await link.isVisible()).toBe(false);
        await page.getByText('Menu').click();
        await link.click();
        expect(new URL(page.url()).pathname).toBe('/docs/guide/registers/offline');
      });
    },
    longest,
  );
});
