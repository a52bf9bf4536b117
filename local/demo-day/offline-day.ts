import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { criteria } from '../../client/criteria.ts';
import { totalOf, type Customer, type Selling, type OpenRegister } from './till.ts';
import { sell } from './sell.ts';
import type { Json, Teller } from './teller.ts';

/** What a register keeps on its disk, so that it can sell while it is offline. */
export interface OfflineCopy {
  customers: Map<number, Json>;
  /** The time at which the customers were requested. */
  customersAsOf: Date;
  prices: { indexedAt: string; date: string; rows: Json[] };
  taxes: { tag: string; rows: Json[] };
}

/** The longest wait for prices of a new promotion; they usually come within seconds. */
const longestWaitMs = 30_000;
const pauseMs = 500;
const customersPerPage = 500;
/** For saves that were in progress (docs/registers/offline.md). */
const overlapMs = 600_000;

/** Fetches everything, once the price of the product is included. */
async function fillCopy(teller: Teller, { productId }: { productId: number }): Promise<OfflineCopy> {
  const customers = new Map<number, Json>();
  return {
    customersAsOf: await addCustomers(teller, customers),
    customers,
    prices: await pricesWith(teller, productId),
    taxes: await fixedTaxes(teller),
  };
}

/** Fetches customers saved since a time, or all of them without one, in pages by id; returns when this run began. */
async function addCustomers(teller: Teller, customers: Map<number, Json>, since?: Date): Promise<Date> {
  let asOf: Date | undefined;
  for (let after = 0, isLast = false; !isLast;) {
    const { items }: { items: Json[] } = await teller.ask({
      method: 'GET',
      path: `/V1/customers/search?${pageOf(after, since).toString()}`,
      seesHeaders: (headers) => (asOf ??= new Date(headers.get('date') ?? Date.now())),
      means: (page) => `${page.items.length} customers for the copy, after id ${after}.`,
    });
    for (const customer of items)
      if (customer.extension_attributes.is_erased) customers.delete(customer.id);
      else customers.set(customer.id, customer);
    after = items.at(-1)?.id ?? after;
    isLast = items.length < customersPerPage;
  }
  return asOf ?? new Date();
}

function pageOf(after: number, since: Date | undefined): URLSearchParams {
  const all = criteria().where('entity_id', after, 'gt');
  const saved = since === undefined ? all : all.where('updated_at', new Date(since.getTime() - overlapMs), 'gteq');
  return new URLSearchParams(saved.sortedBy('entity_id').page(customersPerPage).query());
}

async function pricesWith(teller: Teller, productId: number): Promise<OfflineCopy['prices']> {
  for (const until = Date.now() + longestWaitMs; Date.now() < until; await pause(pauseMs)) {
    const {
      indexed_at: indexedAt,
      date,
      items,
    } = await teller.ask({
      method: 'GET',
      path: '/V1/pos/catalog-rule-prices?websiteId=1',
      means: (feed) => `${feed.items.length} prices under promotion on ${feed.date}, as of ${feed.indexed_at}.`,
    });
    if (items.some((row: Json) => row.product_id === productId)) return { indexedAt, date, rows: items };
  }
  teller.must(false, 'The promotion did not reach the feed.');
  throw new Error('unreachable');
}

async function fixedTaxes(teller: Teller): Promise<OfflineCopy['taxes']> {
  let tag = '';
  const { rows } = await teller.ask({
    method: 'GET',
    path: '/V1/pos/fixed-product-taxes?websiteId=1',
    seesHeaders: (headers) => (tag = headers.get('etag') ?? ''),
    means: (feed) => `${feed.rows.length} fixed taxes.`,
  });
  return { tag, rows };
}

/** By any part of name, e-mail, phone or company; case, accents and spaces in numbers do not matter. */
export function searchCopy({ customers }: OfflineCopy, typed: string): Json[] {
  const requested = folded(typed);
  return [...customers.values()].filter(({ firstname, lastname, email, addresses = [] }) =>
    [
      `${firstname} ${lastname}`,
      email,
      ...addresses.flatMap((address: Json) => [address.telephone ?? '', address.company ?? '']),
    ].some((text) => folded(text).includes(requested)),
  );
}

const folded = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\p{M}\s()./-]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');

/** The price of a piece for this customer today, and the fixed tax at the place of sale. */
export function priceInCopy(
  { prices, taxes }: OfflineCopy,
  sold: { product: Json; groupId: number; countryId: string; regionId: number },
): { price: number; fixedTax: number } {
  const { product, groupId, countryId, regionId } = sold;
  const promotion = prices.rows.find(
    (row) => row.product_id === product.id && row.customer_group_id === groupId,
  )?.rule_price;
  const charged = taxes.rows.filter((row) => row.sku === product.sku && row.country_id === countryId);
  const fixedTax = charged.find((row) => row.region_id === regionId) ?? charged.find((row) => row.region_id === 0);
  return { price: promotion ?? product.price, fixedTax: fixedTax?.value ?? 0 };
}

const sku = 'LAMP-DESK';
/** The place of the demo's register: New York. */
const place = { countryId: 'US', regionId: 43 };

