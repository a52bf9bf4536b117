import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  await ownAttributes(api, { eco_fee: 'weee' });
});
afterAll(() => api.close());

const inAmerica = { website_id: 0, country: 'US', state: 0 };
const taxed = (...rows: object[]) => ({ custom_attributes: [{ attribute_code: 'eco_fee', value: rows }] });
const call = (method: string, path: string, product?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(product === undefined ? {} : { body: { product } }) });
const refused = {
  status: 400,
  body: {
    message:
      'Set unique country-state combinations within the same fixed product tax. ' +
      'Verify the combinations and try again.',
  },
};

test('a fixed tax names a place of a website once, and what it was stays', async () => {
  await call('PUT', '/V1/products/MUG', taxed({ ...inAmerica, value: 2.5 }));

  const twice = taxed({ ...inAmerica, value: 3 }, { website_id: '0', country: 'US', value: 4 });
  expect(await call('PUT', '/V1/products/MUG', twice)).toMatchObject(refused);
  expect(await call('POST', '/V1/products', { sku: 'NEW', name: 'New', price: 1, ...twice })).toMatchObject(refused);

  const { body: mug } = await call('GET', '/V1/products/MUG');
  expect(mug.custom_attributes).toContainEqual({
    attribute_code: 'eco_fee',
    value: [{ website_id: '0', country: 'US', state: '0', value: '2.5000', website_value: 2.5 }],
  });
  expect(await call('GET', '/V1/products/NEW')).toMatchObject({ status: 404 });
});

test('a fixed tax may differ by region and by website', async () => {
  const rows = [inAmerica, { ...inAmerica, state: 43 }, { ...inAmerica, website_id: 1 }];
  const fees = taxed(...rows.map((place, at) => ({ ...place, value: at + 1 })));

  expect(await call('PUT', '/V1/products/PLATE', fees)).toMatchObject({ status: 200 });
});
