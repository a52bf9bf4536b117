import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { anOpsAdmin } from '../../support/ops.ts';
import { aRealBrowser, found, longest, phone } from '../../support/ops-in-browser.ts';

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

(found ? describe : () => undefined)('the operator’s page in a real browser', () => {
  let api: TestApi;
  let locationId: number;
  const { withPage, signIn, close } = aRealBrowser(() => api);
  beforeAll(async () => {
    api = await testApi({ settings: { POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') } });
    ({ locationId } = await aShop(api.orm.em.fork()));
  }, longest);
  afterAll(async () => {
    await close();
    await api.close();
  });

  test(
    'on a phone of 320 pixels, without scripts, a person signs in and settles a doubt with two clicks',
    async () => {
      const { attemptId, orderId } = await aRefundAttempt(api.orm, { locationId });
      const admin = await anOpsAdmin(api);
      await withPage(phone, async (page) => {
        // Each click of a page that runs no script asks for the next page.
        const clicks: string[] = [];
        page.on('request', (request) => request.method() === 'POST' && clicks.push(new URL(request.url()).pathname));
        await signIn(page, admin);

        const doubt = page.locator('.card', { has: page.locator(`form[action="/ops/doubts/${attemptId}"]`) });
        expect(await doubt.innerText()).toMatch(/US\$54\.00[^]*High Street/);
        await doubt.locator('[name=note]').fill('Seen in the portal.');
        await doubt.getByRole('button', { name: 'It went back' }).click();

        expect(await page.locator('.notice').first().innerText()).toContain('Settled: the money went back');
        expect(clicks).toEqual(['/ops/sign-in', `/ops/doubts/${attemptId}`]);
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
      await withPage(phone, async (page) => {
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
      await withPage({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true }, async (page) => {
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

  test(
    'on each page who hears it finds one heading, the content, and a name for everything that can be pressed or filled',
    async () => {
      const { returnId } = await aRefundAttempt(api.orm, { locationId });
      await aBareReceipt(api.orm, aSale(locationId));
      const admin = await anOpsAdmin(api);
      await withPage(phone, async (page) => {
        await signIn(page, admin);
        for (const place of [...places, `/ops/returns/${returnId}`]) {
          await page.goto(api.url + place);
          const heard = await page.locator('body').ariaSnapshot();
          expect([place, heard.match(/heading ".+" \[level=1\]/g)?.length]).toEqual([place, 1]);
          expect([place, heard]).toEqual([place, expect.stringContaining('- main')]);
          const controls = heard.match(/- '?(?:button|link|textbox|searchbox|combobox|img)\b.*/g) ?? [];
          expect([place, controls.filter((one) => !/^- '?\w+ ".+"/.test(one))]).toEqual([place, []]);
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
