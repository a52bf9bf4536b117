import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGatewaySimulator, type GatewaySimulator } from '../../local/simulators/app.ts';
import { credentials } from '../../local/demo-shop/stores.ts';
import { createAdminUser } from '../../db/platform/access/create-admin-user.ts';
import { everyResource } from '../../domain/platform/access.ts';
import { aStaffMember, quickHash } from '../support/builders/counter.ts';
import { nameGatewayKeys } from '../support/flow.ts';
import { realChromium } from '../support/receipts/real-printer.ts';
import { aCounter, type Counter } from './a-counter.ts';

const found = await realChromium();
const longest = 240_000;

describe('the till of the demo shop', () => {
  test('is not there in a shop that sells for real', async () => {
    const counter = await aCounter();
    expect((await counter.api.call('GET', '/demo/till')).status).toBe(404);
    expect((await counter.api.call('GET', '/demo/till/client/index.ts')).status).toBe(404);
    await counter.close();
  });
});

(found ? describe : () => undefined)('the till of the demo shop in a real browser', () => {
  let counter: Counter;
  let gateway: GatewaySimulator;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    gateway = await startGatewaySimulator({ port: 0 });
    counter = await aCounter({
      settings: { POS_DEMO: '1', GATEWAY_SIMULATOR_URL: gateway.url, GATEWAY_TIMEOUT_SECONDS: '2' },
    });
    await nameGatewayKeys(counter.api);
    const { username, password, email } = credentials.admin;
    await createAdminUser(counter.books.fork(), {
      ...{ username, email, firstName: 'Demo', lastName: 'Admin', resources: [everyResource] },
      passwordHash: await counter.api.providers.passwords.hash(password),
    });
    const { cashier } = credentials;
    await aStaffMember(counter.books.fork(), { email: cashier.email, passcodeHash: quickHash(cashier.passcode) });
    if (found) browser = await chromium.launch({ executablePath: found.path, env: found.env, args: ['--no-sandbox'] });
    page = await (await browser.newContext({ viewport: { width: 1100, height: 800 } })).newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    await page.goto(`${counter.api.url}/demo/till`);
    await page.locator('#goods button').first().waitFor();
  }, longest);
  afterAll(async () => {
    await browser?.close();
    await counter.close();
    await gateway.stop();
  });

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const hears = (text: string | RegExp) => page.locator('#told li').filter({ hasText: text }).first().waitFor();
  /** The page draws anew after each press; the words come with that. */
  const shows = (place: string, text: string) => page.locator(place).filter({ hasText: text }).waitFor();
  const orders = () => counter.books.find('sales_order', {}, 'grand_total', 'status', 'total_paid');

  test(
    'sells and takes back in cash',
    async () => {
      await press(/^Mug 50/);
      await press(/^Mug 50/);
      await shows('#sums', 'To pay: 100.00 USD');
      await press(/^Cash$/);
      await hears(/Sold: order \d+, 100\.00 USD/);
      expect(await orders()).toMatchObject([{ grand_total: '100.0000', status: 'complete' }]);
      await press('Back for cash');
      await hears(/Return \d+: 50\.00 USD to hand out/);
    },
    longest,
  );

  test(
    'sells on without a network, also over a reload, and sends everything once when it is back',
    async () => {
      const before = (await orders()).length;
      await page.locator('#line').uncheck();
      await press(/^Plate 33/);
      await press(/^Cash$/);
      await hears('stored. It is sent when the network is back');
      await shows('#waiting', '1 wait');
      await page.reload();
      await page.locator('#goods button').first().waitFor();
      await hears('Booked');
      expect((await orders()).slice(before)).toMatchObject([{ grand_total: '33.3300', status: 'complete' }]);
      await shows('#waiting', '0 wait');
    },
    longest,
  );

  test(
    'parks a cart, and takes it up again',
    async () => {
      await press(/^Plate 33/);
      await press('Park');
      await hears('Parked.');
      await shows('#sums', 'Nothing yet.');
      await press(/^1 lines, 33\.33/);
      await hears('Taken up again.');
      expect(await page.locator('#cart li').allInnerTexts()).toEqual(['1 × Plate']);
      await press('Clear');
    },
    longest,
  );

  test(
    'lays away, is paid off and hands over',
    async () => {
      await press(/^Mug 50/);
      await press('Lay away');
      await hears(/Laid away: order \d+/);
      await press('Pay 45.00 and hand over');
      await hears('Paid off and handed over');
      expect((await orders()).at(-1)).toMatchObject({ status: 'complete', total_paid: '50.0000' });
    },
    longest,
  );

  test(
    'tells a refund by card whose answer is lost as a doubt, and hands nothing out',
    async () => {
      await press(/whose refund by card is lost/);
      await press(/^Card$/);
      await hears(/Sold: order \d+, 20\.73/);
      await press('Back to the card');
      await hears('Nothing is refunded until that is known.');
      expect(await page.locator('#told li.doubt').count()).toBeGreaterThan(0);
      await shows('#waiting', '1 wait');
    },
    longest,
  );

  test(
    'shares its queue with other tabs: each learns what the other one sent, also after the browser closed the database',
    async () => {
      const context = page.context();
      const [one, other] = [await context.newPage(), await context.newPage()];
      const id = crypto.randomUUID();
      const open = (tab: Page, isOnline: boolean) =>
        tab.evaluate(
          async ({ token, isOnline: hasNetwork }) => {
            const within = Object(globalThis);
            const openDatabase = indexedDB.open.bind(indexedDB);
            indexedDB.open = (...given) => {
              const request = openDatabase(...given);
              request.addEventListener('success', () => (within.database = request.result));
              return request;
            };
            const { createClient, createOutbox } = await import(`${location.origin}/demo/till/client/index.ts`);
            const { openBrowserStore } = await import(`${location.origin}/demo/till/client/browser-store.ts`);
            const send = () => (hasNetwork ? fetch : () => Promise.reject(new TypeError('The network is off.')));
            const client = createClient({
              ...{ url: `${location.origin}/rest`, token, wait: () => new Promise((done) => setTimeout(done, 50)) },
              fetch: (...sent: Parameters<typeof fetch>) => send()(...sent),
            });
            within.told = [];
            within.outbox = createOutbox({
              ...{ client, store: await openBrowserStore('two-tabs') },
              onDone: ({ object }: { object: string }) => within.told.push(object),
              onDamaged: ({ because }: { because: string }) => within.told.push(because),
            });
            within.junk = () => {
              within.database.transaction('jobs', 'readwrite').objectStore('jobs').put({ seq: 9_000, theme: 'dark' });
              within.database.close();
            };
          },
          { token: counter.api.tokens.register, isOnline },
        );
      for (const tab of [one, other]) await tab.goto(`${counter.api.url}/demo/till`);
      await open(one, false);
      await open(other, true);
      const cart = {
        ...{ location_id: counter.place.locationId, terminal_id: counter.place.terminalId, cart_uuid: id },
        ...{ staff_id: counter.place.staffId, staff_name: 'Ada', cart_data: '{}', item_count: 1, currency_code: 'USD' },
      };
      const step = {
        ...{ name: 'hold', method: 'POST', path: '/V1/pos/held-carts', key: id, keeps: {} },
        body: JSON.stringify({ heldCart: cart }),
      };
      const asked = await one.evaluate((job) => Object(globalThis).outbox.run(job, 300), { object: id, steps: [step] });
      expect(asked).toMatchObject({ kind: 'waiting' });
      // The browser closes both, and something else wrote into the database.
      await one.evaluate(() => Object(globalThis).database.close());
      await other.evaluate(() => Object(globalThis).junk());
      expect(await other.evaluate(() => Object(globalThis).outbox.send())).toEqual({ sent: 1, stopped: null });
      expect(await counter.books.howMany('pos_held_cart', { cart_uuid: id })).toBe(1);
      await one.evaluate(() => Object(globalThis).outbox.send());
      expect((await one.evaluate(() => Object(globalThis).told)).toSorted()).toEqual(
        [id, '`object` is not a text.'].toSorted(),
      );
      expect(await one.evaluate(() => Object(globalThis).outbox.ends())).toEqual([]);
      // The end of a tab that was closed is told to the one that is open.
      await one.evaluate((job) => Object(globalThis).outbox.run(job, 300), {
        object: `${id}-2`,
        steps: [{ ...step, key: `${id}-2` }],
      });
      await one.close();
      await other.evaluate(() => Object(globalThis).outbox.send());
      expect(await other.evaluate(() => Object(globalThis).told)).toContain(`${id}-2`);
      expect(await other.evaluate(() => Object(globalThis).outbox.ends())).toEqual([]);
      await other.close();
    },
    longest,
  );

  test('loads its own files alone, without a fault of its own', async () => {
    // What the browser itself writes for an answer that is no 2xx is no fault of the page.
    expect(faults.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([]);
    expect((await counter.api.call('GET', '/demo/till/db/orm.ts')).status).toBe(404);
    expect((await counter.api.call('GET', '/demo/till/../package.json')).status).toBe(404);
  });
});
