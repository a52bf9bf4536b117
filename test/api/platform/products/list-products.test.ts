import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Product } from '../../../../db/platform/catalog/product.entity.ts';
import { StoreView } from '../../../../db/platform/stores/store-view.entity.ts';
import { money } from '../../../../domain/money/amount.ts';
import { quantity } from '../../../../domain/money/quantity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;

beforeAll(async () => {
  api = await testApi();
  const em = api.orm.em.fork();
  await aShop(em);
  em.create(Product, {
    attributeSetId: 4,
    sku: 'Cap-1',
    name: 'Cap',
    price: money('9.99'),
    websiteIds: [2],
    categoryIds: ['4', '7'],
    weight: quantity(2_500),
  });
  em.create(Product, {
    attributeSetId: 4,
    sku: 'Cap-2',
    name: 'Blue cap',
    price: money('12'),
    websiteIds: [1, 2],
    categoryIds: ['7'],
    customAttributes: { cost: 'unknown', ean_13: '4006381333948' },
  });
  em.create(Product, {
    attributeSetId: 4,
    sku: 'HAT',
    name: 'Hat',
    price: money('20'),
    websiteIds: [1],
    status: 2,
    customAttributes: { barcode: '4006381333931', special_price: '8.50', cost: 3, is_returnable: '0' },
  });
  await em.flush();
});
afterAll(() => api.close());

interface Filter {
  field: string;
  value: string;
  type?: string;
}

/** Filters of groups, as a query. */
function query(groups: Filter[][], more = ''): string {
  const parts = groups.flatMap((filters, group) =>
    filters.map(({ field, value, type }, index) => {
      const filter = `searchCriteria[filter_groups][${group}][filters][${index}]`;
      const condition = type ? `&${filter}[condition_type]=${type}` : '';
      return `${filter}[field]=${field}&${filter}[value]=${encodeURIComponent(value)}${condition}`;
    }),
  );
  return [...parts, more].filter(Boolean).join('&') || 'searchCriteria=';
}

const list = (groups: Filter[][], more?: string) =>
  api.call('GET', `/V1/products?${query(groups, more)}`, { token: api.tokens.register });
const skus = async (groups: Filter[][], more?: string): Promise<string[]> =>
  (await list(groups, more)).body.items.map(({ sku }: { sku: string }) => sku);

test('the whole catalogue comes in one envelope, without stock items', async () => {
  const { status, body } = await list([]);

  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['items', 'search_criteria', 'total_count']);
  expect(body).toMatchObject({ search_criteria: { filter_groups: [] }, total_count: 6 });
  expect(body.items.find(({ sku }: { sku: string }) => sku === 'Cap-1')).toMatchObject({
    price: 9.99,
    extension_attributes: { website_ids: [2] },
    custom_attributes: [
      { attribute_code: 'tax_class_id', value: '2' },
      { attribute_code: 'category_ids', value: ['4', '7'] },
    ],
  });
  expect(JSON.stringify(body)).not.toContain('stock_item');
});

test.each<[string, Filter[][], string[]]>([
  ['a sku, whatever its case', [[{ field: 'sku', value: 'cap-1' }]], ['Cap-1']],
  ['several skus', [[{ field: 'sku', value: 'MUG,HAT', type: 'in' }]], ['MUG', 'HAT']],
  ['a part of the name', [[{ field: 'name', value: '%cap%', type: 'like' }]], ['Cap-1', 'Cap-2']],
  ['a price', [[{ field: 'price', value: '33.33', type: 'gt' }]], ['MUG']],
  ['what is switched off', [[{ field: 'status', value: '2' }]], ['HAT']],
  ['a category', [[{ field: 'category_id', value: '7' }]], ['Cap-1', 'Cap-2']],
  ['one of two categories', [[{ field: 'category_id', value: '4,5', type: 'in' }]], ['Cap-1']],
  ['a website', [[{ field: 'website_id', value: '2' }]], ['Cap-1', 'Cap-2']],
  ['a barcode', [[{ field: 'barcode', value: '4006381333931' }]], ['HAT']],
  ['a weight', [[{ field: 'weight', value: '0.25' }]], ['Cap-1']],
  ['a special price', [[{ field: 'special_price', value: '10', type: 'lt' }]], ['HAT']],
  ['what they cost', [[{ field: 'cost', value: '2.5', type: 'gteq' }]], ['HAT']],
  ['what stays sold', [[{ field: 'is_returnable', value: '0' }]], ['HAT']],
  ['an attribute of the shop’s own', [[{ field: 'ean_13', value: '4006381333948' }]], ['Cap-2']],
  ['categories by their attribute', [[{ field: 'category_ids', value: '4', type: 'finset' }]], ['Cap-1']],
  ['a type', [[{ field: 'type_id', value: 'virtual' }]], ['GIFTWRAP']],
  [
    'either of two things',
    [
      [
        { field: 'sku', value: 'MUG' },
        { field: 'name', value: 'Hat' },
      ],
    ],
    ['MUG', 'HAT'],
  ],
  ['both of two things', [[{ field: 'website_id', value: '1' }], [{ field: 'category_id', value: '7' }]], ['Cap-2']],
])('products are found by %s', async (_what, groups, expected) => {
  expect(await skus(groups)).toEqual(expected);
});

describe('a store view in the filter', () => {
  test.each(['store', 'store_id'])('keeps the products of its website, by id or code: %s', async (field) => {
    const ofWebsite = await skus([[{ field: 'website_id', value: '1' }]]);
    const view = await api.orm.em.fork().findOneOrFail(StoreView, { websiteId: 1 }, { orderBy: { storeId: 1 } });
    expect(await skus([[{ field, value: String(view.storeId) }]])).toEqual(ofWebsite);
    expect(await skus([[{ field, value: view.code }]])).toEqual(ofWebsite);
  });

  test('restricts nothing where it is the admin view', async () => {
    expect((await list([[{ field: 'store_id', value: '0' }]])).body.total_count).toBe(6);
  });

  test('is refused where it is unknown', async () => {
    expect(await list([[{ field: 'store', value: 'nowhere' }]])).toMatchObject({ status: 404 });
  });
});

test('pages are cut in the order asked, and a page beyond the end is empty', async () => {
  const sorted = 'searchCriteria[sort_orders][0][field]=price&searchCriteria[sort_orders][0][direction]=DESC';

  expect(await skus([], `${sorted}&searchCriteria[page_size]=2&searchCriteria[current_page]=2`)).toEqual([
    'HAT',
    'Cap-2',
  ]);
  expect((await list([], `${sorted}&searchCriteria[pageSize]=100&searchCriteria[currentPage]=99`)).body).toMatchObject({
    items: [],
    total_count: 6,
    search_criteria: { page_size: 100, current_page: 99 },
  });
});

test('an unknown field is refused, and so is a search without criteria', async () => {
  expect(await list([[{ field: 'password', value: 'x' }]])).toMatchObject({
    status: 400,
    body: { message: 'Invalid attribute name: %1', parameters: ['password'] },
  });
  expect((await list([[{ field: "ean_13' or '1", value: 'x' }]])).status).toBe(400);
  expect(await api.call('GET', '/V1/products', { token: api.tokens.register })).toMatchObject({
    status: 400,
    body: { parameters: { fieldName: 'searchCriteria' } },
  });
});

test('a register may ask for the fields it needs', async () => {
  const { body } = await list([[{ field: 'sku', value: 'MUG' }]], 'fields=items[sku,price],total_count');

  expect(body).toEqual({ items: [{ sku: 'MUG', price: 50 }], total_count: 1 });
});
