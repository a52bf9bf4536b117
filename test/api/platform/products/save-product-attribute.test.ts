import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeAttributes } from '../../../../db/platform/catalog/search-product-attributes.ts';
import { attributeToken } from '../../../support/attribute-token.ts';
import { booksOf } from '../../../support/books.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { useApi } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('attribute sets', () => {
  const api = useApi();
  let token: string;
  beforeAll(async () => {
    await aShop(fork());
    token = await attributeToken(api);
  });

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
      for (const answer of [
        await call('PUT', `/${id}`, { attributeSet }),
        await eav('PUT', `/${id}`, { attributeSet }),
      ])
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
        'searchCriteria[filter_groups][0][filters][0][field]=entity_type_code' +
        '&searchCriteria[filter_groups][0][filters][0][value]=catalog_product';
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
});

describe('product links', () => {
  const api = useApi();
  let token: string;
  let sku: string;
  let lamp: string;
  let cup: string;
  let goods = 0;
  beforeAll(async () => {
    await aShop(api.orm.em.fork());
    token = await api.tokenFor('Platform_Catalog::catalog', 'Platform_Catalog::products');
  });

  const save = (product: Record<string, unknown>) => api.call('POST', '/V1/products', { token, body: { product } });
  beforeEach(async () => {
    goods += 1;
    [sku, lamp, cup] = [`MUG-${goods}`, `LAMP-${goods}`, `CUP-${goods}`];
    for (const one of [sku, lamp]) expect((await save({ sku: one, name: one, price: 12 })).status).toBe(200);
    expect((await save({ sku: cup, name: cup, price: 3, type_id: 'virtual' })).status).toBe(200);
  });

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, `/V1/products/${path}`, { token, ...(body === undefined ? {} : { body }) });
  const linksOf = async (type: string, of = sku) => (await call('GET', `${of}/links/${type}`)).body;
  const link = (linked: string, more: Record<string, unknown> = {}) => ({
    ...{ sku, link_type: 'related', linked_product_sku: linked, linked_product_type: 'simple', position: 1 },
    ...more,
  });
  const done = { status: 200, body: true };

  test('the types of links and what each carries', async () => {
    expect((await call('GET', 'links/types')).body).toEqual([
      { code: 1, name: 'related' },
      { code: 5, name: 'crosssell' },
      { code: 4, name: 'upsell' },
      { code: 3, name: 'associated' },
    ]);
    expect((await call('GET', 'links/related/attributes')).body).toEqual([{ code: 'position', type: 'int' }]);
    expect((await call('GET', 'links/associated/attributes')).body).toHaveLength(2);
    expect(await call('GET', 'links/friends/attributes')).toMatchObject({
      status: 404,
      body: {
        message: 'The "%1" link type is unknown. Verify the type and try again.',
        parameters: ['friends'],
      },
    });
  });

  test('a product keeps links of each type; each linked product tells its own type', async () => {
    const items = [link(cup, { position: 7, linked_product_type: 'bundle' }), link(lamp)];
    expect(await call('POST', `${sku}/links`, { items })).toMatchObject(done);
    expect(await call('POST', `${sku}/links`, { items })).toMatchObject(done);
    const upsell = link(lamp, { link_type: 'upsell' });
    expect(await call('POST', `${sku}/links`, { items: [upsell] })).toMatchObject(done);
    expect(await linksOf('related')).toEqual([link(lamp), link(cup, { position: 7, linked_product_type: 'virtual' })]);
    expect(await linksOf('upsell')).toEqual([upsell]);
    expect((await call('GET', sku)).body.product_links).toHaveLength(3);
  });

  test('a link is given another place by PUT, and deleted once', async () => {
    expect(await call('PUT', `${sku}/links`, { entity: link(lamp) })).toMatchObject(done);
    expect(await call('PUT', `${sku}/links`, { entity: link(lamp, { position: 1000 }) })).toMatchObject(done);
    expect(await linksOf('related')).toEqual([link(lamp, { position: 1000 })]);
    expect(await call('DELETE', `${sku}/links/related/${lamp}`)).toMatchObject(done);
    expect(await call('DELETE', `${sku}/links/related/${lamp}`)).toMatchObject({
      status: 404,
      body: { message: "Product %1 doesn't have linked %2 as %3", parameters: [sku, lamp, 'related'] },
    });
  });

  test('links that come with a product replace all; an answer can be sent back; no links is not a change', async () => {
    await call('PUT', `${sku}/links`, { entity: link(lamp) });
    const product_links = [link(cup, { link_type: 'associated', extension_attributes: { qty: 1.5 } })];
    const saved = await save({ sku, product_links });
    expect(saved.body.product_links).toEqual([{ ...product_links[0], linked_product_type: 'virtual' }]);
    expect((await call('PUT', sku, { product: saved.body })).body.product_links).toEqual(saved.body.product_links);
    expect((await save({ sku, name: 'Other' })).body.product_links).toEqual(saved.body.product_links);
    expect((await save({ sku, product_links: [] })).body.product_links).toEqual([]);
  });

  test('a product that is deleted is linked no more', async () => {
    await call('POST', `${sku}/links`, { items: [link(cup), link(lamp)] });
    expect(await call('DELETE', cup)).toMatchObject(done);
    expect(await linksOf('related')).toEqual([link(lamp)]);
  });

  test('eight links at once are all kept', async () => {
    const types = ['related', 'upsell', 'crosssell', 'associated'];
    const entities = types.flatMap((link_type) => [link(lamp, { link_type }), link(cup, { link_type })]);
    const answers = await Promise.all(entities.map((entity) => call('PUT', `${sku}/links`, { entity })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await call('GET', sku)).body.product_links).toHaveLength(8);
  });

  test.each([
    ['a product that is not there', { linked_product_sku: 'NO-SUCH' }, 404],
    ['a type that is not there', { link_type: 'friends' }, 404],
    ['no type', { link_type: null }, 400],
    ['a position that is no number', { position: 'first' }, 400],
  ])('a link with %s is refused, and nothing is saved', async (_what, wrong, status) => {
    const bad = link(lamp, wrong);
    expect((await call('PUT', `${sku}/links`, { entity: bad })).status).toBe(status);
    expect((await call('POST', `${sku}/links`, { items: [link(cup), bad] })).status).toBe(status);
    expect((await save({ sku, product_links: [bad] })).status).toBe(status);
    expect((await call('GET', sku)).body.product_links).toEqual([]);
  });

  test('an unknown product has no links', async () => {
    for (const [method, path, body] of [
      ['GET', 'links/related', undefined],
      ['POST', 'links', { items: [link(lamp)] }],
      ['PUT', 'links', { entity: link(lamp) }],
      ['DELETE', `links/related/${lamp}`, undefined],
    ] as const)
      expect((await call(method, `NO-SUCH/${path}`, body)).status).toBe(404);
    expect((await call('GET', `${sku}/links/friends`)).status).toBe(404);
    expect((await call('DELETE', `${sku}/links/friends/${lamp}`)).status).toBe(404);
  });
});

