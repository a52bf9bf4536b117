import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { deleteProductAttribute } from '../../../../db/platform/catalog/attribute-options.ts';
import { deleteProduct } from '../../../../db/platform/catalog/products.ts';
import { joined } from '../../../../db/support/transact.ts';
import type { Answer } from '../../../support/api.ts';
import { attributeToken, ownAttributes } from '../../../support/attribute-token.ts';
import { booksOf } from '../../../support/books.ts';
import { waiting } from '../../../support/books/held.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { useApi } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { waitUntil } from '../../../support/wait-until.ts';

describe('attributes of set', () => {
  const api = useApi();
  let token: string;
  let set: number;
  beforeAll(async () => {
    await aShop(fork());
    token = await attributeToken(api);
    const attribute = { attribute_code: 'fabric', frontend_input: 'text', default_frontend_label: 'Fabric' };
    await api.call('POST', '/V1/products/attributes', { token, body: { attribute } });
    const made = { attributeSet: { attribute_set_name: 'Clothes' }, skeletonId: 4 };
    set = (await api.call('POST', '/V1/products/attribute-sets', { token, body: made })).body.attribute_set_id;
  });

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
          ...{
            attribute_group_id: body.attribute_group_id,
            attribute_group_name: 'Größe & Co.',
            attribute_set_id: set,
          },
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
      const { attribute_group_id: id } = (await saveGroup({ attribute_group_name: 'Feel', attribute_set_id: set }))
        .body;
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
});

