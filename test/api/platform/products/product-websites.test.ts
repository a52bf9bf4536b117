import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
let token: string;
let sku: string;
let goods = 0;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  token = await api.tokenFor('Platform_Catalog::catalog', 'Platform_Catalog::products');
});
afterAll(() => api.close());
beforeEach(async () => {
  sku = `MUG-${++goods}`;
  const product = { sku, name: 'Mug', price: 12, extension_attributes: { website_ids: [] } };
  expect((await api.call('POST', '/V1/products', { token, body: { product } })).status).toBe(200);
});

const sell = (method: string, productWebsiteLink: unknown, of = sku) =>
  api.call(method, `/V1/products/${of}/websites`, { token, body: { productWebsiteLink } });
const takeOff = (id: number, of = sku) => api.call('DELETE', `/V1/products/${of}/websites/${id}`, { token });
const websitesOf = async () =>
  (await api.call('GET', `/V1/products/${sku}`, { token })).body.extension_attributes.website_ids;
const done = { status: 200, body: true };

test('a product is sold on a website and taken off it, however often it is said', async () => {
  for (const method of ['POST', 'PUT', 'POST'])
    expect(await sell(method, { sku: 'ANOTHER', website_id: 1 })).toMatchObject(done);
  expect(await websitesOf()).toEqual([1]);
  for (const id of [1, 1, 99]) expect(await takeOff(id)).toMatchObject(done);
  expect(await websitesOf()).toEqual([]);
});

test.each([
  ['no website', { sku: 'ANY' }, 'There are not websites for assign to product'],
  ['the admin’s website', { website_id: 0 }, 'There are not websites for assign to product'],
  ['a website that is not there', { website_id: 99 }, 'Could not assign product "%1" to websites "%2"'],
])('%s is refused', async (_what, link, message) => {
  for (const method of ['POST', 'PUT'])
    expect(await sell(method, link)).toMatchObject({ status: 400, body: { message } });
  expect(await websitesOf()).toEqual([]);
});

test('an unknown product is sold nowhere', async () => {
  expect((await sell('POST', { website_id: 1 }, 'NO-SUCH')).status).toBe(404);
  expect((await takeOff(1, 'NO-SUCH')).status).toBe(404);
});