/**
 * A register fills its copies, goes offline, sells from them, and comes back: it sends the waiting sales and fetches
 * the changes.
 */
export async function offlineDay(teller: Teller, register: OpenRegister): Promise<void> {
  teller.chapter('Before the line goes down: a register fills its copies');
  const product = await teller.ask({ method: 'GET', path: `/V1/products/${sku}`, means: ({ name }) => name });
  const rule = await beginPromotion(teller);
  const copy = await fillCopy(teller, { productId: product.id });
  const { sale, newcomer } = sellWithoutLine(teller, { register, product, copy });
  await sendStoredSales(teller, { sale, newcomer });
  await fetchWhatChanged(teller, { copy, newcomer });
  await teller.ask({
    method: 'DELETE',
    path: `/V1/catalogRules/${rule.rule_id}`,
    as: 'admin',
    means: () => 'The promotion is over; the next feed does not have it any more.',
  });
}

const beginPromotion = (teller: Teller): Promise<Json> =>
  teller.ask({
    method: 'POST',
    path: '/V1/catalogRules',
    as: 'admin',
    body: {
      rule: {
        name: `Demo ${randomUUID().slice(0, 8)}`,
        simple_action: 'by_percent',
        discount_amount: 10,
        conditions: [{ attribute: 'sku', operator: 'is_one_of', values: [sku] }],
      },
    },
    means: ({ name }) => `The office begins a promotion, ten per cent off: ${name}.`,
  });

interface Waiting {
  sale: Selling & { customer: Customer };
  newcomer: { email: string; key: string };
}

/** Sends no request: everything comes from the copies, and waits on the register. */
function sellWithoutLine(
  teller: Teller,
  { register, product, copy }: { register: OpenRegister; product: Json; copy: OfflineCopy },
): Waiting {
  teller.chapter('The line is down');
  const [grace] = searchCopy(copy, 'grace');
  teller.must(grace !== undefined, 'Nobody by that name is in the copy.');
  teller.say(
    `"grace" finds ${grace.firstname} ${grace.lastname} among ${copy.customers.size} customers, in group ${grace.group_id}.`,
  );
  const { price, fixedTax } = priceInCopy(copy, { product, groupId: grace.group_id, ...place });
  teller.must(price < product.price && fixedTax > 0, 'The copies have neither the promotion nor the fixed tax.');
  teller.say(`${product.name}: ${price} instead of ${product.price}, and ${fixedTax} of fixed tax. Sold for cash.`);
  const newcomer = { email: `olga-${randomUUID().slice(0, 8)}@demo.example`, key: randomUUID() };
  teller.say(`Olga Offline opens an account; it waits with the sale: ${newcomer.email}.`);
  const customer = { id: grace.id, email: grace.email };
  return { sale: { register, product, price, fixedTax, qty: 1, payment: 'cash', customer }, newcomer };
}

async function sendStoredSales(teller: Teller, { sale, newcomer }: Waiting): Promise<void> {
  teller.chapter('The line is back: what waited is sent, the oldest first');
  const sold = await sell(teller, sale);
  await teller.ask({
    method: 'GET',
    path: `/V1/orders/${sold.orderId}`,
    means: ({ grand_total: total, status }) => {
      teller.must(total === totalOf(sale), 'The order is not what was paid for it.');
      return `It is booked as it was sold: ${total}, ${status}.`;
    },
  });
  const open = (means: (body: Json) => string): Promise<Json> =>
    teller.ask({
      method: 'POST',
      path: '/V1/pos/customers',
      headers: { 'idempotency-key': newcomer.key },
      body: { request: { email: newcomer.email, firstname: 'Olga', lastname: 'Offline', websiteId: 1 } },
      means,
    });
  const first = await open(({ customer_id: id }) => `Olga is customer ${id}.`);
  const again = await open(({ customer_id: id }) => `The answer was lost and it is sent again: still customer ${id}.`);
  teller.must(first.success && first.customer_id === again.customer_id, 'Olga was opened twice, or not at all.');
}

async function fetchWhatChanged(
  teller: Teller,
  { copy, newcomer }: { copy: OfflineCopy; newcomer: Waiting['newcomer'] },
): Promise<void> {
  teller.chapter('And what changed meanwhile is fetched');
  await addCustomers(teller, copy.customers, copy.customersAsOf);
  teller.must(searchCopy(copy, newcomer.email).length === 1, 'The newcomer is not in the copy.');
  const { indexedAt, date } = copy.prices;
  await teller.ask({
    method: 'GET',
    path: `/V1/pos/catalog-rule-prices?websiteId=1&date=${date}&ifIndexedAfter=${encodeURIComponent(indexedAt)}`,
    means: ({ unchanged, items }) =>
      unchanged ? 'Prices are unchanged; nothing was sent.' : `Prices changed; ${items.length} rows take their place.`,
  });
  await teller.ask({
    method: 'GET',
    path: '/V1/pos/fixed-product-taxes?websiteId=1',
    headers: { 'if-none-match': copy.taxes.tag },
    expect: 304,
    means: () => 'No fixed tax changed.',
  });
}