describe('demanded values', () => {
  const api = useApi();
  let token: string;
  beforeAll(async () => {
    await aShop(fork());
    token = await attributeToken(api);
  });

  const { fork, find, rows } = booksOf(() => api.orm);

  /** Carries a deletion out while the request comes that waits for it. */
  async function whileDeleted(deletion: (em: EntityManager) => Promise<void>, request: () => Promise<Answer>) {
    let answer: Promise<Answer> | undefined;
    await fork().transactional(async (tx) => {
      await deletion(joined(tx));
      answer = request();
      await waitUntil('the request waits', async () => (await waiting({ fork, rows })) > 0);
    });
    return answer;
  }

  let made = 0;
  let code = '';
  /** Each test has an attribute of its own, in the default set. */
  beforeEach(() => {
    code = `trait_${++made}`;
  });

  const save = (sku: string, fields: object = {}, path = '/V1/products') =>
    api.call('POST', path, { token, body: { product: { sku, name: sku, price: 1, ...fields } } });
  const change = (sku: string, fields: object, scope = '') =>
    api.call('PUT', `${scope}/V1/products/${sku}`, { token, body: { product: fields } });
  const valued = (value: unknown) => ({ custom_attributes: [{ attribute_code: code, value }] });
  const valueOf = async (sku: string, scope = '') =>
    (await api.call('GET', `${scope}/V1/products/${sku}`, { token })).body.custom_attributes?.find(
      (one: { attribute_code: string }) => one.attribute_code === code,
    )?.value;

  async function anAttribute(fields: object, { isInSet = true } = {}) {
    const attribute = {
      attribute_code: code,
      frontend_input: 'text',
      default_frontend_label: `The ${code}`,
      ...fields,
    };
    const { body } = await api.call('POST', '/V1/products/attributes', { token, body: { attribute } });
    const place = { attributeSetId: 4, attributeGroupId: 7, attributeCode: code, sortOrder: 1 };
    if (isInSet) await api.call('POST', '/V1/products/attribute-sets/attributes', { token, body: place });
    return body;
  }
  const noLonger = (fields: object = { is_required: false }) =>
    api.call('PUT', `/V1/products/attributes/${code}`, { token, body: { attribute: fields } });

  const empty = () => ({
    status: 400,
    body: {
      message: 'The "%1" attribute value is empty. Set the attribute and try again.',
      parameters: [`The ${code}`],
    },
  });
  const notUnique = () => ({
    status: 400,
    body: {
      message: 'The value of the "%1" attribute isn\'t unique. Set a unique value and try again.',
      parameters: [`The ${code}`],
    },
  });

  describe('a required attribute', () => {
    test('is asked of every new product of a set that has it', async () => {
      await anAttribute({ is_required: true });
      for (const fields of [{}, valued(''), valued(null), valued([])])
        expect(await save('NEW', fields)).toMatchObject(empty());
      expect((await api.call('GET', '/V1/products/NEW', { token })).status).toBe(404);
      expect((await save('NEW', valued('x'))).status).toBe(200);
      await noLonger();
    });

    test('is not asked of products of other sets, nor where no set has it', async () => {
      await anAttribute({ is_required: true }, { isInSet: false });
      expect((await save('NONE')).status).toBe(200);
      expect(await change('NONE', valued(''))).toMatchObject({ status: 200 });
    });

    test('is not emptied by a change, and a change that does not name it passes', async () => {
      await save('OLD');
      await anAttribute({ is_required: true });
      expect((await change('OLD', { price: 2 })).status).toBe(200);
      expect(await change('OLD', valued(''))).toMatchObject(empty());
      expect((await change('OLD', valued('x'))).status).toBe(200);
      expect(await change('OLD', valued(null))).toMatchObject(empty());
      expect(await valueOf('OLD')).toBe('x');
      await noLonger();
    });

    test('may fall back to the value of all views, and is not empty in one', async () => {
      await anAttribute({ is_required: true, scope: 'store' });
      await save('VIEW', valued('all'), '/rest/all/V1/products');
      expect((await change('VIEW', valued('ein'), '/rest/ca')).status).toBe(200);
      expect(await change('VIEW', valued(''), '/rest/ca')).toMatchObject(empty());
      expect(await valueOf('VIEW', '/rest/ca')).toBe('ein');
      expect((await change('VIEW', valued(null), '/rest/ca')).status).toBe(200);
      expect(await valueOf('VIEW', '/rest/ca')).toBe('all');
      await noLonger();
    });

    test('is asked of a product that gets a set that has it', async () => {
      const body = { attributeSet: { attribute_set_name: 'Plain' }, skeletonId: 4 };
      const { attribute_set_id: plain } = (await api.call('POST', '/V1/products/attribute-sets', { token, body })).body;
      await anAttribute({ is_required: true });
      expect((await save('PLAIN', { attribute_set_id: plain })).status).toBe(200);
      expect(await change('PLAIN', { attribute_set_id: 4 })).toMatchObject(empty());
      expect((await change('PLAIN', { attribute_set_id: 4, ...valued('x') })).body.attribute_set_id).toBe(4);
      await noLonger();
    });

    test('is asked only of the types of products that have it', async () => {
      await anAttribute({ is_required: true, apply_to: ['virtual'] });
      expect((await save('GOODS')).status).toBe(200);
      expect(await save('FILE', { type_id: 'virtual' })).toMatchObject(empty());
      await noLonger();
    });

    test('is not asked of a product whose customers choose it', async () => {
      const { attribute_id: id } = await anAttribute({
        ...{ is_required: true, frontend_input: 'select', options: [{ label: 'S' }] },
      });
      const options = [{ attribute_id: String(id), label: 'Size', position: 0, values: [] }];
      const shirt = { type_id: 'configurable', extension_attributes: { configurable_product_options: options } };
      expect((await save('SHIRT', shirt)).status).toBe(200);
      expect(await save('BAG')).toMatchObject(empty());
      await noLonger();
    });

    test('with a default is that in every new product', async () => {
      await anAttribute({ is_required: true, default_value: 'plain' });
      expect((await save('STD')).status).toBe(200);
      expect(await valueOf('STD')).toBe('plain');
      await save('OWN', valued('mine'));
      expect(await valueOf('OWN')).toBe('mine');
    });
  });

  describe('a unique attribute', () => {
    test('has a value once, in any case of letters, and the product itself keeps it', async () => {
      await anAttribute({ is_unique: true });
      expect((await save('U1', valued('Abc'))).status).toBe(200);
      expect((await save('U1', valued('Abc'))).status).toBe(200);
      expect(await save('U2', valued('aBC'))).toMatchObject(notUnique());
      expect((await save('U2', valued('x'.repeat(1_000)))).status).toBe(200);
      expect(await change('U2', valued('ABC'))).toMatchObject(notUnique());
      expect(await save('U3', valued('X'.repeat(1_000)))).toMatchObject(notUnique());
      expect((await save('U3')).status).toBe(200);
      expect((await save('U4', valued(''))).status).toBe(200);
    });

    test('is free again when its product has another, loses it, or is deleted', async () => {
      await anAttribute({ is_unique: true });
      await save('F1', valued('one'));
      await change('F1', valued('two'));
      expect((await save('F2', valued('one'))).status).toBe(200);
      await change('F2', valued(null));
      expect((await save('F3', valued('one'))).status).toBe(200);
      await api.call('DELETE', '/V1/products/F3', { token });
      expect((await save('F4', valued('one'))).status).toBe(200);
    });

    test('counts the values of all store views', async () => {
      await anAttribute({ is_unique: true, scope: 'store' });
      await save('V1', valued('all'), '/rest/all/V1/products');
      await change('V1', valued('ein'), '/rest/ca');
      expect(await save('V2', valued('ein'))).toMatchObject(notUnique());
      expect(await save('V2', valued('all'))).toMatchObject(notUnique());
    });

    test('of eight products at once has one owner', async () => {
      await anAttribute({ is_unique: true });
      const answers = await eightAtOnce((at) => save(`RACE${at}`, valued('same')));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
    });

    test('that becomes so belongs to the oldest product, and need not stay so', async () => {
      await anAttribute({});
      await save('O1', valued('old'));
      await save('O2', valued('old'));
      await noLonger({ is_unique: true });
      expect((await save('O1', valued('old'))).status).toBe(200);
      expect(await save('O2', valued('old'))).toMatchObject(notUnique());
      await noLonger({ is_unique: false });
      expect((await save('O2', valued('old'))).status).toBe(200);
      expect(await find('unique_value', { value: 'old' }, 'product_id')).toEqual([]);
    });

    test('that becomes so while a product is deleted leaves the value to others', async () => {
      await anAttribute({});
      await save('GONE', valued('mine'));
      await save('STAYS', valued('yours'));
      const answer = await whileDeleted(
        (em) => deleteProduct(em, 'GONE'),
        () => noLonger({ is_unique: true }),
      );
      expect(answer?.status).toBe(200);
      expect((await save('NEXT', valued('mine'))).status).toBe(200);
      expect(await save('NEXT', valued('yours'))).toMatchObject(notUnique());
    });

    test('that is deleted while a product is saved with it does not fail the product', async () => {
      await anAttribute({ is_unique: true });
      const answer = await whileDeleted(
        (em) => deleteProductAttribute(em, code),
        () => save('LATE', valued('late')),
      );
      expect(answer?.status).toBe(200);
      expect(await find('unique_value', { value: 'late' }, 'product_id')).toEqual([]);
    });
  });
});

