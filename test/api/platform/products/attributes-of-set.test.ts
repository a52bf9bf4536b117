import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { attributeToken } from '../../../support/attribute-token.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
let token: string;
let set: number;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  token = await attributeToken(api);
  const attribute = { attribute_code: 'fabric', frontend_input: 'text', default_frontend_label: 'Fabric' };
  await api.call('POST', '/V1/products/attributes', { token, body: { attribute } });
  const made = { attributeSet: { attribute_set_name: 'Clothes' }, skeletonId: 4 };
  set = (await api.call('POST', '/V1/products/attribute-sets', { token, body: made })).body.attribute_set_id;
});
afterAll(() => api.close());

const { fork, find } = booksOf(() => api.orm);

type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';
const call = (method: Verb, path: string, body?: object) =>
  api.call(method, `/V1/products/attribute-sets${path}`, { token, ...(body ? { body } : {}) });
const assign = (place: object) =>
  call('POST', '/attributes', {
    ...{ attributeSetId: 4, attributeGroupId: 8, attributeCode: 'cost', sortOrder: 3 },
    ...place,
  });
const codesOf = async (id: number): Promise<string[]> =>
  (await call('GET', `/${id}/attributes`)).body.map((one: { attribute_code: string }) => one.attribute_code);
const field = 'searchCriteria[filter_groups][0][filters][0]';
const groups = (id: number | string) =>
  call('GET', `/groups/list?${field}[field]=attribute_set_id&${field}[value]=${id}`);
const saveGroup = (group: object) => call('POST', '/groups', { group });

describe('who puts an attribute into a set', () => {
  test('gets the id of its place, and moves it with the next call', async () => {
    const { status, body } = await assign({});
    expect([status, body]).toEqual([200, expect.stringMatching(/^\d+$/)]);
    expect((await assign({ attributeGroupId: 7, sortOrder: 5 })).body).toBe(body);
    expect((await codesOf(4))[0]).toBe('cost');
    await assign({});
  });

  test('eight times at once has put it there once', async () => {
    const answers = await eightAtOnce(() => assign({ attributeCode: 'fabric' }));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await find('attribute_in_set', { attribute_code: 'fabric' }, 'sort_order')).toEqual([{ sort_order: 3 }]);
  });

  test.each([
    [
      { attributeSetId: -1 },
      404,
      'The AttributeSet with a "%1" ID doesn\'t exist. Verify the attributeSet and try again.',
      [-1],
    ],
    [{ attributeGroupId: -1 }, 404, 'The group with the "%1" ID doesn\'t exist. Verify the ID and try again.', [-1]],
    [
      { attributeCode: 'badCode' },
      404,
      'The attribute with a "%1" attributeCode doesn\'t exist. Verify the attribute and try again.',
      ['badCode'],
    ],
    [{ attributeSetId: 3 }, 400, 'Provided Attribute set non product Attribute set.', undefined],
  ])('is refused %j', async (place, status, message, parameters) => {
    expect(await assign(place)).toMatchObject({ status, body: { message, ...(parameters ? { parameters } : {}) } });
  });

  test('is refused the group of another set', async () => {
    expect(await assign({ attributeSetId: set })).toMatchObject({
      status: 400,
      body: { message: "The attribute group doesn't belong to the attribute set." },
    });
  });
});

describe('who takes an attribute out of a set', () => {
  test('leaves the values with the products; a repeat is refused', async () => {
    const custom_attributes = [{ attribute_code: 'cost', value: '2' }];
    const product = { sku: 'COAT', name: 'Coat', price: 9, attribute_set_id: set, custom_attributes };
    await api.call('POST', '/V1/products', { token, body: { product } });
    expect(await call('DELETE', `/${set}/attributes/cost`)).toMatchObject({ status: 200, body: true });
    expect(await codesOf(set)).not.toContain('cost');
    expect(await codesOf(4)).toContain('cost');
    expect((await api.call('GET', '/V1/products/COAT', { token })).body.custom_attributes).toContainEqual({
      ...{ attribute_code: 'cost', value: '2' },
    });
    expect(await call('DELETE', `/${set}/attributes/cost`)).toMatchObject({
      status: 400,
      body: {
        message: 'The "%1" attribute wasn\'t found in the "%2" attribute set. Enter the attribute and try again.',
        parameters: ['cost', set],
      },
    });
  });

  test.each([
    ['9999/attributes/cost', 404, 'The "%1" attribute set wasn\'t found. Verify and try again.'],
    [
      '4/attributes/nothing',
      404,
      'The attribute with a "%1" attributeCode doesn\'t exist. Verify the attribute and try again.',
    ],
    ['4/attributes/price', 400, "The system attribute can't be deleted."],
    ['3/attributes/cost', 400, 'Provided Attribute set non product Attribute set.'],
  ])('is refused %s', async (path, status, message) => {
    expect(await call('DELETE', `/${path}`)).toMatchObject({ status, body: { message } });
  });
});

