import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { countUsage } from '../../../db/platform/sales-rules/count-usage.ts';
import { createSecretBox } from '../../../db/support/secret-box.ts';
import { money } from '../../../domain/money.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { aCoupon } from '../../support/builders/cart.ts';
import { aCatalogRule, reindex } from '../../support/builders/catalog-rule.ts';
import { manyProducts } from '../../support/builders/many-products.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { useApi } from '../../support/fixtures.ts';
import { anEmail } from '../../support/kiosk.ts';
import { daysAgo, minutesAgo } from '../../support/moments.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  isSubscribed,
  opensAShop,
  rowOf,
  save,
  shop,
  statusOf,
  subscribe,
  subscribed,
  unconfirmed,
  unsubscribe,
  unsubscribed,
} from './subscriptions.ts';
import { firstId } from '../../support/first-id.ts';

describe('customer feed', () => {
  const { fork, change } = booksOf(() => api.orm);

  const pageSize = 7;

  const api = useApi();
  const ids: number[] = [];
  beforeAll(async () => {
    await aShop(fork());
    for (let n = 0; n < 30; n++) ids.push(await aCustomer(fork()));
  });

  const filter = (group: number, field: string, value: string | number, condition: string) =>
    Object.entries({ field, value, conditionType: condition })
      .map(([key, text]) => `searchCriteria[filterGroups][${group}][filters][0][${key}]=${encodeURIComponent(text)}`)
      .join('&');
  const pageAfter = async (lastId: number, since?: string) => {
    const criteria = [
      filter(0, 'entity_id', lastId, 'gt'),
      ...(since === undefined ? [] : [filter(1, 'updated_at', since, 'gteq')]),
      'searchCriteria[sortOrders][0][field]=entity_id&searchCriteria[sortOrders][0][direction]=ASC',
      `searchCriteria[pageSize]=${pageSize}`,
    ].join('&');
    const { status, body } = await api.call('GET', `/V1/customers/search?${criteria}`, { token: api.tokens.register });
    expect(status).toBe(200);
    return body.items as { id: number; firstname: string; updated_at: string; addresses: { city: string }[] }[];
  };
  /** As a register keeps its copy; `between` happens after every page. */
  async function run(since?: string, between: () => Promise<unknown> = async () => undefined) {
    const copy = new Map<number, string>();
    for (let lastId = 0; ;) {
      const page = await pageAfter(lastId, since);
      for (const { id, firstname } of page) {
        expect(copy.has(id)).toBe(false);
        copy.set(id, firstname);
      }
      if (page.length < pageSize) return copy;
      lastId = page.at(-1)?.id ?? 0;
      await between();
    }
  }
  const save = (id: number, customer: object) =>
    api.call('PUT', `/V1/customers/${id}`, { token: api.tokens.register, body: { customer } });
  /** A customer saved before this moment belongs to another day. */
  const aDayLater = () => change('customer', {}, { updated_at: daysAgo(1) });
  const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

  test('a first run has every customer once, also those who are added while it goes on', async () => {
    const added: number[] = [];
    const copy = await run(undefined, async () => added.push(await aCustomer(fork())));
    ids.push(...added);
    expect([...copy.keys()]).toEqual(ids);
  });

  test('a later run has the customers saved since; one saved meanwhile is in it or in the next', async () => {
    await aDayLater();
    const since = anHourAgo();
    const [early, late] = [ids[1]!, ids.at(-1)!];
    for (const id of ids.slice(2, 20)) await save(id, { firstname: 'Changed' });
    let isSaved = false;
    const copy = await run(since, async () => {
      if (isSaved) return;
      isSaved = true;
      await save(early, { firstname: 'Before' });
      await save(late, { firstname: 'Behind' });
    });

    expect(copy.get(late)).toBe('Behind');
    expect(copy.size).toBe(19);
    const next = await run(since);
    expect([next.get(early), next.get(late), next.size]).toEqual(['Before', 'Behind', 20]);
  });

  test('a customer whose address alone was changed is one who changed', async () => {
    const id = ids[0]!;
    const home = {
      ...{ firstname: 'Ann', lastname: 'Lee', street: ['1 Main St'], postcode: '1010', country_id: 'AT' },
      telephone: '1',
    };
    const { body } = await save(id, { addresses: [{ ...home, city: 'Wien' }] });
    await aDayLater();
    expect((await run(anHourAgo())).size).toBe(0);
    await save(id, { addresses: [{ ...body.addresses[0], city: 'Graz' }] });
    const [changed, ...others] = await pageAfter(0, anHourAgo());
    expect([changed?.id, changed?.addresses[0]?.city, others]).toEqual([id, 'Graz', []]);
  });
});