describe('typed values', () => {
  const api = useApi();
  beforeAll(async () => {
    await aShop(fork());
    await ownAttributes(api, {
      ...{ barcode: 'text', store_upc: 'text', plain: 'text', hook: 'boolean', best_before: 'date' },
      ...{ deposit: 'price', fee: 'weee', colours: 'select' },
    });
  });

  const { fork, findOne, find, change } = booksOf(() => api.orm);

  let made = 0;
  const save = (values: Readonly<Record<string, unknown>>, sku = `TYPED-${++made}`) =>
    api.call('POST', '/rest/all/V1/products', {
      token: api.tokens.admin,
      body: {
        product: {
          ...{ sku, name: sku, price: 10 },
          custom_attributes: Object.entries(values).map(([attribute_code, value]) => ({ attribute_code, value })),
        },
      },
    });
  const valueOf = (body: { custom_attributes: { attribute_code: string; value: unknown }[] }, code: string) =>
    body.custom_attributes.find(({ attribute_code: name }) => name === code)?.value;
  const refusedFor = (code: string) => ({
    status: 400,
    body: { message: `Attribute "${code}" has invalid value.` },
  });

  describe('a value that its attribute cannot have is refused, and there is no product', () => {
    test.each<[string, unknown]>([
      ...[
        '31.12.2030',
        '12/31/2026',
        'not a date',
        '2030-02-30',
        '2030-13-01',
        '0000-01-01',
        '2030-01-01 25:00:00',
        7,
      ].map((day): [string, unknown] => ['special_from_date', day]),
      ...['12/31/2026', '2026-1-5', ['2030-01-01'], true].map((day): [string, unknown] => ['special_to_date', day]),
      ['news_from_date', 'soon'],
      ['best_before', '2027-02-29'],
      ['hook', 'perhaps'],
      ['hook', '2'],
      ['colours', 'blue'],
      ['color', 'blue'],
      ['country_of_manufacture', 'Germany'],
      ['country_of_manufacture', 'XX'],
      ['visibility', '9'],
      ['gift_message_available', 'x'],
      ['barcode', '1.23457E+12'],
      ['store_upc', '4,00638E+12'],
      ['plain', ['a', 'list']],
      ['fee', 'two'],
      ['fee', [{ amount: 1 }]],
    ])('%s %j', async (code, value) => {
      expect(await save({ special_price: '2', [code]: value }, 'REFUSED')).toMatchObject(refusedFor(code));
      expect(await find('product', { sku: 'REFUSED' })).toEqual([]);
    });

    test.each(['msrp', 'deposit', 'cost'])('%s that is no number', async (code) => {
      for (const value of ['12,50', '-1', 'cheap', '1e3', '9'.repeat(20)])
        expect(await save({ [code]: value }, 'REFUSED')).toMatchObject({
          status: 400,
          body: { message: 'Please enter a number 0 or greater in this field.' },
        });
      expect(await find('product', { sku: 'REFUSED' })).toEqual([]);
    });

    test('a tax class that goods do not have', async () => {
      const ofCustomers = await findOne('tax_class', { class_type: 'CUSTOMER', class_name: 'Retail Customer' });
      for (const taxClass of ['99', 99, ofCustomers['class_id']])
        expect(await save({ tax_class_id: taxClass }, 'REFUSED')).toMatchObject({
          status: 400,
          body: { message: 'Invalid value of "%value" provided for the %fieldName field.' },
        });
      expect((await save({ tax_class_id: '0' })).status).toBe(200);
    });

    test('a fixed tax of no country', async () => {
      expect(await save({ fee: [{ country: 'XX', value: 1 }] }, 'REFUSED')).toMatchObject({ status: 400 });
    });
  });

  test.each<[string, unknown, unknown]>([
    ['special_from_date', '2030-12-31', '2030-12-31 00:00:00'],
    ['special_to_date', '2030-12-31T18:30:00Z', '2030-12-31 18:30:00'],
    ['best_before', ' 2028-02-29 ', '2028-02-29 00:00:00'],
    ['hook', true, '1'],
    ['hook', 'No', '0'],
    ['country_of_manufacture', 'DE', 'DE'],
    ['color', '4', '4'],
    ['barcode', '2000000001326', '2000000001326'],
    ['deposit', '0.25', '0.25'],
    ['special_to_date', '', ''],
  ])('%s %j is kept as %j', async (code, value, kept) => {
    const { status, body } = await save({ [code]: value });
    expect([status, valueOf(body, code)]).toEqual([200, kept]);
  });

  test('a value from before it was checked is sent back with the product, and is not given to another', async () => {
    await save({}, 'OLD');
    const attributes = { special_price: '2', special_from_date: '31.12.2030' };
    await change('product', { sku: 'OLD' }, { custom_attributes: JSON.stringify(attributes) });
    expect((await save(attributes, 'OLD')).status).toBe(200);
    expect(await save(attributes, 'NEXT')).toMatchObject(refusedFor('special_from_date'));
  });

  test('a code that no attribute has is ignored, and makes no attribute', async () => {
    const { status, body } = await save({ pirce: '2', meta_title: 'Cup' });
    expect([status, valueOf(body, 'pirce'), valueOf(body, 'meta_title')]).toEqual([200, undefined, 'Cup']);
    expect(await find('product_attribute', { attribute_code: 'pirce' })).toEqual([]);
  });

  test('an attribute has no default that a product could not have', async () => {
    const attribute = { attribute_code: 'until', frontend_input: 'date', default_frontend_label: 'Until' };
    const create = (default_value: string) =>
      api.call('POST', '/V1/products/attributes', {
        token: api.tokens.admin,
        body: { attribute: { ...attribute, default_value } },
      });
    expect(await create('31.12.2030')).toMatchObject({
      status: 400,
      body: { parameters: { fieldName: 'default_value', value: '31.12.2030' } },
    });
    expect((await create('2030-12-31')).status).toBe(200);
  });

  test('a product that stands keeps what it had where a change of it is refused', async () => {
    const { body: product } = await save({ special_from_date: '2030-01-01' });
    const change = (value: unknown) =>
      api.call('PUT', `/rest/all/V1/products/${product.sku}`, {
        token: api.tokens.admin,
        body: { product: { custom_attributes: [{ attribute_code: 'special_from_date', value }] } },
      });
    expect(await change('31.12.2030')).toMatchObject(refusedFor('special_from_date'));
    const { body } = await api.call('GET', `/rest/all/V1/products/${product.sku}`, { token: api.tokens.admin });
    expect(valueOf(body, 'special_from_date')).toBe(valueOf(product, 'special_from_date'));
  });
});
