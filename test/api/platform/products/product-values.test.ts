import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ clock: () => new Date('2026-11-23T12:00:00Z') });
  await aShop(api.orm.em.fork());
  await ownAttributes(api, { barcode: 'text', is_returnable: 'boolean' });
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
let made = 0;
async function save(more: object, sku = `VALUED-${++made}`) {
  return call('POST', '/rest/all/V1/products', { product: { sku, name: sku, price: 50, ...more } });
}
const valueOf = (body: { custom_attributes: { attribute_code: string; value: unknown }[] }, code: string) =>
  body.custom_attributes.find(({ attribute_code: name }) => name === code)?.value;
const attribute = (attribute_code: string, value: unknown) => ({ custom_attributes: [{ attribute_code, value }] });

test('a special price brings its first day, which a later price keeps', async () => {
  const { body } = await save(attribute('special_price', '40'));
  expect(valueOf(body, 'special_from_date')).toBe('2026-11-23 00:00:00');

  const first = { custom_attributes: [...attribute('special_from_date', '2026-01-01 00:00:00').custom_attributes] };
  const { body: said } = await save(first, body.sku);
  expect(valueOf(said, 'special_from_date')).toBe('2026-01-01 00:00:00');
  const { body: lower } = await save(attribute('special_price', 30), body.sku);
  expect(valueOf(lower, 'special_from_date')).toBe('2026-01-01 00:00:00');
  expect(valueOf(lower, 'special_price')).toBe('30');
});

test('without a special price there is no first day', async () => {
  const { body } = await save(attribute('special_price', null));
  expect(valueOf(body, 'special_from_date')).toBeUndefined();
});

test('a status of 0 is kept', async () => {
  const { status, body } = await save({ status: 0 });
  expect([status, body.status]).toEqual([200, 0]);
  expect((await save({ status: 3 })).status).toBe(400);
});

test.each(['meta_title', 'description', 'url_key'])('a list is refused as a value of %s', async (code) => {
  expect(await save(attribute(code, [1, 2, 3]))).toMatchObject({
    status: 400,
    body: { message: 'Attribute "%1" has invalid value.', parameters: [code] },
  });
});

test('values are answered as texts, however they were sent', async () => {
  const { body } = await save({
    custom_attributes: [
      { attribute_code: 'barcode', value: 4006381333931 },
      { attribute_code: 'is_returnable', value: true },
    ],
  });
  expect([valueOf(body, 'barcode'), valueOf(body, 'is_returnable')]).toEqual(['4006381333931', '1']);
});

test('an object says nothing of stock management', async () => {
  const { body } = await save({});
  const wrong = { stockItem: { manage_stock: {} } };
  expect(await call('PUT', `/V1/products/${body.sku}/stockItems/1`, wrong)).toMatchObject({ status: 400 });
  expect((await call('GET', `/V1/stockItems/${body.sku}`)).body).toMatchObject({ manage_stock: true });
});

test('categories that were emptied are not told', async () => {
  const { body } = await save({ extension_attributes: { category_links: [{ category_id: '2', position: 1 }] } });
  expect(body.extension_attributes.category_links).toHaveLength(1);
  const { body: emptied } = await save({ extension_attributes: { category_links: [] } }, body.sku);
  expect(emptied.extension_attributes).not.toHaveProperty('category_links');
});

test('products of a category are sorted by their place in it', async () => {
  const skus: string[] = [];
  for (const position of [3, 1, 2]) {
    const links = [
      { category_id: '2', position },
      { category_id: '1', position: 10 - position },
    ];
    skus.push((await save({ extension_attributes: { category_links: links } })).body.sku);
  }
  const sorted = async (category: number | string, direction: string) => {
    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    const sort = 'searchCriteria[sort_orders][0]';
    const { body } = await call(
      'GET',
      `/V1/products?${filter}[field]=category_id&${filter}[value]=${category}&${sort}[field]=position&${sort}[direction]=${direction}`,
    );
    return body.items.map(({ sku }: { sku: string }) => sku);
  };
  const [third, first, second] = skus;
  expect(await sorted(2, 'ASC')).toEqual([first, second, third]);
  expect(await sorted(2, 'DESC')).toEqual([third, second, first]);
  expect(await sorted(1, 'ASC')).toEqual([third, second, first]);
  expect(await sorted("1' or 1=1", 'ASC')).toEqual([]);
});