describe('newsletter confirmation', () => {
  opensAShop();

  const doubleOptIn = () => shop.set('newsletter/subscription/confirm', '1');
  const linkIn = (text = '') => /https?:\/\/\S+(\/newsletter\/confirm\/\S+)/.exec(text)?.[1] ?? '';

  test('a store that asks first mails a link; only the button behind it subscribes', async () => {
    await doubleOptIn();
    const email = anEmail();
    const id = await shop.customer(email);

    expect((await subscribe(email, id)).body).toEqual(unconfirmed);
    expect((await subscribe(email, id)).body).toEqual(unconfirmed);
    expect(await statusOf(email)).toEqual(unconfirmed);
    expect((await unsubscribe(email, id)).body).toEqual(unconfirmed);
    expect(await rowOf(email)).toEqual([{ status: 2, customer_id: id }]);
    expect(await shop.sendMails()).toEqual(['sent']);
    expect(shop.mail.took).toMatchObject([{ to: email }]);
    const link = linkIn(shop.mail.took[0]?.text);

    const page = await shop.api.call('GET', link);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.body).toContain('<button>Yes, send it to me</button>');
    expect(await statusOf(email)).toEqual(unconfirmed);

    expect((await shop.api.call('POST', link)).body).toContain('You get the newsletter of Default Store View.');
    expect(await statusOf(email)).toEqual(subscribed);
    expect(await isSubscribed(id)).toBe(true);
    expect((await shop.api.call('POST', link)).status).toBe(200);
    await unsubscribe(email, id);
    expect((await shop.api.call('POST', link)).status).toBe(404);
    expect(await statusOf(email)).toEqual(unsubscribed);
  });

  test('a link that is invented, of another subscriber, or too old confirms nothing', async () => {
    await doubleOptIn();
    const [email, other] = [anEmail(), anEmail()];
    await subscribe(email);
    await subscribe(other);
    await shop.sendMails();
    const [link, otherLink] = shop.mail.took.map(({ text }) => linkIn(text));
    const swapped = `${link?.slice(0, -64)}${otherLink?.slice(-64)}`;
    const madeUp = `${link?.slice(0, -64)}${'0'.repeat(64)}`;
    for (const path of [swapped, madeUp, '/newsletter/confirm/1', '/newsletter/confirm/9999999/x'])
      expect((await shop.api.call('POST', path)).status).toBe(404);
    await shop.change('newsletter_subscriber', { email }, { confirm_asked_at: daysAgo(31) });
    expect((await shop.api.call('POST', link ?? '')).status).toBe(404);
    expect(await statusOf(email)).toEqual(unconfirmed);
  });

  test('who asks again after ten minutes is mailed again, with a link that is as good as the first', async () => {
    await doubleOptIn();
    const email = anEmail();
    await subscribe(email);
    await shop.change('newsletter_subscriber', { email }, { confirm_asked_at: minutesAgo(11) });
    await subscribe(email);
    expect(await shop.sendMails()).toEqual(['sent', 'sent']);
    const [first, second] = shop.mail.took.map(({ text }) => linkIn(text));
    expect(first).toBe(second);
  });

  test('a mail that asks is not sent to one who has answered', async () => {
    await doubleOptIn();
    const email = anEmail();
    await subscribe(email);
    await shop.change('newsletter_subscriber', { email }, { status: 1 });
    expect(await shop.sendMails()).toEqual(['dropped']);
  });

  test('where the store asks first, a customer who is saved as subscribed is asked', async () => {
    await doubleOptIn();
    const email = anEmail();
    const id = await shop.customer(email, { extension_attributes: { is_subscribed: true } });
    expect(await isSubscribed(id)).toBe(false);
    expect(await shop.sendMails()).toEqual(['sent']);
    await save(id, { extension_attributes: { is_subscribed: true } });
    expect(shop.begun).toEqual([]);
    await shop.api.call('POST', linkIn(shop.mail.took[0]?.text));
    expect(await isSubscribed(id)).toBe(true);
  });
});

