import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EntityManager } from '@mikro-orm/postgresql';
import { readInsights } from '../db/insights.ts';
import { openIndexDay, reindexDue } from '../db/platform/catalog-rules/reindex-due.ts';
import { readPricePage } from '../db/platform/catalog-rules/read-rule-prices.ts';
import type { BenchProcess } from './processes.ts';
import { residentMemory, median } from './support.ts';

export interface FeedsInput {
  em: EntityManager;
  api: BenchProcess;
  token: string;
  rounds: number;
  products: number;
  say: (line: string) => void;
}

export interface FeedsMeasured {
  /** Prices in the index, and prices a full run writes per second; a bare `insert … select` of the same rows. */
  reindex: { rows: number; perSecond: number; barePerSecond: number };
  /** A whole feed in ms, beside bare HTTP with the same pages; and the growth of the API's memory. */
  feed: { rows: number; ms: number; bareMs: number; grownMiB: number };
  /** The insights of a customer with many orders, beside their statements alone, in ms. */
  insights: { orders: number; ms: number; bareMs: number };
}

const rules = 20;
const orders = 10_000;
/** Orders of other customers: they reveal a plan that reads the whole table for one customer. */
const ordersOfOthers = 100_000;
const otherCustomers = 10_000;
const productsPerBatch = 2_000;

/** Catalog prices, calculated and sent, and the insights of a long-standing customer. */
export async function measureFeeds(input: FeedsInput): Promise<FeedsMeasured> {
  const { em, say, products } = input;
  say(`Making ${products} products under ${rules} rules, and a customer with ${orders} orders …`);
  await makeCatalog(em, products);
  const reindex = await measureReindex(input);
  const feed = await measureFeed(input);
  const customerId = await makeRegular(em);
  return { reindex, feed, insights: await measureInsights(input, customerId) };
}

async function makeCatalog(em: EntityManager, products: number): Promise<void> {
  await em.execute(`insert into customer_group (id, code, tax_class_id) values (4, 'Club', 3) on conflict do nothing`);
  await em.execute(
    `insert into product (sku, name, price, website_ids, category_ids, custom_attributes, created_at, updated_at)
     select 'BENCH-' || n, 'Bench ' || n, 10 + n % 500, '{1}', array[(n % 40)::text, (n % 7)::text],
       jsonb_build_object('color', (array['red', 'green', 'blue'])[1 + n % 3]), now(), now()
     from generate_series(1, ?::int) as n`,
    [products],
  );
  await em.execute(
    `insert into catalog_rule (name, simple_action, discount_amount, sort_order, conditions, created_at, updated_at)
     select 'Rule ' || n, (array['by_percent', 'by_fixed'])[1 + n % 2], 1, n, case n % 3
       when 0 then '[]' when 1 then jsonb_build_array(jsonb_build_object('attribute', 'category_ids', 'operator',
         'is_one_of',
         'values', jsonb_build_array((n % 7)::text)))
       else '[{"attribute": "color", "operator": "is_not_one_of", "values": ["red"]}]' end, now(), now()
     from generate_series(1, ?::int) as n`,
    [rules],
  );
  await em.execute('analyze product');
}

async function measureReindex({ em, say }: FeedsInput): Promise<FeedsMeasured['reindex']> {
  say('Working every price out …');
  const start = performance.now();
  await openIndexDay(em, new Date());
  let rows = 0;
  for (let isDone = false; !isDone;) {
    const done = await reindexDue(em, { limit: productsPerBatch });
    rows += done.changed;
    isDone = done.isDone;
  }
  const ms = performance.now() - start;
  await em.execute('create table bare_price (like catalog_rule_price including all)');
  const bareStart = performance.now();
  await em.execute('insert into bare_price select * from catalog_rule_price');
  const bareMs = performance.now() - bareStart;
  await em.execute('drop table bare_price');
  await em.execute('vacuum analyze catalog_rule_price');
  return { rows, perSecond: Math.round((rows / ms) * 1_000), barePerSecond: Math.round((rows / bareMs) * 1_000) };
}

