import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  token = await api.tokenFor('Platform_Catalog::products');
  for (const product of [
    { sku: 'PLAIN', name: 'Plain', price: 1 },
    { sku: 'FILE', name: 'File', price: 1, type_id: 'downloadable' },
  ])
    expect((await api.call('POST', '/V1/products', { token, body: { product } })).status).toBe(200);
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, `/V1/configurable-products/${path}`, { token, body });
const option = { attribute_id: 'color', label: 'Colour', values: [{ value_index: 4 }] };

const missing = "The product that was requested doesn't exist. Verify the product and try again.";
const otherType = 'This is implemented for the "%1" configurable product only.';

const doors: readonly { method: string; path: string; body?: unknown }[] = [
  { method: 'GET', path: 'options/all' },
  { method: 'GET', path: 'options/1' },
  { method: 'POST', path: 'options', body: { option } },
  { method: 'PUT', path: 'options/1', body: { option: { label: 'Shade' } } },
  { method: 'DELETE', path: 'options/1' },
  { method: 'GET', path: 'children' },
  { method: 'POST', path: 'child', body: { childSku: 'PLAIN' } },
  { method: 'DELETE', path: 'children/PLAIN' },
];

test.each(doors)('$method …/$path of an unknown product is not found', ({ method, path, body }) =>
  expectRefused({ send: () => call(method, `NOTHING/${path}`, body), status: 404, said: missing }),
);

test.each(doors.filter(({ path }) => path.startsWith('options')))(
  '$method …/$path of a product of another type is refused, and it stays what it is',
  async ({ method, path, body }) => {
    await expectRefused({ send: () => call(method, `FILE/${path}`, body), status: 400, said: otherType });
    expect((await api.call('GET', '/V1/products/FILE', { token })).body.type_id).toBe('downloadable');
  },
);