describe('offline feeds', () => {
  let api: TestApi;
  let now = new Date('2026-11-23T12:00:00Z');
  beforeAll(async () => {
    api = await testApi({ clock: () => now });
    await aShop(fork());
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    now = new Date('2026-11-23T12:00:00Z');
    for (const table of ['catalog_rule', 'config_value', 'fixed_product_tax']) await remove(table);
  });

  const books = booksOf(() => api.orm);
  const { fork, change, remove, configure } = books;

  const rules = '/V1/pos/catalog-rule-prices';
  const taxes = '/V1/pos/fixed-product-taxes';
  const get = (path: string, headers: Record<string, string> = {}) =>
    api.call('GET', path, { token: api.tokens.register, headers });

  test('a register fetches the prices of its website’s day, by product and group', async () => {
    await aCatalogRule(api.orm, { customerGroupIds: [0, 2] });
    await reindex(api.orm, now);
    const { status, body } = await get(`${rules}?websiteId=1`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ date: '2026-11-23', unchanged: false });
    expect(body.items).toHaveLength(6);
    expect(body.items[0]).toEqual({ product_id: firstId, customer_group_id: 0, rule_price: 45 });
    expect(body.items[1]).toEqual({ product_id: firstId, customer_group_id: 2, rule_price: 45 });
  });

  test('who has the last prices gets none; a price that changes ends that', async () => {
    const ruleId = await aCatalogRule(api.orm);
    await reindex(api.orm, now);
    const first = await get(`${rules}?websiteId=1`);
    const since = `${rules}?websiteId=1&ifIndexedAfter=${first.body.indexed_at}`;
    const tag = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await get(since)).body).toEqual({ ...first.body, unchanged: true, items: [] });
    expect((await get(`${rules}?websiteId=1`, tag)).status).toBe(304);

    await change('catalog_rule', { rule_id: ruleId }, { discount_amount: 20 });
    await reindex(api.orm, now);
    const later = await get(since, tag);
    expect(later.body).toMatchObject({ unchanged: false, items: expect.arrayContaining([]) });
    expect(later.body.items).toHaveLength(12);
    expect(later.body.indexed_at > first.body.indexed_at).toBe(true);
  });

  test('a new day is a change, even without indexing and without a changed row', async () => {
    await aCatalogRule(api.orm, { fromDate: '2026-11-23', toDate: '2026-11-23' });
    await reindex(api.orm, now);
    const first = await get(`${rules}?websiteId=1`);
    const since = `${rules}?websiteId=1&ifIndexedAfter=${first.body.indexed_at}`;
    expect(first.body.items).toHaveLength(12);

    now = new Date('2026-11-24T00:00:30Z');
    expect((await get(since)).body).toMatchObject({ date: '2026-11-24', unchanged: false, items: [] });
    await reindex(api.orm, now);
    expect((await get(since)).body).toMatchObject({ date: '2026-11-24', unchanged: false, items: [] });
    expect((await get(since, { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(200);
  });

  test('a shop without a rule has an indexed_at as well, and nothing more to fetch', async () => {
    await remove('catalog_rule_index');
    await remove('catalog_rule_price');
    expect((await get(`${rules}?websiteId=1`)).body).toMatchObject({ indexed_at: null, unchanged: false, items: [] });
    await reindex(api.orm, now);
    const { body } = await get(`${rules}?websiteId=1`);
    expect(body).toEqual({ indexed_at: now.toISOString(), date: '2026-11-23', unchanged: false, items: [] });
    const since = `${rules}?websiteId=1&ifIndexedAfter=${body.indexed_at}`;
    expect((await get(since)).body).toMatchObject({ unchanged: true });

    await aCatalogRule(api.orm);
    await reindex(api.orm, now);
    expect((await get(since)).body).toMatchObject({ unchanged: false });
  });

  test('today is that of the website', async () => {
    await change('website', { website_id: 1 }, { time_zone: 'Pacific/Auckland' });
    expect((await get(`${rules}?websiteId=1`)).body.date).toBe('2026-11-24');
    await change('website', { website_id: 1 }, { time_zone: 'UTC' });
  });

  test('a day around today may be named; one without rows is empty', async () => {
    await aCatalogRule(api.orm, { fromDate: '2026-11-24' });
    await reindex(api.orm, now);
    const on = async (date: string) => (await get(`${rules}?websiteId=1&date=${date}`)).body.items.length;
    expect([await on('2026-11-23'), await on('2026-11-24'), await on('2031-01-01')]).toEqual([0, 12, 0]);
  });

  test.each(['date=2026-02-30', 'date=23.11.2026', 'ifIndexedAfter=yesterday', 'date=2026-11-23T00:00:00Z'])(
    '%s is refused',
    async (query) => {
      const said = 'Invalid value of "%value" provided for the %fieldName field.';
      await expectRefused({ send: () => get(`${rules}?websiteId=1&${query}`), status: 400, said });
    },
  );

  test('an unknown website is 404, none at all 400, and 0 is the one of the store view', async () => {
    for (const path of [rules, taxes]) {
      expect((await get(`${path}?websiteId=77`)).status).toBe(404);
      expect((await get(path)).status).toBe(400);
      expect((await get(`${path}?websiteId=0`)).status).toBe(200);
      expect((await get(`/rest/all${path}?websiteId=0`)).status).toBe(200);
    }
  });

  test('fixed taxes are those of the website and of every website, where they are charged at all', async () => {
    const fee = { attribute_code: 'eco_fee', country_id: 'US', region_id: 0 };
    await books.insertAll('fixed_product_tax', [
      { ...fee, product_id: firstId, website_id: 0, value: 2.5 },
      { ...fee, product_id: firstId, website_id: 1, region_id: 12, value: 3 },
      { ...fee, product_id: firstId + 1, website_id: 9, value: 4 },
    ]);
    const off = await get(`${taxes}?websiteId=1`);
    expect(off.body).toEqual({ generated_at: '2026-11-23T12:00:00.000Z', rows: [] });

    await configure('tax/weee/enable', '1', 'websites', 1);
    const on = await get(`${taxes}?websiteId=1`, { 'if-none-match': off.headers.get('etag') ?? '' });
    expect(on.body.rows).toEqual([
      { sku: 'MUG', attribute_code: 'eco_fee', website_id: 0, country_id: 'US', region_id: 0, value: 2.5 },
      { sku: 'MUG', attribute_code: 'eco_fee', website_id: 1, country_id: 'US', region_id: 12, value: 3 },
    ]);

    const tag = { 'if-none-match': on.headers.get('etag') ?? '' };
    expect((await get(`${taxes}?websiteId=1`, tag)).status).toBe(304);
    await change('product', { sku: 'MUG' }, { sku: 'CUP' });
    expect((await get(`${taxes}?websiteId=1`, tag)).body.rows[0].sku).toBe('CUP');
    await change('product', { sku: 'CUP' }, { sku: 'MUG' });
  });

  test('a long list is complete, and compressed where the caller accepts that', async () => {
    const price = { website_id: 1, rule_date: '2026-11-25', rule_price: 1.5 };
    for (const group of [0, 1, 2, 3])
      await books.insertAll(
        'catalog_rule_price',
        manyRecords(6_001, (n) => ({ ...price, product_id: n + 99, customer_group_id: group })),
      );
    const path = `${rules}?websiteId=1&date=2026-11-25`;
    const { body, headers } = await get(path);
    expect(body.items).toHaveLength(6_001 * 4);
    const keys = body.items.map((row: Record<string, number>) => `${row['product_id']}-${row['customer_group_id']}`);
    expect(new Set(keys).size).toBe(6_001 * 4);
    expect(headers.get('content-encoding')).toBe('gzip');

    const plain = await get(path, { 'accept-encoding': 'gzip;q=0' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.body).toEqual(body);
    await remove('catalog_rule_price', price);
  });
});

describe('profile', () => {
  const api = useApi();
  let customerId: number;
  beforeAll(async () => {
    await aShop(fork());
    customerId = await aCustomer(fork());
  });

  const books = booksOf(() => api.orm);
  const { fork, change } = books;
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  const limitOf = async (id = customerId) => (await call('GET', `/V1/pos/customers/${id}/credit-limit`)).body;

  test('a customer with whom nothing was agreed gets no credit', async () => {
    const id = await aCustomer(fork());
    expect(await limitOf(id)).toEqual({
      customer_id: id,
      limit: 0,
      used: 0,
      available: 0,
      currency: 'USD',
      source: 'none',
    });
  });

  test('the limit of the customer goes before that of the group, also where it is lower', async () => {
    const box = createSecretBox(Buffer.alloc(32).toString('base64'));
    await setConfigValue(fork(), box, { path: 'vendor_pos_advanced/credit_limits/groups', value: '1:900,2:50' });
    expect(await limitOf()).toMatchObject({ limit: 900, available: 900, source: 'customer_group' });
    const path = `/V1/pos/customers/${customerId}/credit-limit`;
    expect((await call('PUT', path, { limit: 500 })).body).toMatchObject({ limit: 500, source: 'customer' });
    expect((await call('PUT', path, { limit: 0 })).body).toMatchObject({ limit: 0, available: 0, source: 'customer' });
    expect((await call('DELETE', path)).body).toMatchObject({ limit: 900, source: 'customer_group' });
    expect((await call('PUT', path, { limit: 500, websiteId: 1 })).body).toMatchObject({ limit: 500 });
    expect((await call('PUT', path, { limit: -1 })).status).toBe(400);
  });

  test('the amount due counts as used: of open invoices, of sales on credit and on invoice, not of layaways', async () => {
    const id = await aCustomer(fork());
    const used = async () => (await limitOf(id)).used;
    const onCredit = { customerId: id, paid: false } as const;
    await anOrder(fork(), { customerId: id });
    await anOrder(fork(), onCredit);
    expect(await used()).toBe(0);
    const { orderId } = await anOrder(fork(), { ...onCredit, method: 'purchaseorder' });
    expect(await used()).toBe(108);
    await anOrder(fork(), { ...onCredit, columns: { posCreditDue: money('108') } });
    expect(await used()).toBe(216);
    await anOrder(fork(), { ...onCredit, layaway: true });
    expect(await used()).toBe(216);

    await change('sales_order', { entity_id: orderId }, { total_paid: 8, base_total_paid: 8 });
    expect(await used()).toBe(208);
    await change('sales_order', { entity_id: orderId }, { state: 'canceled' });
    expect(await used()).toBe(108);

    const open = await anOrder(fork(), { customerId: id });
    await change('sales_invoice', { order_id: open.orderId }, { state: 1 });
    await change('sales_order', { entity_id: open.orderId }, { total_paid: 0, base_total_paid: 0 });
    expect(await used()).toBe(216);
    expect(await limitOf(id)).toMatchObject({ limit: 900, used: 216, available: 684 });
  });

  test('of what was sold on invoice nothing is owed for goods that were cancelled', async () => {
    const id = await aCustomer(fork());
    const { orderId, itemIds } = await anOrder(fork(), { customerId: id, paid: false, method: 'purchaseorder' });
    await change('sales_order', { entity_id: orderId }, { state: 'processing' });
    const one = { capture: true, items: [{ order_item_id: itemIds[0], qty: 1 }] };
    expect((await call('POST', `/V1/order/${orderId}/invoice`, one)).status).toBe(200);
    expect((await limitOf(id)).used).toBe(54);
    expect((await call('POST', `/V1/orders/${orderId}/cancel`)).body).toBe(true);
    expect((await limitOf(id)).used).toBe(0);
  });

  test('a debt beyond the limit leaves zero, not less', async () => {
    const id = await aCustomer(fork());
    await call('PUT', `/V1/pos/customers/${id}/credit-limit`, { limit: 100 });
    await anOrder(fork(), { customerId: id, paid: false, method: 'purchaseorder' });
    expect(await limitOf(id)).toMatchObject({ limit: 100, used: 108, available: 0 });
  });

  test('an unknown customer or website has no limit, and a register cannot set one', async () => {
    expect((await call('GET', '/V1/pos/customers/999999/credit-limit')).status).toBe(404);
    expect((await call('PUT', '/V1/pos/customers/999999/credit-limit', { limit: 5 })).status).toBe(404);
    expect((await call('GET', `/V1/pos/customers/${customerId}/credit-limit?websiteId=77`)).status).toBe(404);
    const byRegister = { token: api.tokens.register, body: { limit: 1_000_000 } };
    expect((await api.call('PUT', `/V1/pos/customers/${customerId}/credit-limit`, byRegister)).status).toBe(401);
  });

  test('a promotion is counted for the customer who used it, a coupon whatever its case', async () => {
    await aCoupon(fork(), 'Welcome10', { ruleId: 3 });
    const used = { appliedRuleIds: '3,4', couponCode: 'WELCOME10', customerId };
    await countUsage(fork(), used, 1);
    await countUsage(fork(), { ...used, customerId: null }, 1);
    const usage = async (path: string) => (await call('GET', `/V1/pos/customers/${path}`)).body;

    expect(await usage(`${customerId}/rule-usage/3?couponCode=welcome10`)).toEqual({
      customer_id: customerId,
      rule_id: 3,
      rule_times_used: 1,
      coupon_code: 'welcome10',
      coupon_times_used: 1,
    });
    expect(await usage(`${customerId}/rule-usage/4`)).toMatchObject({ rule_times_used: 1, coupon_code: null });
    const none = { rule_times_used: 0, coupon_times_used: 0 };
    // Customer 0 is everybody together, and no customer.
    for (const unknown of ['999999/rule-usage/3?couponCode=Welcome10', '0/rule-usage/3?couponCode=Welcome10'])
      expect(await usage(unknown)).toMatchObject(none);
    expect(await usage(`${customerId}/rule-usage/99?couponCode=NOPE`)).toMatchObject(none);
  });

  test('a wish is on the list once, however often it is sent; the list has a maximum', async () => {
    const path = `/V1/pos/wishlist/${customerId}`;
    expect((await call('GET', path)).body).toEqual({ customer_id: customerId, items_count: 0, items: [] });
    const wish = (sku: string, qty = 1) => call('POST', `${path}/items`, { item: { sku, qty } });
    const answers = await eightAtOnce(() => wish('MUG', 2));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const { body } = await wish('PLATE');
    expect(body.items.map((item: { sku: string; qty: number }) => [item.sku, item.qty])).toEqual([
      ['PLATE', 1],
      ['MUG', 2],
    ]);
    expect((await wish('NOPE')).status).toBe(404);
    expect((await wish('MUG', 0)).status).toBe(400);
    expect((await call('GET', '/V1/pos/wishlist/999999')).status).toBe(404);

    const item = `${path}/items/${body.items[0].wishlist_item_id}`;
    const stranger = await aCustomer(fork());
    expect((await call('DELETE', item.replace(`/${customerId}/`, `/${stranger}/`))).status).toBe(404);
    expect((await call('DELETE', item)).body).toBe(true);
    expect((await call('DELETE', item)).status).toBe(404);

    const products = await manyProducts(books, { sku: 'W', count: 499 });
    await books.insertAll(
      'wishlist_item',
      products.map((id) => ({ customer_id: customerId, product_id: id, qty: 1 })),
    );
    expect((await wish('PLATE')).status).toBe(400);
    expect((await wish('MUG', 3)).status).toBe(200);
  });
});
