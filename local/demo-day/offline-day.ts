import { randomUUID } from 'node:crypto';
import { addCustomers, fillCopy, priceInCopy, searchCopy, type OfflineCopy } from './offline-copy.ts';
import type { OpenRegister } from './open-register.ts';
import { sell } from './sell.ts';
import type { Customer, Selling } from './selling.ts';
import { inCents } from './in-cents.ts';
import type { Json, Teller } from './teller.ts';

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
      teller.must(total === inCents(sale.price + (sale.fixedTax ?? 0)), 'The order is not what was paid for it.');
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