async function measureFeed({ em, api, token, rounds, say }: FeedsInput): Promise<FeedsMeasured['feed']> {
  say('Sending the whole of it …');
  const [today] = await em.execute<{ day: string; rows: number }[]>(
    `select i.day::text, count(*)::int as rows from catalog_rule_index i
     join catalog_rule_price p on p.website_id = i.website_id and p.rule_date = i.day
     where i.website_id = 1 group by i.day`,
  );
  const { day = '', rows = 0 } = today ?? {};
  const plain = await bareFeed(em, day);
  const bareUrl = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
  const url = `${api.url}/rest/V1/pos/catalog-rule-prices?websiteId=1&date=${day}`;
  const [ms, bareMs]: [number[], number[]] = [[], []];
  await readAll(url, token);
  const before = memoryOf(api);
  for (let round = 0; round < rounds; round++) {
    ms.push(await readAll(url, token));
    bareMs.push(await readAll(bareUrl, token));
  }
  plain.close();
  return { rows, ms: median(ms), bareMs: median(bareMs), grownMiB: memoryOf(api) - before };
}

const memoryOf = ({ pid }: BenchProcess) => residentMemory(pid)?.now ?? Number.NaN;

/** The same pages over bare HTTP: no token, no ACL, no validation. */
async function bareFeed(em: EntityManager, date: string): Promise<Server> {
  const send = async (write: (text: string) => void) => {
    let after = { productId: 0, customerGroupId: 0 };
    for (;;) {
      const page = await readPricePage(em, { websiteId: 1, date, ...after, limit: 10_000 });
      if (!page?.items) return;
      write(page.items);
      after = { productId: page.lastProductId ?? 0, customerGroupId: page.lastGroupId ?? 0 };
    }
  };
  const server = createServer((_request, response) => {
    void send((text) => response.write(text)).then(() => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function readAll(url: string, token: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' } });
  await response.arrayBuffer();
  return performance.now() - start;
}

/** A customer with ten thousand purchases of three goods each, among others with ten. */
async function makeRegular(em: EntityManager): Promise<number> {
  const [customer] = await em.execute<{ id: number }[]>(
    `insert into customer (website_id, store_id, group_id, email, firstname, lastname, created_at, updated_at)
     select 1, 1, 1, 'regular-' || n || '@bench.test', 'Rita', 'Regular', now(), now()
       from generate_series(0, ?::int) as n
     returning id`,
    [otherCustomers],
  );
  const customerId = customer?.id ?? 0;
  await buy(em, { firstId: customerId, customers: 1, orders, hoursApart: 1 });
  await buy(em, { firstId: customerId + 1, customers: otherCustomers, orders: ordersOfOthers, hoursApart: 0.1 });
  await em.execute('vacuum analyze sales_order');
  await em.execute('vacuum analyze sales_order_item');
  return customerId;
}

async function buy(em: EntityManager, by: { firstId: number; customers: number; orders: number; hoursApart: number }) {
  await em.execute(
    `with bought as (
       insert into sales_order (increment_id, state, status, store_id, protect_code, base_currency_code,
         global_currency_code, order_currency_code, store_currency_code, customer_id, grand_total, base_grand_total,
         total_paid, base_total_paid, created_at, updated_at)
       select 'REG-' || ?::int || '-' || n, 'complete', 'complete', 1, 'x', 'USD', 'USD', 'USD', 'USD',
         ?::int + n % ?::int, 30, 30, 30, 30,
         now() - make_interval(secs => n * 3600 * ?::float8), now()
       from generate_series(1, ?::int) as n returning entity_id)
     insert into sales_order_item (order_id, product_id, sku, name, qty_ordered, created_at, updated_at)
     select bought.entity_id, p.entity_id, p.sku, p.name, 1, now(), now()
     from bought cross join lateral (
       select * from product where sku in ('BENCH-1', 'BENCH-' || (1 + bought.entity_id % 90), 'BENCH-2')) as p`,
    [by.firstId, by.firstId, by.customers, by.hoursApart, by.orders],
  );
}

async function measureInsights(
  { em, api, token, rounds }: FeedsInput,
  customerId: number,
): Promise<FeedsMeasured['insights']> {
  const [ms, bareMs]: [number[], number[]] = [[], []];
  for (let n = 0; n < rounds * 5 + 1; n++) {
    const whole = await readAll(`${api.url}/rest/V1/pos/customer-insights/${customerId}`, token);
    const start = performance.now();
    await readInsights(em, customerId);
    // The first one fills the caches.
    if (n > 0) ms.push(whole);
    if (n > 0) bareMs.push(performance.now() - start);
  }
  return { orders, ms: median(ms), bareMs: median(bareMs) };
}
