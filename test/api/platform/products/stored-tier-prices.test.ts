import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreView, Website } from '../../../../db/platform/stores/store.entity.ts';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { booksOf } from '../../../support/books.ts';
import { aShopper } from '../../../support/builders/cart.ts';
import { manyProducts } from '../../../support/builders/many-products.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { api, opensACartShop } from '../../../support/cart-shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';
import { aPng } from '../../../support/pictures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('configurable outcomes', () => {
  const api = useApi();
  let token: string;
  beforeAll(async () => {
    await aShop(api.orm.em.fork());
    token = await api.tokenFor('Platform_Catalog::products');
    for (const product of [
      { sku: 'PLAIN', name: 'Plain', price: 1 },
      { sku: 'FILE', name: 'File', price: 1, type_id: 'downloadable' },
    ])
      expect((await api.call('POST', '/V1/products', { token, body: { product } })).status).toBe(200);
  });

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
});

describe('fixed taxes once', () => {
  const api = useApi();
  beforeAll(async () => {
    await aShop(api.orm.em.fork());
    await ownAttributes(api, { eco_fee: 'weee' });
  });

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
});

describe('price attributes', () => {
  opensACartShop();

  const ways = [
    ['PUT', '/V1/products/MUG', {}],
    ['POST', '/V1/products', { sku: 'CUP', name: 'Cup', price: 8 }],
  ] as const;
  const save = ([method, path, product]: (typeof ways)[number], attribute_code: string, value: unknown) =>
    api.call(method, path, {
      token: api.tokens.admin,
      body: { product: { ...product, custom_attributes: [{ attribute_code, value }] } },
    });

  test.each([
    ['special_price', -4],
    ['special_price', 'abc'],
    ['special_price', '5 USD'],
    ['cost', '-0.01'],
  ])('no product has the %s %s, which a register would read', async (code, value) => {
    for (const way of ways) {
      expect(await save(way, code, value)).toMatchObject({
        status: 400,
        body: { message: 'Please enter a number 0 or greater in this field.' },
      });
    }
  });

  test('a special price is a number or its text, and an empty text takes it away', async () => {
    const [change] = ways;
    const priceInCart = async () => {
      const shopper = await aShopper(api);
      await shopper.open();
      return (await shopper.put('MUG')).body.price;
    };
    for (const [value, price] of [
      ['12.5', 12.5],
      [0, 0],
      ['', 50],
      ['10.989999999999998', 10.99],
      [11, 11],
      [null, 50],
    ] as const) {
      expect(await save(change, 'special_price', value)).toMatchObject({ status: 200 });
      expect(await priceInCart()).toBe(price);
    }
  });
});

describe('product websites', () => {
  const api = useApi();
  let token: string;
  let sku: string;
  let goods = 0;
  beforeAll(async () => {
    await aShop(api.orm.em.fork());
    token = await api.tokenFor('Platform_Catalog::catalog', 'Platform_Catalog::products');
  });
  beforeEach(async () => {
    sku = `MUG-${++goods}`;
    const product = { sku, name: 'Mug', price: 12, extension_attributes: { website_ids: [] } };
    expect((await api.call('POST', '/V1/products', { token, body: { product } })).status).toBe(200);
  });

  const sell = (method: string, productWebsiteLink: unknown, of = sku) =>
    api.call(method, `/V1/products/${of}/websites`, { token, body: { productWebsiteLink } });
  const takeOff = (id: number, of = sku) => api.call('DELETE', `/V1/products/${of}/websites/${id}`, { token });
  const websitesOf = async () =>
    (await api.call('GET', `/V1/products/${sku}`, { token })).body.extension_attributes.website_ids;
  const done = { status: 200, body: true };

  test('a product is sold on a website and taken off it, however often it is said', async () => {
    for (const method of ['POST', 'PUT', 'POST'])
      expect(await sell(method, { sku: 'ANOTHER', website_id: 1 })).toMatchObject(done);
    expect(await websitesOf()).toEqual([1]);
    for (const id of [1, 1, 99]) expect(await takeOff(id)).toMatchObject(done);
    expect(await websitesOf()).toEqual([]);
  });

  test.each([
    ['no website', { sku: 'ANY' }, 'There are not websites for assign to product'],
    ['the admin’s website', { website_id: 0 }, 'There are not websites for assign to product'],
    ['a website that is not there', { website_id: 99 }, 'Could not assign product "%1" to websites "%2"'],
  ])('%s is refused', async (_what, link, message) => {
    for (const method of ['POST', 'PUT'])
      expect(await sell(method, link)).toMatchObject({ status: 400, body: { message } });
    expect(await websitesOf()).toEqual([]);
  });

  test('an unknown product is sold nowhere', async () => {
    expect((await sell('POST', { website_id: 1 }, 'NO-SUCH')).status).toBe(404);
    expect((await takeOff(1, 'NO-SUCH')).status).toBe(404);
  });
});

