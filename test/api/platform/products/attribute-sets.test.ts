import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { attributeToken } from '../../../support/attribute-token.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  token = await attributeToken(api);
});
afterAll(() => api.close());

const { fork, find } = booksOf(() => api.orm);

type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';
const call = (method: Verb, path: string, body?: object) =>
  api.call(method, `/V1/products/attribute-sets${path}`, { token, ...(body ? { body } : {}) });
const eav = (method: Verb, path: string, body?: object) =>
  api.call(method, `/V1/eav/attribute-sets${path}`, { token, ...(body ? { body } : {}) });
const create = (name: string, more: object = {}, skeletonId = 4) =>
  call('POST', '', { attributeSet: { attribute_set_name: name, ...more }, skeletonId });
const product = (sku: string, attribute_set_id: number) =>
  api.call('POST', '/V1/products', { token, body: { product: { sku, name: sku, price: 1, attribute_set_id } } });
const codesOf = async (id: number): Promise<string[]> =>
  (await call('GET', `/${id}/attributes`)).body.map((one: { attribute_code: string }) => one.attribute_code);
const groupsOf = async (id: number) =>
  (
    await call(
      'GET',
      `/groups/list?searchCriteria[filter_groups][0][filters][0][field]=attribute_set_id&searchCriteria[filter_groups][0][filters][0][value]=${id}`,
    )
  ).body.items;
const nameless = { status: 400, body: { message: 'The attribute set name is empty. Enter the name and try again.' } };
const taken = (name: string) => ({
  status: 400,
  body: { message: `A "${name}" attribute set name already exists. Create a new name and try again.` },
});

describe('the default set', () => {
  test('has the four uses of pictures that clients of the platform know; a set that is not there has none', async () => {
    const uses = async (name: string) =>
      (await api.call('GET', `/V1/products/media/types/${name}`, { token })).body.map(
        (one: { attribute_code: string; frontend_input: string }) => [one.attribute_code, one.frontend_input],
      );
    const all = ['image', 'small_image', 'thumbnail', 'swatch_image'].map((code) => [code, 'media_image']);
    expect(await uses('Default')).toEqual(all);
    expect(await uses('default')).toEqual(all);
    expect(await uses('Nothing%20like%20it')).toEqual([]);
  });

  test('has the ids, the groups and the attributes that clients of the platform know', async () => {
    expect((await call('GET', '/4')).body).toEqual({
      ...{ attribute_set_id: 4, attribute_set_name: 'Default', sort_order: 1, entity_type_id: 4 },
    });
    const codes = await codesOf(4);
    expect(codes).toHaveLength(32);
    expect(codes.slice(0, 4)).toEqual(['status', 'name', 'sku', 'price']);
    const groups = await groupsOf(4);
    expect(groups[0]).toEqual({
      ...{ attribute_group_id: '7', attribute_group_name: 'Product Details', attribute_set_id: 4 },
      extension_attributes: { attribute_group_code: 'product-details', sort_order: '10' },
    });
    expect(groups.find((one: { attribute_group_id: string }) => one.attribute_group_id === '8')).toMatchObject({
      attribute_group_name: 'Advanced Pricing',
    });
  });

  test('is never deleted', async () => {
    const kept = { status: 400, body: { message: "The default attribute set can't be deleted." } };
    expect([await call('DELETE', '/4'), await eav('DELETE', '/4'), await eav('DELETE', '/1')]).toMatchObject([
      kept,
      kept,
      kept,
    ]);
  });
});