describe('save product attribute', () => {
  const api = useApi();
  let token: string;
  beforeAll(async () => {
    await aShop(fork());
    token = await api.tokenFor('Magento_Catalog::attributes_attributes', 'Magento_Catalog::products');
  });

  const { fork, find } = booksOf(() => api.orm);

  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    api.call(method, `/V1/products/attributes${path}`, { token, ...(body ? { body } : {}) });
  const create = (attribute: object) => call('POST', '', { attribute });
  const change = (code: string, attribute: object) => call('PUT', `/${code}`, { attribute });
  const read = async (code: string) => (await call('GET', `/${code}`)).body;
  const choice = (code: string, ...labels: string[]) => ({
    ...{ attribute_code: code, frontend_input: 'select', default_frontend_label: code },
    options: labels.map((label) => ({ label })),
  });
  const refused = (message: string) => ({ status: 400, body: { message } });

  test('the inputs of attributes are listed', async () => {
    expect((await call('GET', '/types')).body).toContainEqual({ value: 'multiselect', label: 'Multiple Select' });
  });

  describe('who creates an attribute', () => {
    test('reads all of it back: labels, scope, settings and options in their order', async () => {
      const answer = await create({
        ...{ attribute_code: 'fabric', frontend_input: 'select', scope: 'website', is_required: true, is_unique: '0' },
        ...{ is_searchable: '1', is_filterable: true, is_used_for_promo_rules: '0', position: 7, apply_to: ['simple'] },
        frontend_labels: [
          { store_id: 0, label: 'Fabric' },
          { store_id: 1, label: 'Stoff' },
        ],
        options: [
          { label: ' ', value: '' },
          { label: 'Wool', value: '77', sort_order: 100, store_labels: [{ store_id: 1, label: 'Wolle' }] },
          { label: 'Linen', sort_order: 1, is_default: true },
        ],
        a_field_of_a_newer_version: 1,
      });
      expect(answer.status).toBe(200);
      const [blank, linen, wool] = answer.body.options;
      expect(answer.body).toMatchObject({
        ...{ attribute_code: 'fabric', default_frontend_label: 'Fabric', backend_type: 'int', scope: 'website' },
        ...{ is_required: true, is_user_defined: true, is_unique: '0', is_searchable: '1', is_filterable: true },
        ...{ is_used_for_promo_rules: '0', position: 7, apply_to: ['simple'], default_value: linen.value },
        frontend_labels: [{ store_id: 1, label: 'Stoff' }],
      });
      expect([blank.label, linen.label, wool.label]).toEqual([' ', 'Linen', 'Wolle']);
      expect(await read('fabric')).toEqual(answer.body);
      expect(await read(answer.body.attribute_id)).toEqual(answer.body);
      const whole = await api.call('GET', '/rest/all/V1/products/attributes/fabric/options', { token });
      expect(whole.body[2].label).toBe('Wool');
      const list = await call(
        'GET',
        '?searchCriteria[filter_groups][0][filters][0][field]=attribute_code' +
          '&searchCriteria[filter_groups][0][filters][0][value]=fabric',
      );
      expect(list.body.items).toEqual([answer.body]);
    });

    test('makes one option of two with the same label', async () => {
      const { body } = await create(choice('twice', 'Up', 'UP', 'Down'));
      expect(body.options.map(({ label }: { label: string }) => label)).toEqual([' ', 'UP', 'Down']);
    });

    test('gets the code from the label', async () => {
      expect((await create({ default_frontend_label: 'Größe (EU)', frontend_input: 'text' })).body.attribute_code).toBe(
        'grosse_eu',
      );
      expect((await create({ default_frontend_label: '9 lives', frontend_input: 'text' })).body.attribute_code).toBe(
        'attr_9_lives',
      );
      expect((await create({ default_frontend_label: '颜', frontend_input: 'boolean' })).body).toMatchObject({
        attribute_code: 'attr_989c',
        options: [
          { label: 'Yes', value: '1' },
          { label: 'No', value: '0' },
        ],
      });
    });

    test.each([
      ['no label', { frontend_input: 'text' }, '"%fieldName" is required. Enter and try again.'],
      [
        'no label above all store views',
        { frontend_input: 'text', frontend_labels: [{ store_id: 1, label: 'x' }] },
        'Invalid value of "%value" provided for the %fieldName field.',
      ],
      ['a wrong code', choice('1st'), 'Invalid value of "%value" provided for the %fieldName field.'],
      ['a long code', choice('a'.repeat(61)), 'Invalid value of "%value" provided for the %fieldName field.'],
      [
        'an unknown input',
        { ...choice('odd'), frontend_input: 'hologram' },
        'Invalid value of "%value" provided for the %fieldName field.',
      ],
      [
        'no input',
        { attribute_code: 'odd', default_frontend_label: 'Odd' },
        'Invalid value of "%value" provided for the %fieldName field.',
      ],
      [
        'an unknown store view',
        { ...choice('odd'), frontend_labels: [{ store_id: 99, label: 'x' }] },
        'Invalid value of "%value" provided for the %fieldName field.',
      ],
      [
        'a reserved code',
        choice('position'),
        "The attribute code '%1' is reserved by system. Please try another attribute code",
      ],
      ['a code of the platform', choice('color'), '%1 already exists.'],
      [
        'an option without label',
        choice('odd', ''),
        'The attribute option label is empty. Enter the value and try again.',
      ],
    ])('is refused with %s, and nothing is kept', async (_why, attribute, message) => {
      expect(await create(attribute)).toMatchObject(refused(message));
      expect((await call('GET', '/odd')).status).toBe(404);
    });

    test('is refused the second time, and of eight at once one is carried out', async () => {
      const answers = await eightAtOnce(() => create(choice('race', 'A')));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
      expect(await create(choice('race'))).toMatchObject({
        ...refused('%1 already exists.'),
        body: { parameters: ['Attribute with the same code'] },
      });
      expect((await read('race')).options).toHaveLength(2);
    });
  });

  describe('who changes an attribute', () => {
    test('keeps what is not sent, and a repeat changes nothing', async () => {
      const { body: first } = await create({ ...choice('sole', 'Rubber'), note: 'kept' });
      const sent = {
        ...{ attribute_id: first.attribute_id, frontend_input: 'text', is_required: true },
        frontend_labels: [{ store_id: 0, label: 'Sole' }],
        options: [
          { value: first.options[1].value, label: 'Gum' },
          { label: 'Leather', is_default: true },
        ],
      };
      const { body: once } = await change('sole', sent);
      expect(once).toMatchObject({ frontend_input: 'select', default_frontend_label: 'Sole', note: 'kept' });
      expect(once.options.map(({ label }: { label: string }) => label)).toEqual([' ', 'Gum', 'Leather']);
      expect(once.default_value).toBe(once.options[2].value);
      const answers = await eightAtOnce(() => change('sole', sent));
      expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 8 }, () => once));
      expect((await change('sole', once)).body).toEqual(once);
    });

    test('describes one that came with an import, and that nobody has named', async () => {
      await makeAttributes(api.orm.em.fork(), ['grip']);
      expect(await read('grip')).toMatchObject({ frontend_input: 'text', default_frontend_label: 'grip' });
      const { body } = await change('grip', { ...choice('grip', 'Firm'), default_frontend_label: 'Grip' });
      expect(body).toMatchObject({ frontend_input: 'select', default_frontend_label: 'Grip' });
      expect((await change('grip', { frontend_input: 'hologram' })).body.frontend_input).toBe('select');
    });

    test('changes only labels, options and settings of one of the platform', async () => {
      const { body } = await change('name', {
        ...{ default_frontend_label: 'Title', scope: 'global', is_required: false, is_searchable: '1' },
        frontend_labels: [{ store_id: 1, label: 'Titel' }],
      });
      expect(body).toMatchObject({ default_frontend_label: 'Title', scope: 'store', is_required: true });
      expect(body).toMatchObject({ is_searchable: '1', frontend_labels: [{ store_id: 1, label: 'Titel' }] });
    });

    test.each([
      [
        'an id of no option',
        { options: [{ value: '999999', label: 'x' }] },
        "The '%1' attribute doesn't include an option id '%2'.",
      ],
      [
        'an option without label',
        { options: [{ label: '' }] },
        'The attribute option label is empty. Enter the value and try again.',
      ],
      [
        'a label for an unknown store view',
        { frontend_labels: [{ store_id: 99, label: 'x' }] },
        'Invalid value of "%value" provided for the %fieldName field.',
      ],
    ])('is refused with %s', async (_why, attribute, message) => {
      await create(choice('shape', 'Round'));
      expect(await change('shape', attribute)).toMatchObject(refused(message));
      const [, round] = (await read('shape')).options;
      await call('POST', '/shape/options', { option: { label: 'Square' } });
      expect(await change('shape', { options: [{ value: round.value, label: 'SQUARE' }] })).toMatchObject(
        refused('Admin store attribute option label "%1" already exists.'),
      );
    });

    test('does not find one that is unknown', async () => {
      expect((await change('nothing', {})).status).toBe(404);
    });
  });

  describe('who deletes an attribute', () => {
    test('takes its options and its values along; of eight at once one has deleted it', async () => {
      const { body } = await create(choice('smell', 'Rose'));
      const custom_attributes = [{ attribute_code: 'smell', value: body.options[1].value }];
      await api.call('POST', '/V1/products', {
        token,
        body: { product: { sku: 'SOAP', name: 'Soap', price: 1, custom_attributes } },
      });
      const answers = await eightAtOnce(() => call('DELETE', '/smell'));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
      const { body: soap } = await api.call('GET', '/V1/products/SOAP', { token });
      expect(soap.custom_attributes.map((one: { attribute_code: string }) => one.attribute_code)).not.toContain(
        'smell',
      );
      expect(await find('product_attribute_option', { label: 'Rose' }, 'option_id')).toEqual([]);
    });

    test('is refused for one of the platform, and for one by which a customer chooses', async () => {
      expect(await call('DELETE', '/color')).toMatchObject(refused("The system attribute can't be deleted."));
      const { body } = await create(choice('cut', 'Slim'));
      const option = {
        attribute_id: String(body.attribute_id),
        label: 'Cut',
        values: [{ value_index: Number(body.options[1].value) }],
      };
      await api.call('POST', '/V1/configurable-products/MUG/options', { token, body: { option } });
      expect(await call('DELETE', '/cut')).toMatchObject(refused('This attribute is used in configurable products.'));
    });
  });
});
