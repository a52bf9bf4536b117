import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Product } from '../../../../db/platform/catalog/product.entity.ts';
import { StoreView } from '../../../../db/platform/stores/store.entity.ts';
import { money, quantity } from '../../../../domain/money.ts';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { booksOf } from '../../../support/books.ts';
import { like } from '../../../support/books/which.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { useApi } from '../../../support/fixtures.ts';

describe('configurable products', () => {
  const api = useApi();
  let token: string;
  let sku: string;
  let shirts = 0;
  beforeAll(async () => {
    await aShop(api.orm.em.fork());
    token = await api.tokenFor('Platform_Catalog::products');
  });
  beforeEach(async () => {
    sku = `SHIRT-${++shirts}`;
    await aProduct({ sku, name: 'Shirt', price: 20 });
  });

  const aProduct = async (product: Record<string, unknown>): Promise<number> =>
    (await api.call('POST', '/V1/products', { token, body: { product } })).body.id;
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, `/V1/configurable-products/${path}`, { token, body });
  const colour = {
    attribute_id: 'color',
    label: 'Colour',
    position: 1,
    values: [{ value_index: 4 }, { value_index: 5 }],
  };
  const addOption = (option: Record<string, unknown> = colour) => call('POST', `${sku}/options`, { option });
  const options = async () => (await call('GET', `${sku}/options/all`)).body;
  const addChild = (childSku: string) => call('POST', `${sku}/child`, { childSku });
  const children = async () => (await call('GET', `${sku}/children`)).body.map((child: { sku: string }) => child.sku);
  async function aChild(value: string | null = '4'): Promise<string> {
    const child = `${sku}-${++shirts}`;
    const custom_attributes = value === null ? [] : [{ attribute_code: 'color', value }];
    await aProduct({ sku: child, name: 'Shirt', price: 20, custom_attributes });
    return child;
  }

  describe('an option', () => {
    test('makes a simple product configurable, and is read, changed and deleted', async () => {
      const { status, body: id } = await addOption();
      expect(status).toBe(200);
      const stored = { id, label: 'Colour', position: 1, values: colour.values };
      expect(await options()).toMatchObject([stored]);
      expect((await api.call('GET', `/V1/products/${sku}`, { token })).body.type_id).toBe('configurable');
      expect((await call('PUT', `${sku}/options/${id}`, { option: { label: 'Shade' } })).body).toBe(id);
      expect((await call('GET', `${sku}/options/${id}`)).body).toMatchObject({ ...stored, label: 'Shade' });
      expect(await call('DELETE', `${sku}/options/${id}`)).toMatchObject({ status: 200, body: true });
      expect((await call('DELETE', `${sku}/options/${id}`)).status).toBe(404);
      expect(await options()).toEqual([]);
    });

    test('of one attribute is added once, also by eight at once', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => addOption()));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await addOption()).body.message).toBe('Product already has this option');
      expect(await options()).toHaveLength(1);
    });

    test.each([
      [{ attribute_id: undefined }, 'Option attribute ID is not specified.'],
      [{ label: '' }, 'Option label is not specified.'],
      [{ values: [] }, 'Option values are not specified.'],
      [{ values: [{}] }, 'Value index is not specified for an option.'],
      [{ label: '', values: [] }, 'One or more input exceptions have occurred.'],
    ])('that lacks something is refused: %j', async (given, message) => {
      expect(await addOption({ ...colour, ...given })).toMatchObject({ status: 400, body: { message } });
    });

    test('of an unknown attribute, or of an unknown id, is not found', async () => {
      expect((await addOption({ ...colour, attribute_id: 'no_such' })).status).toBe(404);
      await addOption();
      for (const [method, body] of [['GET'], ['PUT', { option: { label: 'x' } }], ['DELETE']] as const)
        expect((await call(method, `${sku}/options/999`, body)).status).toBe(404);
    });

    test('of a product that has none is refused', async () => {
      for (const path of ['options/all', 'options/1'])
        expect(await call('GET', `${sku}/${path}`)).toMatchObject({
          status: 400,
          body: { message: 'This is implemented for the "%1" configurable product only.', parameters: [sku] },
        });
    });

    test('that came with the product has an id', async () => {
      await aProduct({
        ...{ sku, type_id: 'configurable' },
        extension_attributes: { configurable_product_options: [colour], configurable_product_links: [] },
      });
      expect(await options()).toMatchObject([{ id: 1, attribute_id: 'color' }]);
    });
  });

  describe('a child', () => {
    test('is added once and taken off once', async () => {
      await addOption();
      const [one, other] = [await aChild('4'), await aChild('5')];
      const answers = await Promise.all([...Array.from({ length: 4 }, () => addChild(one)), addChild(other)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
      expect(await addChild(one)).toMatchObject({ status: 400, body: { message: 'The product is already attached.' } });
      expect(await children()).toEqual([one, other]);
      expect(await call('DELETE', `${sku}/children/${one}`)).toMatchObject({ status: 200, body: true });
      expect((await call('DELETE', `${sku}/children/${one}`)).status).toBe(404);
      expect(await children()).toEqual([other]);
    });

    test('goes with the option, as on the platform', async () => {
      const { body: id } = await addOption();
      await addChild(await aChild());
      await call('DELETE', `${sku}/options/${id}`);
      expect(await children()).toEqual([]);
    });

    test('needs a value of every option, and a parent that has options', async () => {
      const child = await aChild(null);
      expect((await addChild(child)).body.message).toBe(
        "The parent product doesn't have configurable product options.",
      );
      await addOption();
      expect((await addChild(child)).body.parameters).toEqual(['color']);
      expect((await addChild('NO-SUCH')).status).toBe(404);
    });

    test('of a simple product is not there', async () => {
      expect(await children()).toEqual([]);
      expect((await call('DELETE', `${sku}/children/NO-SUCH`)).status).toBe(400);
    });
  });

  describe('variations', () => {
    const product = { sku: 'TEE', name: 'Tee', price: 10 };
    const values = (count: number) => Array.from({ length: count }, (_, index) => ({ value_index: index + 1 }));
    const generate = (given: unknown) => call('PUT', 'variation', { product, options: given });

    test('are every combination of the values, and are not saved', async () => {
      const two = [
        { attribute_id: 'color', values: values(2) },
        { attribute_id: 'manufacturer', values: values(3) },
      ];
      const { body } = await generate(two);
      expect(body.map((one: { sku: string }) => one.sku)).toEqual(
        ['1-1', '1-2', '1-3', '2-1', '2-2', '2-3'].map((suffix) => `TEE-${suffix}`),
      );
      expect(body[5]).toMatchObject({ name: 'Tee-2-3', price: 10, visibility: 1 });
      expect((await api.call('GET', '/V1/products/TEE-1-1', { token })).status).toBe(404);
    });

    test('are at most a thousand', async () => {
      const many = ['color', 'manufacturer'].map((code) => ({ attribute_id: code, values: values(40) }));
      expect(await generate(many)).toMatchObject({ status: 400, body: { parameters: { max: 1_000 } } });
    });

    test('of an unknown attribute are refused', async () => {
      expect((await generate([{ attribute_id: 'no_such', values: values(1) }])).status).toBe(404);
    });
  });
});