test('an attribute that is deleted leaves its sets', async () => {
  const attribute = { attribute_code: 'short', frontend_input: 'text', default_frontend_label: 'Short' };
  await api.call('POST', '/V1/products/attributes', { token, body: { attribute } });
  await assign({ attributeCode: 'short' });
  await api.call('DELETE', '/V1/products/attributes/short', { token });
  expect(await find('attribute_in_set', { attribute_code: 'short' }, 'sort_order')).toEqual([]);
});

describe('who saves a group', () => {
  test('creates one with a code, and changes it by its id', async () => {
    const { status, body } = await saveGroup({ attribute_group_name: 'Größe & Co.', attribute_set_id: set });
    expect([status, body]).toEqual([
      200,
      {
        ...{ attribute_group_id: body.attribute_group_id, attribute_group_name: 'Größe & Co.', attribute_set_id: set },
        extension_attributes: { attribute_group_code: 'grosse-co', sort_order: '0' },
      },
    ]);
    const group = { ...body, attribute_group_name: 'Sizes', attribute_set_id: 9999 };
    const changed = await call('PUT', `/${set}/groups`, { group });
    expect(changed.body).toEqual({ ...body, attribute_group_name: 'Sizes' });
    expect((await groups(set)).body.items).toContainEqual(changed.body);
    expect(
      (await saveGroup({ ...body, extension_attributes: { sort_order: '70' } })).body.extension_attributes,
    ).toEqual({ attribute_group_code: 'grosse-co', sort_order: '70' });
  });

  test('is refused a name that is missing or taken, and so is a repeat', async () => {
    const unsaved = { status: 400, body: { message: "The attributeGroup can't be saved." } };
    const group = { attribute_group_name: 'Once', attribute_set_id: set };
    expect((await saveGroup(group)).status).toBe(200);
    for (const wrong of [group, { ...group, attribute_group_name: ' ' }, { attribute_set_id: set }])
      expect(await saveGroup(wrong)).toMatchObject(unsaved);
    expect(await call('PUT', `/${set}/groups`, { group })).toMatchObject(unsaved);
  });

  test('is refused an unknown set or group, those of another set and of other records', async () => {
    const group = { attribute_group_name: 'X', attribute_set_id: set };
    const [put, post] = [(id: number, sent: object) => call('PUT', `/${id}/groups`, { group: sent }), saveGroup];
    for (const answer of [await post({ ...group, attribute_set_id: -1 }), await put(9999, group)])
      expect(answer).toMatchObject({ status: 404, body: { parameters: { fieldName: 'attributeSetId' } } });
    for (const answer of [
      await post({ ...group, attribute_group_id: 9999 }),
      await put(set, { ...group, attribute_group_id: '9999' }),
    ])
      expect(answer).toMatchObject({
        status: 404,
        body: { parameters: { fieldName: 'attributeGroupId', fieldValue: 9999 } },
      });
    for (const answer of [
      await post({ ...group, attribute_group_id: 8 }),
      await put(set, { ...group, attribute_group_id: 8 }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { message: "The attribute group doesn't belong to the provided attribute set." },
      });
    for (const answer of [await post({ ...group, attribute_set_id: 1 }), await put(1, group)])
      expect(answer).toMatchObject({
        status: 400,
        body: { message: 'Provided Attribute set non product Attribute set.' },
      });
  });
});

describe('who deletes a group', () => {
  test('takes the attributes of the shop in it out of the set; a repeat finds nothing', async () => {
    const { attribute_group_id: id } = (await saveGroup({ attribute_group_name: 'Feel', attribute_set_id: set })).body;
    await assign({ attributeSetId: set, attributeGroupId: id, attributeCode: 'fabric' });
    expect(await codesOf(set)).toContain('fabric');
    expect(await call('DELETE', `/groups/${id}`)).toMatchObject({ status: 200, body: true });
    expect(await codesOf(set)).not.toContain('fabric');
    expect(await call('DELETE', `/groups/${id}`)).toMatchObject({
      status: 404,
      body: {
        message: 'The group with the "%1" ID doesn\'t exist. Verify the ID and try again.',
        parameters: [Number(id)],
      },
    });
  });

  test('is refused one with attributes that every set has', async () => {
    expect(await call('DELETE', '/groups/7')).toMatchObject({
      status: 400,
      body: { message: "The attribute group can't be deleted because it contains system attributes." },
    });
  });
});

test('the groups of a set are listed if it is named and there is', async () => {
  expect((await groups(4)).body).toMatchObject({ total_count: 10, items: { length: 10 } });
  expect(await call('GET', '/groups/list?searchCriteria')).toMatchObject({
    status: 400,
    body: { parameters: { fieldName: 'attribute_set_id' } },
  });
  for (const id of ['9999', 'abc', '99999999999'])
    expect(await groups(id)).toMatchObject({ status: 404, body: { parameters: { fieldName: 'attributeSetId' } } });
  expect(
    await call(
      'GET',
      `/groups/list?${field}[field]=attribute_set_id&${field}[value]=4&searchCriteria[sort_orders][0][field]=x`,
    ),
  ).toMatchObject({ status: 400 });
  expect(await call('GET', '/3/attributes')).toMatchObject({
    status: 404,
    body: { parameters: { fieldName: 'attributeSetId' } },
  });
});
