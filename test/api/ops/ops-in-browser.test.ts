import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aRefundAttempt, aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { anOpsAdmin, codeOf, type OpsPerson } from '../../support/ops.ts';
import { realChromium } from '../../support/receipts/real-printer.ts';

const found = await realChromium();
const longest = 120_000;
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const aSale = (location_id: number) => ({
  ...{
    location_id,
    currency: 'USD',
    created_at: new Date(),
    payment_method: 'cash',
    grand_total: '42',
  },
});

/** As a nightly phone: the narrowest there is, and no scripts. */
const phone = { viewport: { width: 320, height: 640 }, javaScriptEnabled: false } as const;

(found ? describe : () => undefined)('the operator’s page in a real browser', () => {
  let api: TestApi;
  let browser: Browser;
  let locationId: number;
  beforeAll(async () => {
    api = await testApi({ settings: { POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') } });
    ({ locationId } = await aShop(api.orm.em.fork()));
    if (found) browser = await chromium.launch({ executablePath: found.path, env: found.env, args: ['--no-sandbox'] });
  }, longest);
  afterAll(async () => {
    await browser?.close();
    await api.close();
  });

  async function opened<Seen>(options: BrowserContextOptions, look: (page: Page) => Promise<Seen>): Promise<Seen> {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    try {
      return await look(await context.newPage());
    } finally {
      await context.close();
    }
  }

  async function signIn(page: Page, { name, password, secret }: OpsPerson, ahead = 0) {
    await page.goto(`${api.url}/ops`);
    await page.fill('[name=name]', name);
    await page.fill('[name=password]', password);
    if (secret !== undefined) await page.fill('[name=code]', codeOf(secret, ahead));
    await page.click('main button');
  }

  const heading = (page: Page) => page.locator('h1').innerText();

  test(
    'on a phone of 320 pixels, without scripts, an administrator makes a second factor, and settles a doubt by one button',
    async () => {
      const { attemptId, orderId } = await aRefundAttempt(api.orm, { locationId });
      const admin = await anOpsAdmin(api, { isNew: true });
      await opened(phone, async (page) => {
        await signIn(page, admin);
        const secret = (await page.locator('.secret').innerText()).replaceAll(' ', '');
        await page.fill('[name=code]', codeOf(secret));
        await page.click('main button');

        expect(await heading(page)).toBe('Doubts');
        const doubt = page.locator('.card', { has: page.locator(`form[action="/ops/doubts/${attemptId}"]`) });
        expect(await doubt.innerText()).toContain('High Street');
        expect(await doubt.innerText()).toContain('US$54.00');
        await doubt.locator('[name=note]').fill('Seen in the portal.');
        await doubt.getByRole('button', { name: 'It went back' }).click();

        expect(await page.locator('.notice').first().innerText()).toContain('Settled: the money went back');
        expect(await page.locator('h1').innerText()).toBe('Doubts');
      });
      const { theAttempt, find } = booksOf(() => api.orm);
      expect(await theAttempt(attemptId)).toMatchObject({
        state: 'booked',
        resolved_by: expect.stringContaining('Grace'),
        resolution_note: 'Seen in the portal.',
      });
      expect(await find('sales_creditmemo', { order_id: orderId })).toHaveLength(1);
      const about = { entity_type: 'refund_attempt', entity_id: String(attemptId) };
      expect(await find('pos_audit_log', about, 'field_name', 'new_value')).toContainEqual({
        ...{ field_name: 'decision', new_value: 'refunded: Seen in the portal.' },
      });
    },
    longest,
  );

  test(
    'who hears the page instead of seeing it is told what each part and each button is about',
    async () => {
      const { attemptId, orderId } = await aRefundAttempt(api.orm, { locationId });
      const { theOrder } = booksOf(() => api.orm);
      const { increment_id: number } = await theOrder(orderId, 'increment_id');
      const admin = await anOpsAdmin(api);
      await opened(phone, async (page) => {
        await signIn(page, admin);
        const doubt = page.locator('.card', { has: page.locator(`form[action="/ops/doubts/${attemptId}"]`) });
        const heard = await doubt.ariaSnapshot();
        for (const part of [
          `region "Order ${number} US$54.00"`,
          'textbox "What you saw, and where"',
          `button "It went back: US$54.00, ${number}"`,
          `button "It did not: US$54.00, ${number}"`,
        ])
          expect(heard).toContain(part);
        const all = await page.locator('body').ariaSnapshot();
        for (const part of ['link "To the content"', 'navigation "Menu"', 'heading "Doubts" [level=1]', 'main'])
          expect(all).toContain(part);
      });
    },
    longest,
  );

  test(
    'on a phone without scripts a return takes its next step, a wrong answer opens a case, and a case is closed',
    async () => {
      const { returnId } = await aRequestedReturn(api.orm);
      const { attemptId } = await aRefundAttempt(api.orm, { locationId });
      const admin = await anOpsAdmin(api);
      await opened(phone, async (page) => {
        await signIn(page, admin);
        await page.goto(`${api.url}/ops/returns`);
        await page.locator(`form[action="/ops/returns/${returnId}"] button`).click();
        const approve = page.locator(`form[action$="/approve"]`);
        await approve.locator('[name=reason]').fill('asked by phone');
        await approve.getByRole('button', { name: 'Approve' }).click();
        expect(await page.locator('main').innerText()).toContain('Approved');

        await page.goto(`${api.url}/ops`);
        const doubt = page.locator(`form[action="/ops/doubts/${attemptId}"]`);
        await doubt.locator('[name=note]').fill('Seen in the portal.');
        await doubt.getByRole('button', { name: 'It went back' }).click();
        const wrong = page.locator('details', { has: page.locator(`form[action="/ops/doubts/${attemptId}/wrong"]`) });
        await wrong.locator('summary').click();
        await wrong.locator('[name=note]').fill('That was another payment.');
        await wrong.locator('[name=means]').selectOption('cash');
        await wrong.getByRole('button', { name: 'Open a case' }).click();
        expect(await page.locator('main').innerText()).toContain('Hand back US$54.00 by cash.');

        const open = page.locator('form[action^="/ops/cases/"]');
        await open.locator('[name=proof]').fill('Receipt 77, signed.');
        await open.getByRole('button', { name: 'Close the case' }).click();
        expect(await page.locator('.notice').first().innerText()).toBe('The case is closed.');
      });
    },
    longest,
  );

  const looks = [320, 1280].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  );
  const places = [
    ...['/ops', '/ops/story', '/ops/story?q=000000001', '/ops/returns', '/ops/today', '/ops/tills', '/ops/staff'],
    ...['/ops/mails', '/ops/receipts', '/ops/layaways', '/ops/books', '/ops/health', '/ops/nowhere'],
  ];

  test.each(looks)(
    'at $width pixels in $colorScheme no page is wider than the screen, and axe finds nothing',
    async ({ width, colorScheme }) => {
      const { returnId } = await aRefundAttempt(api.orm, { locationId });
      await aBareReceipt(api.orm, aSale(locationId));
      const admin = await anOpsAdmin(api);
      // The policy of the pages lets no script in: for this look alone it is set aside.
      await opened({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true }, async (page) => {
        await page.goto(`${api.url}/ops/sign-in`);
        await expectFine(page);
        await signIn(page, admin);
        for (const place of [...places, `/ops/returns/${returnId}`]) {
          await page.goto(api.url + place);
          await expectFine(page);
        }
      });
    },
    longest,
  );

  async function expectFine(page: Page): Promise<void> {
    const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect({ page: page.url(), tooWide }).toEqual({ page: page.url(), tooWide: 0 });
    await page.evaluate(axeSource);
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const findings = await page.evaluate(
      `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ').slice(0, 300)))`,
    );
    expect({ page: page.url(), findings }).toEqual({ page: page.url(), findings: [] });
  }
});