describe('who creates a set', () => {
  test('gets the groups and the attributes of the other one', async () => {
    const { status, body } = await create(' Shoes ', { sort_order: 500 });
    expect([status, body]).toEqual([
      200,
      { attribute_set_id: body.attribute_set_id, attribute_set_name: 'Shoes', sort_order: 500, entity_type_id: 4 },
    ]);
    expect(body.attribute_set_id).toBeGreaterThanOrEqual(9);
    expect(await codesOf(body.attribute_set_id)).toEqual(await codesOf(4));
    expect((await groupsOf(body.attribute_set_id)).length).toBe(10);
    expect((await call('GET', `/${body.attribute_set_id}`)).body).toEqual(body);
  });

  test('is refused a name that is empty or taken, in any case of letters, and an id', async () => {
    expect(await create('')).toMatchObject(nameless);
    expect(await create('  ')).toMatchObject(nameless);
    expect(await create('Default')).toMatchObject(taken('Default'));
    expect(await create('dEFAULT')).toMatchObject(taken('dEFAULT'));
    expect(await create('New', { attribute_set_id: 1 })).toMatchObject({
      status: 400,
      body: {
        message: 'Invalid value of "%value" provided for the %fieldName field.',
        parameters: { fieldName: 'id', value: 1 },
      },
    });
  });

  test.each([
    [0, "The attribute set couldn't be created because it's based on a non-existing attribute set."],
    [9999, "The attribute set couldn't be created because it's based on a non-existing attribute set."],
    [7, "The attribute set couldn't be created because it's based on a non-product attribute set."],
  ])('is refused the set %i as a model', async (skeletonId, message) => {
    expect(await create('New', {}, skeletonId)).toMatchObject({ status: 400, body: { message } });
  });

  test('eight times at once has made one', async () => {
    const answers = await eightAtOnce(() => create('Once'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await find('attribute_set', { attribute_set_name: 'Once' }, 'sort_order')).toHaveLength(1);
  });
});

describe('who changes a set', () => {
  test('changes its name and its place; the id of the path counts', async () => {
    const { attribute_set_id: id } = (await create('Hats')).body;
    const attributeSet = { attribute_set_id: 4, attribute_set_name: 'Caps', entity_type_id: 4, sort_order: 7 };
    for (const answer of [await call('PUT', `/${id}`, { attributeSet }), await eav('PUT', `/${id}`, { attributeSet })])
      expect(answer).toMatchObject({ status: 200, body: { ...attributeSet, attribute_set_id: id } });
    expect((await call('PUT', `/${id}`, { attributeSet: { sort_order: 8 } })).body).toMatchObject({
      ...{ attribute_set_name: 'Caps', sort_order: 8 },
    });
  });

  test('is refused a name that is empty or taken, an unknown set, and those of other records', async () => {
    const { attribute_set_id: id } = (await create('Coats')).body;
    const put = (setId: number, attributeSet: object) => call('PUT', `/${setId}`, { attributeSet });
    const unsaved = { status: 400, body: { message: "The attribute set couldn't be saved." } };
    const others = { status: 400, body: { message: 'Provided Attribute set non product Attribute set.' } };
    expect(await put(id, { attribute_set_name: '' })).toMatchObject(unsaved);
    expect(await put(id, { attribute_set_name: 'default' })).toMatchObject(unsaved);
    expect(await eav('PUT', `/${id}`, { attributeSet: { attribute_set_name: 'default' } })).toMatchObject(unsaved);
    expect(await put(id, { attribute_set_name: 'X', entity_type_id: 1 })).toMatchObject(others);
    expect(await put(3, { attribute_set_name: 'X' })).toMatchObject(others);
    expect(await eav('PUT', '/3', { attributeSet: {} })).toMatchObject(others);
    for (const answer of [await put(9999, {}), await eav('PUT', '/9999', { attributeSet: {} })])
      expect(answer).toMatchObject({ status: 404, body: { parameters: { fieldName: 'id', fieldValue: 9999 } } });
  });
});

describe('who deletes a set', () => {
  test('loses no product with it: a set that products have stays', async () => {
    const { attribute_set_id: id } = (await create('Used')).body;
    expect((await product('BOOT', id)).body.attribute_set_id).toBe(id);
    const refused = { status: 400, body: { message: "The attribute set couldn't be deleted." } };
    expect(await call('DELETE', `/${id}`)).toMatchObject(refused);
    expect(await eav('DELETE', `/${id}`)).toMatchObject(refused);
    expect((await api.call('GET', '/V1/products/BOOT', { token })).body.attribute_set_id).toBe(id);
    await api.call('PUT', '/V1/products/BOOT', { token, body: { product: { attribute_set_id: 4 } } });
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: true });
  });

  test('deletes its groups; a repeat finds nothing', async () => {
    const { attribute_set_id: id } = (await create('Gone')).body;
    expect(await eav('DELETE', `/${id}`)).toMatchObject({ status: 200, body: true });
    for (const answer of [await call('DELETE', `/${id}`), await eav('DELETE', `/${id}`), await call('GET', `/${id}`)])
      expect(answer).toMatchObject({ status: 404, body: { parameters: { fieldName: 'id', fieldValue: id } } });
    expect(await find('attribute_group', { attribute_set_id: id }, 'sort_order')).toEqual([]);
  });

  test('does not delete the set of other records', async () => {
    const others = { status: 400, body: { message: 'Provided Attribute set non product Attribute set.' } };
    expect([await call('DELETE', '/1'), await call('GET', '/1')]).toMatchObject([others, others]);
  });
});