describe('shown pictures', () => {
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
  const content = { base64_encoded_data: aPng().toString('base64'), type: 'image/png', name: 'mug.png' };
  const entry = (more: object = {}) => ({ entry: { media_type: 'image', label: 'Front', content, ...more } });

  let made = 0;
  async function aProduct(): Promise<string> {
    const sku = `SHOWN-${++made}`;
    expect(await call('POST', '/V1/products', { product: { sku, name: sku, price: 1 } })).toMatchObject({
      status: 200,
    });
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
    expect(await change(`${sku}/media/some`, { label: 'x' })).toMatchObject({
      status: 404,
      body: { message: unknown },
    });
    expect(await change(`${sku}/media/some`, { id, label: 'Side' })).toMatchObject({ status: 200, body: true });
    expect((await call('GET', `/V1/products/${sku}/media/${id}`)).body).toMatchObject({ label: 'Side' });
    const nobody = "The product that was requested doesn't exist. Verify the product and try again.";
    expect(await change('wrong/media/wrong-sku', { id: 9999 })).toMatchObject({
      status: 404,
      body: { message: nobody },
    });
  });
});

describe('stored tier prices', () => {
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const call = (path: string, body: unknown, method = 'POST') =>
    api.call(method, `/V1/products/tier-prices${path}`, { token: api.tokens.admin, body });
  const read = async (sku: string) => (await call('-information', { skus: [sku] })).body;
  let made = 0;
  async function aProduct(): Promise<string> {
    const sku = `TIERED-${++made}`;
    const product = { sku, name: sku, price: 50 };
    await api.call('POST', '/rest/all/V1/products', { token: api.tokens.admin, body: { product } });
    return sku;
  }
  const tier = (sku: string, more: object = {}) => ({
    ...{ sku, price: 40, price_type: 'fixed', website_id: 0, customer_group: 'ALL GROUPS', quantity: 6 },
    ...more,
  });

  test('tier prices are saved one for each place, replaced as a whole, and deleted as they were said', async () => {
    const sku = await aProduct();
    const general = tier(sku, { price: 12.5, price_type: 'discount', customer_group: 'general', website_id: 1 });
    expect((await call('', { prices: [tier(sku), general] })).body).toEqual([]);
    expect((await call('', { prices: [tier(sku, { price: 39 })] })).body).toEqual([]);
    expect(await read(sku)).toEqual([{ ...general, customer_group: 'General' }, tier(sku, { price: 39 })]);

    for (const _again of [1, 2]) expect((await call('', { prices: [tier(sku)] }, 'PUT')).body).toEqual([]);
    expect(await read(sku)).toEqual([tier(sku)]);

    expect((await call('-delete', { prices: [tier(sku, { price: 1 })] })).body).toMatchObject([
      { message: expect.stringMatching(/^The requested price is not found\./) },
    ]);
    expect((await call('-delete', { prices: [tier(sku)] })).body).toEqual([]);
    expect(await read(sku)).toEqual([]);
  });

  const rowId = 'Row ID: SKU = %SKU, Website ID: %websiteId, Customer Group: %customerGroup, Quantity: %qty.';

  test.each([
    ['an unknown website', { website_id: 77 }, 'Invalid attribute Website ID = %websiteId.'],
    ['an unknown group', { customer_group: 'nobody' }, 'No such entity with Customer Group = %customerGroup.'],
    ['a price below zero', { price: -1 }, 'Invalid attribute Price = %price.'],
    ['more than all off', { price: 101, price_type: 'discount' }, 'Invalid attribute Price = %price.'],
    ['an unknown kind', { price_type: 'gift' }, 'Invalid attribute Price Type = %priceType.'],
    ['no quantity', { quantity: 0 }, 'Invalid attribute Quantity = %qty.'],
  ])('%s is told and not saved, what stands beside it is', async (_what, more, sentence) => {
    const sku = await aProduct();
    const { body } = await call('', { prices: [tier(sku, more), tier(sku, { quantity: 2 })] });
    expect(body).toEqual([{ message: `${sentence} ${rowId}`, parameters: expect.arrayContaining([sku]) }]);
    expect(await read(sku)).toEqual([tier(sku, { quantity: 2 })]);
  });

  test('eight savers of one product keep every tier', async () => {
    const sku = await aProduct();
    const answers = await eightAtOnce((at) => call('', { prices: [tier(sku, { quantity: at + 1 })] }));
    expect(answers.map(({ body }) => body)).toEqual(Array(8).fill([]));
    expect(await read(sku)).toHaveLength(8);
  });

  test('an unknown product has no tier prices', async () => {
    expect(await call('-information', { skus: ['NONE'] })).toMatchObject({
      status: 404,
      body: { parameters: { sku: 'NONE' } },
    });
  });
});

