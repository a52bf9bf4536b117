import { customerOf } from '../money-shop.ts';
import { productCount } from '../shop.ts';
import type { Scenario } from '../scenario.ts';

const skusAsked = 60;
const skuOf = (n: number) => `SKU-${String((n % productCount) + 1).padStart(5, '0')}`;

/** The prices of sixty products for a customer: some by group, some by contract, some from the catalog. */
export const customerPrices: Scenario = {
  name: 'customer prices',
  loads: [{ connections: 16, atLeast: null, atMost: 2 }],
  async prepare({ execute }) {
    await execute(`
      update product set tier_prices = jsonb_build_array(
        jsonb_build_object('customerGroupId', 1, 'websiteId', 0, 'qty', 10000, 'value', 40000),
        jsonb_build_object('customerGroupId', 32000, 'websiteId', 0, 'qty', 50000, 'value', 30000))
      where entity_id % 3 = 0`);
    await execute(`
      insert into pos_contract_price (customer_id, website_id, sku, qty, price)
      select c.id, 1, p.sku, q, 3 from customer c, generate_series(1, 2) q,
        lateral (select sku from product where entity_id % 3 = 1 order by entity_id limit 200) p
      where c.id < (select min(id) + 200 from customer) on conflict do nothing`);
    await execute('vacuum analyze');
  },
  readsOnly: true,
  request: (customerId) => ({
    method: 'POST',
    path: '/V1/pos/customer-prices',
    body: {
      request: { customerId, websiteId: 1, skus: Array.from({ length: skusAsked }, (_, n) => skuOf(n * 7)) },
    },
  }),
  subjectOf: customerOf,
};

/** Validates a customer while it is typed. */
export const validateCustomer: Scenario = {
  name: 'validate customer',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  readsOnly: true,
  request: (customerId) => ({
    method: 'POST',
    path: '/V1/pos/customer-validate',
    body: {
      request: {
        email: `nobody-${customerId}@bench.example`,
        firstname: 'Ada',
        lastname: 'Lovelace',
        websiteId: 1,
        customerId,
        phone: '+4930901820',
        postcode: '10117',
        countryCode: 'DE',
        taxvat: 'DE136695976',
      },
    },
  }),
  subjectOf: customerOf,
};
