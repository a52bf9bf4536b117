import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const get = (path: string) => api.call('GET', path, { token: api.tokens.admin });
const skusOf = (body: { items: { sku: string }[] }) => body.items.map(({ sku }) => sku);

test('one value without brackets is a list of one', async () => {
  const { body } = await get('/V1/store/storeConfigs?storeCodes=ca');
  expect(body.map(({ code }: { code: string }) => code)).toEqual(['ca']);
  expect((await get('/V1/inventory/are-products-salable?skus=MUG&stockId=1')).body).toEqual([
    { sku: 'MUG', stock_id: 1, salable: true },
  ]);
});

test('of a query key sent twice the last one counts', async () => {
  const { body } = await get('/V1/products?searchCriteria[page_size]=1&searchCriteria[page_size]=2');
  expect(body.items).toHaveLength(2);
});

test('the platform’s other address answers the same', async () => {
  const { body } = await get('/index.php/rest/V1/products/MUG');
  expect(body).toEqual((await get('/rest/V1/products/MUG')).body);
});

test('a sort may be written as a field and its direction', async () => {
  const { status, body } = await get('/V1/products?searchCriteria[sort_orders][price]=ASC');
  expect({ status, skus: skusOf(body) }).toEqual({ status: 200, skus: ['GIFTWRAP', 'PLATE', 'MUG'] });
  const wrong = await get('/V1/products?searchCriteria[sort_orders][price]=UP');
  expect(wrong.status).toBe(400);
  expect((await get('/V1/products?searchCriteria[sort_orders][0]=ASC')).status).toBe(400);
});

test.each([{}, [], { a: 1 }])('%j is refused as a flag, and nothing is changed', async (manage_stock) => {
  const product = { extension_attributes: { stock_item: { manage_stock } } };
  const answer = await api.call('PUT', '/V1/products/MUG', { token: api.tokens.admin, body: { product } });
  expect(answer.status).toBe(400);
  expect((await get('/V1/products/MUG')).body.extension_attributes.stock_item.manage_stock).toBe(true);
});

test('the region of an address may bring what other modules added to it', async () => {
  const region = { region_id: 43, extension_attributes: { county: 'Rensselaer' } };
  const address = {
    ...{ firstname: 'Ann', lastname: 'Lee', street: ['1 Main St'], city: 'Troy', postcode: '12180' },
    ...{ country_id: 'US', telephone: '555-0100', region },
  };
  const customer = { email: 'region@example.com', firstname: 'Ann', lastname: 'Lee', addresses: [address] };
  const { status, body } = await api.call('POST', '/V1/customers', { token: api.tokens.admin, body: { customer } });
  expect({ status, region: body.addresses[0].region }).toEqual({
    status: 200,
    region: { region_code: 'NY', region: 'New York', region_id: 43 },
  });
});

test('the verbs of an address are told as they are', async () => {
  const { headers } = await api.call('PATCH', '/V1/customers/me', { token: api.tokens.admin });
  expect(headers.get('allow')).toBe('GET, PUT');
});

test.each([
  ['/V1/invoices', 'can_void_flag', '0'],
  ['/V1/creditmemos', 'creditmemo_status', '2'],
  ['/V1/shipments', 'shipment_status', '1'],
])('%s is searched and sorted by %s', async (path, field, value) => {
  const filter = `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;
  const { status, body } = await get(`${path}?${filter}&searchCriteria[sort_orders][0][field]=${field}`);
  expect({ status, count: body.total_count }).toEqual({ status: 200, count: 0 });
});