describe('list products', () => {
  const api = useApi();

  beforeAll(async () => {
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
    expect(
      (await list([], `${sorted}&searchCriteria[pageSize]=100&searchCriteria[currentPage]=99`)).body,
    ).toMatchObject({
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
});

describe('product values', () => {
  const api = useApi({ clock: () => new Date('2026-11-23T12:00:00Z') });
  beforeAll(async () => {
    await aShop(api.orm.em.fork());
    await ownAttributes(api, { barcode: 'text', is_returnable: 'boolean' });
  });

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
      body: { message: `Attribute "${code}" has invalid value.` },
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
});

describe('search storefront', () => {
  const api = useApi();
  const ids = new Map<string, number>();

  beforeAll(async () => {
    const em = fork();
    await aShop(em);
    const usual = { attributeSetId: 4, websiteIds: [1], categoryIds: ['7'] };
    const goods = [
      { sku: 'W-1', name: 'Digital watch', price: money('20'), customAttributes: { barcode: '4006381333931' } },
      { sku: 'WATCH', name: 'Clock of steel', price: money('30'), categoryIds: ['7', '9'] },
      { sku: 'W-3', name: 'Watchmaker’s 100% digital tool', price: money('5') },
      { sku: 'W-4', name: 'Digital watch, hidden', price: money('20'), visibility: 1 },
      { sku: 'W-5', name: 'Digital watch, switched off', price: money('20'), status: 2 },
      { sku: 'W-6', name: 'Digital watch, elsewhere', price: money('20'), websiteIds: [2] },
    ];
    const made = goods.map((one) => em.create(Product, { ...usual, ...one }));
    await em.flush();
    for (const { sku, entityId } of made) ids.set(sku, entityId);
  });

  const { fork, change, insertAll, remove } = booksOf(() => api.orm);

  type Filter = [field: string, value: string, condition?: string];

  const ask = (container: string, filters: Filter[], more = '') => {
    const parts = filters.map(([field, value, condition = 'eq'], at) => {
      const filter = `searchCriteria[filter_groups][0][filters][${at}]`;
      return `${filter}[field]=${field}&${filter}[value]=${encodeURIComponent(value)}&${filter}[condition_type]=${condition}`;
    });
    return api.call('GET', `/V1/search?searchCriteria[requestName]=${container}&${parts.join('&')}${more}`);
  };
  const quick = (term: string, more = '') => ask('quick_search_container', [['search_term', term]], more);
  const idsOf = (...skus: string[]) => skus.map((sku) => ids.get(sku));
  const found = (answer: { body: { items: { id: number }[] } }) => answer.body.items.map(({ id }) => id);

  test('a customer finds what has every word, the best first, without a token', async () => {
    const answer = await quick('watch');
    expect(found(answer)).toEqual(idsOf('WATCH', 'W-1', 'W-3'));
    expect(answer.body).toMatchObject({
      items: [{ custom_attributes: [{ attribute_code: 'score', value: '25.0000000000000000' }] }, {}, {}],
      aggregations: {
        buckets: [
          { name: 'category_bucket', values: [expect.objectContaining({ value: '7', metrics: ['7', '3'] }), {}] },
        ],
        bucket_names: ['category_bucket'],
      },
      search_criteria: {
        request_name: 'quick_search_container',
        filter_groups: [{ filters: [{ field: 'search_term', value: 'watch', condition_type: 'eq' }] }],
      },
      total_count: 3,
    });
    expect(found(await quick('  WATCH   digital '))).toEqual(idsOf('W-1', 'W-3'));
    expect(found(await quick('4006381333931'))).toEqual(idsOf('W-1'));
    expect((await quick('nothing like it')).body).toMatchObject({ items: [], total_count: 0 });
    const unnamed = await api.call('GET', '/V1/search?searchCriteria');
    expect(unnamed.body.search_criteria).toEqual({ request_name: 'quick_search_container', filter_groups: [] });
  });

  test('signs of a pattern are only letters of a word', async () => {
    expect(found(await quick('100%'))).toEqual(idsOf('W-3'));
    expect(found(await quick('W_1'))).toEqual([]);
    expect(found(await quick('%'.repeat(200)))).toEqual([]);
    expect(found(await quick(String.raw`\ '"`))).toEqual([]);
  });

  test('a name of the store view alone is found there', async () => {
    await change('product', { sku: 'W-1' }, { scoped_values: JSON.stringify({ s2: { name: 'Montre' } }) });
    const inCanada = await api.call(
      'GET',
      '/rest/ca/V1/search?searchCriteria[requestName]=quick_search_container' +
        '&searchCriteria[filter_groups][0][filters][0][field]=search_term' +
        '&searchCriteria[filter_groups][0][filters][0][value]=montre',
    );
    expect(found(inCanada)).toEqual(idsOf('W-1'));
    expect(found(await quick('montre'))).toEqual([]);
  });

  test('price, category and place in the shop restrict, and pages begin with 1 or 0', async () => {
    const all = ask('catalog_view_container', [['category_ids', '7']]);
    expect((await all).body).toMatchObject({ total_count: 3, aggregations: { bucket_names: ['category_bucket'] } });
    const dear = await ask('quick_search_container', [
      ['search_term', 'w'],
      ['price.from', '6'],
      ['price.to', '25'],
      ['category_ids', '7,9'],
    ]);
    expect(found(dear)).toEqual(idsOf('W-1'));
    expect(
      found(
        await ask('quick_search_container', [
          ['search_term', 'digital'],
          ['visibility', '1,4'],
        ]),
      ),
    ).toEqual(idsOf('W-4', 'W-3', 'W-1'));
    const page = (number: number) =>
      quick('watch', `&searchCriteria[page_size]=2&searchCriteria[current_page]=${number}`);
    expect(found(await page(0))).toEqual(idsOf('WATCH', 'W-1'));
    expect(found(await page(1))).toEqual(idsOf('WATCH', 'W-1'));
    expect(found(await page(2))).toEqual(idsOf('W-3'));
    expect(found(await page(3))).toEqual([]);
  });

  test('a list of categories may be sent as a list', async () => {
    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    const answer = await api.call(
      'GET',
      `/V1/search?searchCriteria[requestName]=catalog_view_container&${filter}[field]=category_ids&${filter}[value][0]=9&${filter}[value][1]=8`,
    );
    expect(found(answer)).toEqual(idsOf('WATCH'));
  });

  test('an advanced search takes any attribute, part of it too, and sorts as asked', async () => {
    const answer = await ask(
      'advanced_search_container',
      [['name', 'digital', 'like']],
      '&searchCriteria[sort_orders][price]=ASC',
    );
    expect(found(answer)).toEqual(idsOf('W-3', 'W-1'));
    expect(answer.body.aggregations).toEqual({ buckets: [], bucket_names: [] });
  });

  test('of more matches than are ranked the newest come first', async () => {
    const usual = { price: 1, website_ids: ['1'], attribute_set_id: 4 };
    const many = Array.from({ length: 1_001 }, (_, at) => ({ sku: `many-${at}`, name: `Many ${at}`, ...usual }));
    await insertAll('product', many);
    const { body } = await quick('many', '&searchCriteria[page_size]=2');
    expect(body).toMatchObject({ total_count: 1_001, aggregations: { buckets: [{ values: [] }] } });
    const [first, second] = found({ body });
    expect(Number(first)).toBeGreaterThan(Number(second));
    await remove('product', { sku: like('many-%') });
  });

  test.each([
    ['searchCriteria[requestName]=mine', "Request name '%1' doesn't exist."],
    ['searchCriteria[requestName][a]=quick_search_container', "Request name '%1' doesn't exist."],
    ['searchCriteria[requestName][toString]=quick_search_container', "Request name '%1' doesn't exist."],
    [
      'searchCriteria[value][0][toString]=4',
      'The "%fieldName" field is not known here. Correct its name and try again.',
    ],
    [
      'searchCriteria[requestName]=quick_search_container' +
        '&searchCriteria[filter_groups][0][filters][0][field]=cost' +
        '&searchCriteria[filter_groups][0][filters][0][value]=1',
      'Invalid attribute name: %1',
    ],
  ])('%s is refused', async (query, message) => {
    expect(await api.call('GET', `/V1/search?${query}`)).toMatchObject({ status: 400, body: { message } });
  });
});
