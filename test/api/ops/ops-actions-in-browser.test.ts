import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { opsPages } from '../../../api/ops/serve-ops.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { booksOf } from '../../support/books.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aLayaway } from '../../support/builders/layaway.ts';
import { aDifference } from '../../support/builders/register-session.ts';
import { aRefundAttempt, aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { anOpsAdmin, anOpsMember, codeOf } from '../../support/ops.ts';
import { aRealBrowser, found, longest, phone, unfold } from '../../support/ops-in-browser.ts';

/** Every page is opened, and every button pressed, by a person with a phone that runs no script. */
(found ? describe : () => undefined)('with a real browser that runs no script', () => {
  let api: TestApi;
  let locationId: number;
  let page: Page;
  const { withPage, opened, signIn, close } = aRealBrowser(() => api);
  /** What the browser asked for, as the list of pages has it. */
  const asked = new Set<string>();

  beforeAll(async () => {
    api = await testApi({ settings: { POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') } });
    ({ locationId } = await aShop(api.orm.em.fork()));
    page = await opened(phone);
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      const path = pathname.replace(/^\/ops\/?/, '/').replaceAll(/\/\d+(?=\/|$)/g, '/:id');
      asked.add(`${request.method()} ${path}`);
    });
    await signIn(page, await anOpsAdmin(api));
  }, longest);
  afterAll(async () => {
    await close();
    await api.close();
  });

  const { find, insert } = booksOf(() => api.orm);
  const go = (path: string) => page.goto(`${api.url}${path}`);
  const heading = () => page.locator('h1').innerText();
  const said = () => page.locator('main').innerText();

  /** Fills a form in, as its page shows it, and presses a button of it. */
  async function press(action: string, button: string, fields: Record<string, string>): Promise<void> {
    const form = page.locator(`form[action="${action}"]`);
    await unfold(form);
    for (const [name, value] of Object.entries(fields)) {
      const field = form.locator(`[name="${name}"]`);
      if ((await field.evaluate((one) => one.nodeName)) === 'SELECT') await field.selectOption(value);
      else await field.fill(value);
    }
    await form.getByRole('button', { name: button }).click();
  }
  const reason = { reason: 'asked by phone' };

  test(
    'each page shows what it is for',
    async () => {
      const { attemptId, returnId } = await aRefundAttempt(api.orm, { locationId });
      await aBareReceipt(api.orm, { pos_order_id: 'never-placed', location_id: locationId });
      await aLayaway(api.orm.em.fork(), { expiresAt: new Date(Date.now() - 3 * 86_400_000) });
      const [{ name: shop } = { name: '' }] = await find('pos_location', { location_id: locationId }, 'name');
      const shows: readonly [path: string, title: RegExp, words: RegExp][] = [
        ['/ops', /^Doubts$/, /It went back/],
        ['/ops/story', /^Story$/, /Any number in hand/],
        [`/ops/story?q=refund-${attemptId}`, /^Refund attempt \d+: uncertain$/, /What happened/],
        ['/ops/returns', /^Returns$/, /Its refund is in doubt/],
        [`/ops/returns/${returnId}`, /^Return \d+$/, /What happened/],
        ['/ops/store-credit', /^Store credit to issue$/, /All promised store credit is issued/],
        ['/ops/today', /^Today: /, /Returns that wait/],
        ['/ops/tills', /^Tills$/, /There is no register yet|Last seen/],
        ['/ops/drawers', /^Drawers$/, /No difference waits for a second person/],
        ['/ops/staff', /^Staff$/, /nothing yet|Who/],
        ['/ops/mails', /^Mails$/, /Every mail went/],
        ['/ops/receipts', /^Receipts without an order$/, /never-placed/],
        ['/ops/layaways', /^Layaways$/, /Owed/],
        ['/ops/endpoints', /^Webhooks$/, /No endpoint/],
        ['/ops/books', /^Books$/, /The rules of the books/],
        ['/ops/health', /^Health$/, /secret key/],
      ];
      for (const [path, title, words] of shows) {
        await go(path);
        expect(await heading()).toMatch(title);
        expect([path, await page.locator('body').innerText()]).toEqual([path, expect.stringMatching(words)]);
      }
      expect(shop).toBe('High Street');
      await go('/ops/today');
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'As CSV' }).click();
      expect((await download).suggestedFilename()).toMatch(/^day-\d{4}-\d\d-\d\d\.csv$/);
    },
    longest,
  );

  test(
    'a doubt is answered in each of its ways, a wrong answer opens a case, and the case is closed',
    async () => {
      const wrong = await aRefundAttempt(api.orm, { locationId });
      const other = await aRefundAttempt(api.orm, { locationId });
      const third = await aRefundAttempt(api.orm, { locationId });
      await go('/ops');
      await press(`/ops/doubts/${third.attemptId}`, 'Ask again', {});
      expect(await said()).toMatch(/It is not settled|Settled/);
      await go('/ops');
      await press(`/ops/doubts/${other.attemptId}`, 'It did not', { note: 'nothing in the portal' });
      expect(await said()).toContain('the money did not go back');
      await press(`/ops/doubts/${other.attemptId}/again`, 'Ask again', {});
      expect(await said()).toMatch(/the decision stays|the refund is booked now/);
      await press(`/ops/doubts/${wrong.attemptId}`, 'It went back', { note: 'seen in the portal' });
      expect(await said()).toContain('Settled: the money went back');
      const about = { note: 'that was another payment', means: 'cash' };
      await press(`/ops/doubts/${wrong.attemptId}/wrong`, 'Open a case', about);
      expect(await said()).toContain('Hand back US$54.00 by cash.');
      const [row] = await find('refund_case', { attempt_id: wrong.attemptId }, 'case_id');
      await press(`/ops/cases/${String(row?.['case_id'])}`, 'Close the case', { proof: 'receipt 77, signed' });
      expect(await said()).toContain('The case is closed.');
    },
    longest,
  );

  test(
    'a return is taken through each of its steps',
    async () => {
      const bought = await aRequestedReturn(api.orm);
      const back = `/ops/returns/${bought.returnId}`;
      await go(back);
      await press(`${back}/approve`, 'Approve', reason);
      await press(`${back}/receive`, 'Take the goods in', { ...reason, locationId: String(locationId) });
      await press(`${back}/settle`, 'Give the money back', { ...reason, method: 'cash' });
      expect(await find('sale_return', { return_id: bought.returnId }, 'status')).toEqual([{ status: 'closed' }]);

      const parked = await aReturn(api.orm, { locationId, refundMethod: 'cash' });
      await initialiseReturn(api.orm.em, { returnId: parked.returnId, canRefundThrough: () => true });
      const [refused, closed] = [await aRequestedReturn(api.orm), await aRequestedReturn(api.orm)];
      for (const [{ returnId }, verb, button] of [
        [parked, 'cancel-refund', 'Keep the goods, cancel the refund'],
        [refused, 'reject', 'Refuse'],
        [closed, 'close', 'Close without a refund'],
      ] as const) {
        await go(`/ops/returns/${returnId}`);
        await press(`/ops/returns/${returnId}/${verb}`, button, reason);
        expect([verb, await said()]).toEqual([verb, expect.stringContaining('Done.')]);
      }
    },
    longest,
  );

  test(
    'a register gets a code, a colleague a passcode and a second factor, a mail goes again, and the books are verified',
    async () => {
      const till = await insert('pos_terminal', { name: 'Till 7', location_id: locationId });
      await go('/ops/tills');
      await press(`/ops/tills/${String(till['terminal_id'])}/code`, 'New code', reason);
      expect(await said()).toContain('Done.');

      const member = await anOpsMember(api, { permissions: ['issue_refunds'], hasFactor: false });
      for (let guess = 0; guess < 3; guess++) {
        const body = { email: member.name, passcode: '000000', terminalId: Number(till['terminal_id']) };
        await api.call('POST', '/V1/pos/staff/authenticate', { token: api.tokens.register, body });
      }
      const staff = `/ops/staff/${member.staffId}`;
      await go('/ops/staff');
      await press(`${staff}/unlock`, 'Unlock', reason);
      expect(await said()).toContain('Done.');
      await go('/ops/staff');
      await press(`${staff}/passcode`, 'New passcode', reason);
      expect(await page.locator('.secret').innerText()).toMatch(/^\d{6}$/);
      await go('/ops/staff');
      await press(`${staff}/factor`, 'New second factor', reason);
      expect(await page.locator('.secret').innerText()).toMatch(/^[A-Z\d ]{30,}$/);

      const { orderId } = await aRequestedReturn(api.orm);
      const document = { kind: 'document', document_name: 'order', document_id: orderId };
      const mail = { mail_key: 'pressed', state: 'dropped', tries: 6, reason: 'EENVELOPE', ...document };
      const { mail_id: mailId } = await insert('mail_outbox', mail);
      await go('/ops/mails');
      await press(`/ops/mails/${String(mailId)}/again`, 'Send again', reason);
      expect(await said()).toContain('Done.');

      await go('/ops/books');
      await press('/ops/books', 'Verify now', reason);
      await waitUntil('the check has left its line', async () => (await find('books_check', {})).length === 1);
      await go('/ops/books');
      expect(await said()).toMatch(/The books are (?:right|wrong)/);
    },
    longest,
  );

  test(
    'an endpoint is switched off and on, each with a reason in the trail',
    async () => {
      const made = await insert('webhook_endpoint', { url: 'https://erp.example/hooks', sealed_secret: 'x' });
      const endpointId = String(made['endpoint_id']);
      await insert('webhook_endpoint', {
        ...{ url: 'https://chat.example', sealed_secret: 'x', format: 'slack', types: '{refund.uncertain}' },
        ...{ state: 'paused', failing_since: new Date(Date.now() - 90_000_000), paused_for: 'nothing' },
      });
      await go('/ops/endpoints');
      await press(`/ops/endpoints/${endpointId}/off`, 'Switch off', reason);
      expect(await said()).toContain('Done.');
      expect(await find('webhook_endpoint', { endpoint_id: endpointId }, 'state')).toEqual([{ state: 'off' }]);
      await press(`/ops/endpoints/${endpointId}/on`, 'Switch on', reason);
      expect(await find('webhook_endpoint', { endpoint_id: endpointId }, 'state')).toEqual([{ state: 'on' }]);
      const trail = await find('pos_audit_log', { entity_type: 'webhook_endpoint' }, 'field_name', 'new_value');
      expect(trail).toEqual(['off', 'on'].map((did) => ({ field_name: did, new_value: reason.reason })));
    },
    longest,
  );

  test(
    'the difference of a drawer is approved',
    async () => {
      await setConfigValue(api.orm.em.fork(), secretBox, { path: 'vendor_pos/closing/approve_above', value: '5' });
      const { approvalId } = await aDifference(api.orm);
      await go('/ops/drawers');
      await press(`/ops/drawers/approvals/${approvalId}`, 'Approve the difference', reason);
      expect(await said()).toContain('Done.');
      expect(await said()).toContain('No difference waits for a second person');
    },
    longest,
  );

  test(
    'the first sign-in makes a second factor, the language is chosen, and signing out ends it',
    async () => {
      await withPage(phone, async (first) => {
        await signIn(first, await anOpsAdmin(api, { isNew: true }));
        const secret = (await first.locator('.secret').innerText()).replaceAll(' ', '');
        await first.fill('[name=code]', codeOf(secret));
        await first.click('main button');
        await first.getByRole('link', { name: 'Deutsch' }).click();
        expect(await first.locator('h1').innerText()).toBe('Zweifel');
        await first.getByRole('button', { name: 'Abmelden' }).click();
        expect(await first.locator('h1').innerText()).toBe('Anmelden');
      });
    },
    longest,
  );

  const verbs: Readonly<Record<string, readonly string[]>> = {
    '/returns/:id/:verb': ['approve', 'receive', 'settle', 'cancel-refund', 'reject', 'close'],
    '/staff/:id/:verb': ['unlock', 'passcode', 'factor'],
    '/endpoints/:id/:verb': ['on', 'off'],
  };

  test('no page and no action of the list was left out', () => {
    const all = opsPages.flatMap(({ method, path }) => {
      const written = path.replaceAll(/:\w+Id/g, ':id');
      return (verbs[written] ?? ['']).map((verb) => `${method} ${written.replace(':verb', verb)}`);
    });
    expect(all.filter((one) => !asked.has(one))).toEqual([]);
  });
});