describe('tier prices of a product', () => {
  opensACartShop();

  const forAll = { customer_group_id: 32_000, qty: 1 };
  const percent = (percentage: number) => ({ extension_attributes: { percentage_value: percentage } });
  const ways = [
    ['PUT', '/V1/products/MUG', {}],
    ['POST', '/V1/products', { sku: 'CUP', name: 'Cup', price: 8 }],
  ] as const;
  const save = ([method, path, product]: (typeof ways)[number], ...tiers: object[]) =>
    api.call(method, path, { token: api.tokens.admin, body: { product: { ...product, tier_prices: tiers } } });

  const tooLow = 'Group price must be a number greater than 0.';
  const noShare = 'Percentage value must be a number between 0 and 100.';
  const twice = 'We found a duplicate website, tier price, customer group and quantity.';

  test.each([
    ['is below zero', tooLow, [{ ...forAll, value: -3 }]],
    ['is missing', tooLow, [forAll]],
    ['takes off more than all', noShare, [{ ...forAll, ...percent(101) }]],
    ['takes off less than nothing', noShare, [{ ...forAll, ...percent(-1) }]],
    ['is there twice', twice, [4, 5].map((value) => ({ ...forAll, value }))],
  ])('a tier price that %s is refused, and a cart has the price of before', async (_what, message, tiers) => {
    for (const way of ways) expect(await save(way, ...tiers)).toMatchObject({ status: 400, body: { message } });

    const shopper = await aShopper(api);
    await shopper.open();
    expect((await shopper.put('MUG')).body).toMatchObject({ price: 50 });
  });

  test('tier prices may differ by group, website and quantity, be nothing, or take off all', async () => {
    const tiers = [
      { ...forAll, qty: 100, value: 0 },
      { ...forAll, qty: 200, ...percent(100) },
      { ...forAll, customer_group_id: 2, value: 40 },
      { ...forAll, customer_group_id: 2, value: 39, extension_attributes: { website_id: 1 } },
    ];
    for (const way of ways) expect(await save(way, ...tiers)).toMatchObject({ status: 200 });
  });
});

describe('view totals', () => {
  const api = useApi();
  beforeAll(async () => {
    const em = fork();
    await aShop(em);
    em.create(Website, { websiteId: 2, code: 'b2b', name: 'Trade', baseCurrencyCode: 'USD' });
    em.create(StoreView, { storeId: 3, websiteId: 2, code: 'trade', name: 'Trade', currencyCode: 'USD' });
    await em.flush();
    await manyProducts(books, { sku: 'total', count: 5, status: 2, website_ids: [1, 2] });
    await change('product', { sku: 'total-3' }, { scoped_values: '{"w2":{"status":1}}' });
  });

  const books = booksOf(() => api.orm);
  const { fork, change } = books;

  const ask = async (
    view: string,
    filters: readonly (readonly [field: string, value: string, condition: string])[],
    page = '',
  ) => {
    const query = filters.flatMap(([field, value, condition], at) => {
      const filter = `searchCriteria[filter_groups][${at}][filters][0]`;
      return [`${filter}[field]=${field}`, `${filter}[value]=${value}`, `${filter}[condition_type]=${condition}`];
    });
    const path = `/rest/${view}/V1/products?${query.join('&')}${page}`;
    const { status, body } = await api.call('GET', path, { token: api.tokens.register });
    return [status, body.items?.length, body.total_count];
  };
  const list = (view: string, status: string) =>
    ask(view, [
      ['status', status, 'eq'],
      ['sku', 'total-%25', 'like'],
    ]);
  const byStatus = (view: string, status: string, page = '') => ask(view, [['status', status, 'eq']], page);

  test('a list counts a product by the status it has in the view, wherever it is counted', async () => {
    expect(await list('trade', '1')).toEqual([200, 1, 1]);
    expect(await list('trade', '2')).toEqual([200, 4, 4]);
    expect(await list('default', '2')).toEqual([200, 5, 5]);
    const [, items, total] = await byStatus('trade', '2');
    expect(total).toBe(items);
    expect(await byStatus('default', '2')).toEqual([200, 5, 5]);
  });

  test('beyond the last page the total is the same', async () => {
    const [, , total] = await byStatus('trade', '2');
    expect(await byStatus('trade', '2', '&searchCriteria[page_size]=2&searchCriteria[current_page]=9')).toEqual([
      200,
      0,
      total,
    ]);
  });
});