test('a product is refused a set that is not there, and changed it is too', async () => {
  const refused = {
    status: 400,
    body: { message: 'Invalid product data: %1', parameters: ['Invalid attribute set entity type'] },
  };
  for (const id of [1, 0, -1, 9999]) expect(await product('NOSET', id)).toMatchObject(refused);
  expect(
    await api.call('PUT', '/V1/products/MUG', { token, body: { product: { attribute_set_id: 9999 } } }),
  ).toMatchObject(refused);
  expect((await api.call('GET', '/V1/products/NOSET', { token })).status).toBe(404);
});

describe('the older addresses', () => {
  test('list the sets of all records, and find those of products', async () => {
    const all = (await eav('GET', '/list?searchCriteria')).body.items;
    expect(all[0]).toEqual({
      ...{ attribute_set_id: 1, attribute_set_name: 'Default', sort_order: 1, entity_type_id: 1 },
    });
    expect(all.slice(0, 3).map((one: { entity_type_id: number }) => one.entity_type_id)).toEqual([1, 2, 3]);
    const query =
      'searchCriteria[filter_groups][0][filters][0][field]=entity_type_code&searchCriteria[filter_groups][0][filters][0][value]=catalog_product';
    const ofProducts = (await eav('GET', `/list?${query}`)).body.items;
    expect(ofProducts).toEqual((await call('GET', '/sets/list?searchCriteria')).body.items);
    expect((await eav('GET', '/5')).body).toMatchObject({ attribute_set_name: 'Default', entity_type_id: 5 });
    expect(await eav('GET', '/9999')).toMatchObject({ status: 404 });
    for (const path of ['/list', '/sets/list'])
      expect(
        await (path === '/list' ? eav : call)('GET', `${path}?searchCriteria[sort_orders][0][field]=nothing`),
      ).toMatchObject({ status: 400 });
  });

  test('a set of products is created, and no other', async () => {
    const made = (more: object) =>
      eav('POST', '', {
        ...{ entityTypeCode: 'catalog_product', attributeSet: { attribute_set_name: 'Eav' }, skeletonId: 4 },
        ...more,
      });
    expect(await made({})).toMatchObject({ status: 200, body: { attribute_set_name: 'Eav', sort_order: 0 } });
    expect(await made({})).toMatchObject(taken('Eav'));
    expect(await made({ attributeSet: { attribute_set_name: 'Default' } })).toMatchObject(taken('Default'));
    expect(await made({ attributeSet: {} })).toMatchObject(nameless);
    expect(await made({ skeletonId: 9999 })).toMatchObject({ status: 404 });
    expect(await made({ skeletonId: 0 })).toMatchObject({ status: 400, body: { parameters: { value: 0 } } });
    expect(await made({ skeletonId: 3 })).toMatchObject({
      status: 400,
      body: { message: 'Provided Attribute set non product Attribute set.' },
    });
    expect(await made({ attributeSet: { attribute_set_id: 9 } })).toMatchObject({ status: 400 });
    for (const entityTypeCode of ['customer', 'nothing'])
      expect(await made({ entityTypeCode })).toMatchObject({
        status: 400,
        body: { message: 'Invalid entity_type specified: %1', parameters: [entityTypeCode] },
      });
  });
});
