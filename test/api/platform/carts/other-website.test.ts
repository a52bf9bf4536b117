import { afterAll, beforeAll, expect, test } from 'vitest';
import { Product } from '../../../../db/platform/catalog/product.entity.ts';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { ConfigValue } from '../../../../db/platform/stores/config-value.entity.ts';
import { taxGoods } from '../../../../db/platform/tax/tax-goods.ts';
import { addEntry } from '../../../../db/store-credit/add-entry.ts';
import { money } from '../../../../domain/money/amount.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop } from '../../../support/builders/cart.ts';
import { anEntry, aSecondWebsite } from '../../../support/builders/wallet.ts';
import { booksOf } from '../../../support/books.ts';

const berlin = {
  firstname: 'Dora',
  lastname: 'Dorn',
  street: ['Lindenweg 3'],
  city: 'Berlin',
  regionId: 82,
  postcode: '10115',
  countryId: 'DE',
  telephone: '030',
};

let api: TestApi;
let customerId: number;
let token: string;

/** A website in euros whose prices include 19 % of tax, and a customer with 20 euros of credit there. */
beforeAll(async () => {
  api = await testApi();
  await aCartShop(fork());
  const websiteId = await aSecondWebsite(fork());
  const em = fork();
  const path = 'tax/calculation/price_includes_tax';
  em.create(ConfigValue, { path, value: '1', scope: 'websites', scopeId: websiteId });
  const country = 'general/store_information/country_id';
  em.create(ConfigValue, { path: country, value: 'DE', scope: 'websites', scopeId: websiteId });
  await taxGoods(em, { code: 'DE', taxClassId: 2, countryId: 'DE', regionId: 0, percent: '19' });
  em.create(Product, {
    attributeSetId: 4,
    sku: 'EBOOK',
    name: 'E-Book',
    price: money('119'),
    typeId: 'virtual',
    manageStock: false,
    websiteIds: [websiteId],
  });
  const dora = em.create(Customer, {
    websiteId,
    storeId: 3,
    groupId: 1,
    email: 'dora@shop.test',
    firstname: 'Dora',
    lastname: 'Dorn',
  });
  await em.flush();
  customerId = dora.id;
  token = await api.customerToken(customerId);
  await addEntry(fork(), anEntry(customerId, { websiteId, amount: '20' }));
});
afterAll(async () => {
  await booksHold();
  await api.close();
});

const { fork, change, booksHold } = booksOf(() => api.orm);
const call = (method: string, path = '', body?: object) =>
  api.call(method, `/rest/eu_de/V1/carts/mine${path}`, { token, ...(body ? { body } : {}) });
const put = (sku: string) => call('POST', '/items', { cartItem: { sku, qty: 1 } });

test('a cart there is priced with the tax inside, paid from the wallet there, and offers what is sold there', async () => {
  await call('POST');
  expect(await put('EBOOK')).toMatchObject({ status: 200, body: { price: 100 } });
  expect(await put('MUG')).toMatchObject({
    status: 400,
    body: { message: 'Product that you are trying to add is not available.' },
  });
  // Sold there, but that website has no stock to sell it from.
  expect(await put('FOREIGN')).toMatchObject({
    status: 400,
    body: { message: 'The requested qty is not available' },
  });
  await call('POST', '/billing-address', { address: berlin });
  await call('POST', '/store-credit/apply');
  expect((await call('GET', '/totals')).body).toMatchObject({
    quote_currency_code: 'EUR',
    subtotal: 100,
    subtotal_incl_tax: 119,
    tax_amount: 19,
    grand_total: 119,
    extension_attributes: { amount_to_pay: 99 },
  });

  const { status, body: orderId } = await call('PUT', '/order', { paymentMethod: { method: 'checkmo' } });

  expect(status).toBe(200);
  const order = await api.call('GET', `/V1/orders/${orderId}`, { token: api.tokens.admin });
  expect(order.body).toMatchObject({ store_id: 3, grand_total: 119, total_paid: 20, tax_amount: 19 });
});

test('a wallet in a currency the website left behind pays nothing', async () => {
  await call('POST');
  await put('EBOOK');
  await addEntry(fork(), anEntry(customerId, { websiteId: 2, amount: '20' }));
  await change('website', { website_id: 2 }, { base_currency_code: 'CHF' });
  try {
    expect((await call('GET', '/store-credit')).body).toMatchObject({ balance: 0, applicable_amount: 0 });
    expect(await call('POST', '/store-credit/apply')).toMatchObject({ status: 400 });
  } finally {
    await change('website', { website_id: 2 }, { base_currency_code: 'EUR' });
  }
});
