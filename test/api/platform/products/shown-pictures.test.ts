import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aPng } from '../../../support/pictures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
const content = { base64_encoded_data: aPng().toString('base64'), type: 'image/png', name: 'mug.png' };
const entry = (more: object = {}) => ({ entry: { media_type: 'image', label: 'Front', content, ...more } });

let made = 0;
async function aProduct(): Promise<string> {
  const sku = `SHOWN-${++made}`;
  expect(await call('POST', '/V1/products', { product: { sku, name: sku, price: 1 } })).toMatchObject({ status: 200 });
  return sku;
}

test('a picture that is shown as something in another view is not deleted by this one', async () => {
  const sku = await aProduct();
  const [{ body: first }, { body: second }] = [
    await call('POST', `/rest/all/V1/products/${sku}/media`, entry()),
    await call('POST', `/rest/ca/V1/products/${sku}/media`, entry({ types: ['thumbnail'] })),
  ];
  const refused = {
    status: 400,
    body: { message: 'The image cannot be removed as it has been assigned to the other image role' },
  };
  const remove = (view: string, id: number) => call('DELETE', `/rest/${view}/V1/products/${sku}/media/${id}`);
  expect(await remove('default', first)).toMatchObject(refused);
  expect(await remove('default', second)).toMatchObject(refused);
  expect(await remove('all', second)).toMatchObject(refused);
  expect((await call('GET', `/V1/products/${sku}/media`)).body).toHaveLength(2);
  expect(await remove('ca', second)).toMatchObject({ status: 200 });
  expect(await remove('all', first)).toMatchObject({ status: 200 });
});

test('the entry’s own id counts, whatever the path says', async () => {
  const sku = await aProduct();
  const { body: id } = await call('POST', `/V1/products/${sku}/media`, entry());
  const change = (path: string, sent: object) => call('PUT', `/V1/products/${path}`, { entry: sent });
  const unknown = 'No image with the provided ID was found. Verify the ID and try again.';
  expect(await change(`${sku}/media/${id}`, { id: 9999, label: 'x' })).toMatchObject({ body: { message: unknown } });
  expect(await change(`${sku}/media/some`, { label: 'x' })).toMatchObject({ status: 404, body: { message: unknown } });
  expect(await change(`${sku}/media/some`, { id, label: 'Side' })).toMatchObject({ status: 200, body: true });
  expect((await call('GET', `/V1/products/${sku}/media/${id}`)).body).toMatchObject({ label: 'Side' });
  const nobody = "The product that was requested doesn't exist. Verify the product and try again.";
  expect(await change('wrong/media/wrong-sku', { id: 9999 })).toMatchObject({ status: 404, body: { message: nobody } });
});
