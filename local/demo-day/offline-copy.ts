import { setTimeout as pause } from 'node:timers/promises';
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
export async function fillCopy(teller: Teller, { productId }: { productId: number }): Promise<OfflineCopy> {
  const customers = new Map<number, Json>();
  return {
    customersAsOf: await addCustomers(teller, customers),
    customers,
    prices: await pricesWith(teller, productId),
    taxes: await fixedTaxes(teller),
  };
}

/** Fetches customers saved since a time, or all of them without one, in pages by id; returns when this run began. */
export async function addCustomers(teller: Teller, customers: Map<number, Json>, since?: Date): Promise<Date> {
  let asOf: Date | undefined;
  for (let after = 0, isLast = false; !isLast;) {
    const { items }: { items: Json[] } = await teller.ask({
      method: 'GET',
      path: `/V1/customers/search?${pageOf(after, since).toString()}`,
      seesHeaders: (headers) => (asOf ??= new Date(headers.get('date') ?? Date.now())),
      means: (page) => `${page.items.length} customers for the copy, after id ${after}.`,
    });
    for (const customer of items) customers.set(customer.id, customer);
    after = items.at(-1)?.id ?? after;
    isLast = items.length < customersPerPage;
  }
  return asOf ?? new Date();
}

function pageOf(after: number, since: Date | undefined): URLSearchParams {
  const moment = since && new Date(since.getTime() - overlapMs).toISOString().slice(0, 19).replace('T', ' ');
  const filter = (at: number, field: string, condition: string, value: string) => ({
    [`searchCriteria[filterGroups][${at}][filters][0][field]`]: field,
    [`searchCriteria[filterGroups][${at}][filters][0][conditionType]`]: condition,
    [`searchCriteria[filterGroups][${at}][filters][0][value]`]: value,
  });
  return new URLSearchParams({
    ...filter(0, 'entity_id', 'gt', String(after)),
    ...(moment === undefined ? {} : filter(1, 'updated_at', 'gteq', moment)),
    'searchCriteria[sortOrders][0][field]': 'entity_id',
    'searchCriteria[sortOrders][0][direction]': 'ASC',
    'searchCriteria[pageSize]': String(customersPerPage),
  });
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
  const wanted = folded(typed);
  return [...customers.values()].filter(({ firstname, lastname, email, addresses = [] }) =>
    [
      `${firstname} ${lastname}`,
      email,
      ...addresses.flatMap((address: Json) => [address.telephone ?? '', address.company ?? '']),
    ].some((text) => folded(text).includes(wanted)),
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
