import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import type { TestApi } from './api.ts';
import { codeOf, type OpsPerson } from './ops.ts';
import { realChromium } from './receipts/real-printer.ts';

/** The Chromium that comes with the install; undefined without one, and tests that need it are skipped. */
export const found = await realChromium();

/** Starting a browser, and pages while other tests keep the machine busy. */
export const longest = 120_000;

/** As a nightly phone: the narrowest there is, and no scripts. */
export const phone = { viewport: { width: 320, height: 640 }, javaScriptEnabled: false } as const;

/** A person at the operator's page, with a real browser. */
export function aRealBrowser(api: () => TestApi) {
  let browser: Browser | undefined;
  const opened = async (options: BrowserContextOptions): Promise<Page> => {
    if (!found) throw new Error('There is no Chromium here.');
    browser ??= await chromium.launch({ executablePath: found.path, env: found.env, args: ['--no-sandbox'] });
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    return context.newPage();
  };
  return {
    opened,
    /** A page that is closed afterwards. */
    withPage: async <Seen>(options: BrowserContextOptions, look: (page: Page) => Promise<Seen>): Promise<Seen> => {
      const page = await opened(options);
      try {
        return await look(page);
      } finally {
        await page.context().close();
      }
    },
    /** `ahead`: with the code of so many half minutes later, where one was used before. */
    signIn: async (page: Page, { name, password, secret }: OpsPerson, ahead = 0): Promise<void> => {
      await page.goto(`${api().url}/ops`);
      await page.fill('[name=name]', name);
      await page.fill('[name=password]', password);
      if (secret !== undefined) await page.fill('[name=code]', codeOf(secret, ahead));
      await page.click('main button');
    },
    close: async (): Promise<void> => browser?.close(),
  };
}

/** Opens what is folded away around a form. */
export async function unfold(form: Locator): Promise<void> {
  const folded = form.locator('xpath=ancestor::details[not(@open)]');
  for (const one of await folded.all()) await one.locator('> summary').click();
}
