import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { attributeToken, ownAttributes } from '../../../support/attribute-token.ts';
import { booksOf } from '../../../support/books.ts';
import { forgetSettings } from '../../../support/books/settings.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';
import { aJpeg, aPng } from '../../../support/pictures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('group prices', () => {
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
    const product = { sku, name: 'Mug', price: 12 };
    expect((await api.call('POST', '/V1/products', { token, body: { product } })).status).toBe(200);
  });

  const call = (method: string, path: string, of = sku) =>
    api.call(method, `/V1/products/${of}/group-prices/${path}`, { token });
  const tiersOf = async (group: string) => (await call('GET', `${group}/tiers`)).body;
  const price = (group: number, qty: number, value: number) => ({
    ...{ customer_group_id: group, qty, value },
    extension_attributes: { website_id: 0 },
  });
  const gone = { status: 404 };

  test('a group has its own price from a quantity on; setting it again changes it', async () => {
    expect(await call('POST', '1/tiers/6/price/10')).toMatchObject({ status: 200, body: true });
    expect(await call('POST', '1/tiers/6/price/9.5')).toMatchObject({ status: 200 });
    expect(await call('POST', 'all/tiers/12/price/8')).toMatchObject({ status: 200 });
    expect(await tiersOf('1')).toEqual([price(1, 6, 9.5)]);
    expect(await tiersOf('all')).toEqual([price(32_000, 12, 8)]);
    const { body } = await api.call('GET', `/V1/products/${sku}`, { token });
    expect(body.tier_prices).toEqual([price(1, 6, 9.5), price(32_000, 12, 8)]);
  });

  test('eight at once leave every price', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((qty) => call('POST', `1/tiers/${qty}/price/${20 - qty}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await tiersOf('1')).toHaveLength(8);
  });

  test('a price is deleted once, and only that of its group and quantity', async () => {
    await call('POST', '1/tiers/6/price/10');
    await call('POST', 'all/tiers/6/price/11');
    expect(await call('DELETE', '1/tiers/7')).toMatchObject(gone);
    expect(await call('DELETE', '1/tiers/6')).toMatchObject({ status: 200, body: true });
    expect(await call('DELETE', '1/tiers/6')).toMatchObject({ ...gone, body: { parameters: ['1', 0, 6] } });
    expect(await tiersOf('all')).toEqual([price(32_000, 6, 11)]);
  });

  test.each([
    ['a price of nothing', '1/tiers/6/price/0', 400],
    ['a quantity of nothing', '1/tiers/0/price/10', 400],
    ['an unknown group', '999/tiers/6/price/10', 404],
    ['a group that is no number', 'some/tiers/6/price/10', 404],
  ])('%s is refused, and nothing is saved', async (_what, path, status) => {
    expect((await call('POST', path)).status).toBe(status);
    expect((await api.call('GET', `/V1/products/${sku}`, { token })).body.tier_prices).toEqual([]);
  });

  test('an unknown product has no prices', async () => {
    for (const [method, path] of [
      ['GET', '1/tiers'],
      ['POST', '1/tiers/6/price/10'],
      ['DELETE', '1/tiers/6'],
    ] as const)
      expect((await call(method, path, 'NO-SUCH')).status).toBe(404);
  });
});

describe('picture outcomes', () => {
  const api = useApi();
  const media = '/V1/products/PICTURED/media';
  beforeAll(async () => {
    await aShop(api.orm.em.fork());
    const product = { sku: 'PICTURED', name: 'Pictured', price: 1, media_gallery_entries: [entryOf(aPng())] };
    expect((await call('POST', '/V1/products', { product })).status).toBe(200);
  });

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.register, body });
  const entryOf = (file: Buffer | string, type = 'image/png', name = 'mug.png') => ({
    ...{ media_type: 'image', label: 'Front', position: 1, disabled: false },
    content: { base64_encoded_data: typeof file === 'string' ? file : file.toString('base64'), type, name },
  });
  let wide: Buffer;
  beforeAll(async () => {
    wide = await aJpeg(6_001, 1);
  });
  const gallery = async (): Promise<{ id: number }[]> => (await call('GET', media)).body;

  const faults = [
    {
      what: 'no base64',
      entry: () => entryOf('%%%'),
      status: 400,
      said: 'The image content must be valid base64 encoded data.',
    },
    {
      what: 'of another kind than it says',
      entry: () => entryOf(aPng(), 'image/jpeg'),
      status: 400,
      said: 'The image MIME type is not valid or not supported.',
    },
    {
      what: 'with a name that leads away',
      entry: () => entryOf(aPng(), 'image/png', '../x.png'),
      status: 400,
      said: 'Provided image name contains forbidden characters.',
    },
    {
      what: 'of more than 3 MB',
      entry: () => entryOf(Buffer.concat([aPng(), Buffer.alloc(3_000_001)])),
      status: 400,
      said: 'A picture has at most %1 kB.',
    },
    {
      what: 'of more pixels than a till can draw',
      entry: () => entryOf(wide, 'image/jpeg', 'wide.jpg'),
      status: 400,
      said: 'A picture has at most %1 pixels each way.',
    },
    {
      what: 'in a body larger than any picture',
      entry: () => entryOf('A'.repeat(5_000_000)),
      status: 413,
      said: 'The request body must not be larger than %1 bytes.',
    },
  ];

  describe.each(['a new picture', 'a picture in place of another'])('%s', (which) => {
    test.each(faults)('$what is refused, and the gallery stays', async ({ entry, status, said }) => {
      const before = await gallery();
      const [shown] = before;
      const [method, path] = which === 'a new picture' ? ['POST', media] : ['PUT', `${media}/${shown?.id}`];
      await expectRefused({ send: () => call(method, path, { entry: entry() }), status, said });
      expect(await gallery()).toEqual(before);
      expect(before).toHaveLength(1);
    });
  });
});

describe('product attributes', () => {
  const api = useApi();
  let token: string;
  beforeAll(async () => {
    await aShop(fork());
    token = await attributeToken(api);
    await ownAttributes(api, { barcode: 'text', eco_fee: 'weee' });
    const custom_attributes = [
      { attribute_code: 'barcode', value: '1' },
      { attribute_code: 'eco_fee', value: [{ country: 'US', value: 1 }] },
      { attribute_code: 'No Code', value: 'x' },
      { attribute_code: 'pirce', value: '2' },
    ];
    const product = { sku: 'TOY', name: 'Toy', price: 1, attribute_set_id: 4, custom_attributes };
    await Promise.all([1, 2].map(() => api.call('POST', '/V1/products', { token, body: { product } })));
  });

  const { fork, insert, find } = booksOf(() => api.orm);

  const get = async (path: string) => (await api.call('GET', `/V1/products/${path}`, { token })).body;
  const where = (field: string, value: string) =>
    `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;
  const codes = (body: { items: { attribute_code: string }[] }) => body.items.map((item) => item.attribute_code);

  test('an attribute shows its name, its input and its scope', async () => {
    expect(await get('attributes/name')).toMatchObject({
      attribute_code: 'name',
      default_frontend_label: 'Product Name',
      frontend_input: 'text',
      backend_type: 'varchar',
      scope: 'store',
      is_required: true,
      is_user_defined: false,
      entity_type_id: '4',
      options: [],
    });
    const { attribute_id: id } = await get('attributes/status');
    expect(await get(`attributes/${id}`)).toMatchObject({ attribute_code: 'status', scope: 'website' });
  });

  test('attributes of the shop stand beside those that the platform made as a shop would, and products make none', async () => {
    expect(codes(await get(`attributes?${where('is_user_defined', '1')}`)).toSorted()).toEqual([
      ...['barcode', 'color', 'cost', 'eco_fee', 'manufacturer'],
    ]);
    expect((await get('attributes/cost')).is_user_defined).toBe(true);
    expect(await get('attributes/eco_fee')).toMatchObject({ frontend_input: 'weee', scope: 'global' });
    expect(codes(await get(`attributes?${where('attribute_code', 'BARCODE')}`))).toEqual(['barcode']);
    expect((await get('attributes?searchCriteria')).total_count).toBe(34);
  });

  test('attributes are found by what all of them have alike, and sorted by it', async () => {
    const count = async (field: string, value: string) => (await get(`attributes?${where(field, value)}`)).total_count;
    expect([await count('position', '0'), await count('is_visible', '1'), await count('entity_type_id', '4')]).toEqual([
      34, 34, 34,
    ]);
    expect([await count('is_filterable', '1'), await count('is_comparable', 'true')]).toEqual([0, 0]);
    const sorted = await get(
      'attributes?searchCriteria[sort_orders][0][field]=Attribute_Code&searchCriteria[page_size]=1',
    );
    expect(codes(sorted)).toEqual(['weight']);
  });

  test('what can be chosen is listed', async () => {
    expect(await get('attributes/status/options')).toEqual([
      { label: 'Enabled', value: '1' },
      { label: 'Disabled', value: '2' },
    ]);
    expect(await get('attributes/tax_class_id/options')).toEqual([
      { label: 'None', value: '0' },
      { label: 'Taxable Goods', value: '2' },
    ]);
    expect(await get('attributes/barcode/options')).toEqual([]);
  });

  test.each(['attributes/nothing', 'attributes/nothing/options'])('%s is not found', async (path) => {
    expect(await api.call('GET', `/V1/products/${path}`, { token })).toMatchObject({
      status: 404,
      body: {
        message: 'The attribute with a "%1" attributeCode doesn\'t exist. Verify the attribute and try again.',
        parameters: ['nothing'],
      },
    });
  });

  test('an attribute of the shop is in its set, with those of the platform', async () => {
    expect(codes({ items: await get('attribute-sets/4/attributes') })).toContain('barcode');
    for (const path of ['attribute-sets/5000', 'attribute-sets/5000/attributes'])
      expect(await api.call('GET', `/V1/products/${path}`, { token })).toMatchObject({
        status: 404,
        body: { parameters: { fieldName: 'id', fieldValue: 5_000 } },
      });
  });

  test('types are listed', async () => {
    expect(await get('types')).toContainEqual({ name: 'virtual', label: 'Virtual Product' });
  });

  describe('who deletes a product', () => {
    const remove = (sku: string) => api.call('DELETE', `/V1/products/${sku}`, { token });
    const promise = (quantity: number) =>
      insert('inventory_reservation', { stock_id: 1, sku: 'MUG', quantity, event_type: 'order_placed', order_id: 1 });

    test('takes its stock along; a repeat is not found', async () => {
      const product = { sku: 'GONE', name: 'Gone', price: 1, extension_attributes: { stock_item: { qty: 3 } } };
      await api.call('POST', '/V1/products', { token, body: { product } });
      expect(await remove('GONE')).toMatchObject({ status: 200, body: true });
      expect(await remove('GONE')).toMatchObject({
        status: 404,
        body: { message: "The product that was requested doesn't exist. Verify the product and try again." },
      });
      const found = await find('inventory_source_item', { sku: 'GONE' }, 'sku');
      expect(found).toEqual([]);
    });

    test('is refused as long as an order waits for it', async () => {
      await promise(-2);
      expect(await remove('MUG')).toMatchObject({
        status: 400,
        body: { message: `The "%1" product couldn't be removed.`, parameters: ['MUG'] },
      });
      expect((await api.call('GET', '/V1/products/MUG', { token })).body.extension_attributes.stock_item.qty).toBe(100);
      await promise(2);
      expect((await remove('MUG')).status).toBe(200);
    });

    test('eight times at once has deleted it once', async () => {
      const answers = await eightAtOnce(() => remove('PLATE'));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
    });

    test('does not delete by the name of another address', async () => {
      for (const path of ['attributes', 'types', 'attribute-sets'])
        expect(await remove(path)).toMatchObject({
          status: 404,
          body: { message: 'Request does not match any route.' },
        });
    });
  });
});

describe('quantity rules', () => {
  const api = useApi();
  let stockId: number;
  beforeAll(async () => {
    await aShop(fork());
    ({ stock_id: stockId } = await findOne('inventory_stock', {}, 'stock_id'));
  });
  beforeEach(async () => {
    await forgetSettings(books, 'cataloginventory/');
    const none = { backorders: null, min_sale_qty: null, max_sale_qty: null };
    await change('product', {}, { ...none, enable_qty_increments: null, qty_increments: null });
  });

  const books = booksOf(() => api.orm);
  const { fork, findOne, change, configure } = books;
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  const set = (stockItem: object) => call('PUT', '/V1/products/MUG/stockItems/1', { stockItem });
  const item = async () => (await call('GET', '/V1/stockItems/MUG')).body;
  const shopSays = (name: string, value: string) => configure(`cataloginventory/item_options/${name}`, value);
  const ask = async (qty: number) =>
    (await call('GET', `/V1/inventory/is-product-salable-for-requested-qty/MUG/${stockId}/${qty}`)).body;

  const shops = {
    ...{ use_config_min_sale_qty: 1, min_sale_qty: 1, use_config_max_sale_qty: true, max_sale_qty: 10_000 },
    ...{ use_config_backorders: true, backorders: 0, use_config_qty_increments: true, qty_increments: 0 },
    ...{ use_config_enable_qty_inc: true, enable_qty_increments: false },
  };

  test('a product without rules of its own follows the shop, on every answer that shows its stock', async () => {
    expect(await item()).toMatchObject(shops);
    expect((await call('GET', '/V1/products/MUG')).body.extension_attributes.stock_item).toMatchObject(shops);
    for (const [name, value] of [
      ['min_sale_qty', '2'],
      ['max_sale_qty', '8'],
      ['enable_qty_increments', '1'],
      ['qty_increments', '2'],
      ['backorders', '2'],
    ] as const)
      await shopSays(name, value);

    const now = { min_sale_qty: 2, max_sale_qty: 8, enable_qty_increments: true, qty_increments: 2, backorders: 2 };
    expect(await item()).toMatchObject({ ...shops, ...now });
    expect((await ask(1)).errors).toMatchObject([{ message: 'The fewest you may purchase is 2.' }]);
    expect((await ask(3)).errors).toMatchObject([{ code: 'is_correct_qty-qty_increment' }]);
  });

  test('a setting of the shop that is no number counts as the platform’s', async () => {
    await shopSays('min_sale_qty', 'six');
    await shopSays('max_sale_qty', '-3');
    await shopSays('backorders', '7');
    expect(await item()).toMatchObject(shops);
    await shopSays('max_sale_qty', '');
    expect(await item()).toMatchObject({ max_sale_qty: 0 });
    expect(await ask(10_001)).toMatchObject({ errors: [{ code: 'back_order-disabled' }, {}, {}] });
  });

  test('rules of its own are kept, told, and hold for what is asked', async () => {
    const own = { min_sale_qty: 4, max_sale_qty: 12, enable_qty_increments: 1, qty_increments: '4', backorders: 2 };
    for (const time of ['once', 'twice']) expect({ time, ...(await set(own)) }).toMatchObject({ time, status: 200 });
    expect(await item()).toMatchObject({
      ...{ ...own, enable_qty_increments: true, qty_increments: 4, use_config_min_sale_qty: 0 },
      ...{ use_config_max_sale_qty: false, use_config_backorders: false, use_config_qty_increments: false },
      use_config_enable_qty_inc: false,
    });

    const because = (code: string, message: string) => ({ salable: false, errors: [{ code, message }] });
    expect(await ask(8)).toEqual({ salable: true, errors: [] });
    expect(await ask(3)).toEqual(because('is_correct_qty-min_sale_qty', 'The fewest you may purchase is 4.'));
    expect(await ask(16)).toEqual(
      because('is_correct_qty-max_sale_qty', 'The requested qty exceeds the maximum qty allowed in shopping cart'),
    );
    expect(await ask(6)).toEqual(
      because('is_correct_qty-qty_increment', 'You can buy this product only in quantities of 4 at a time.'),
    );
    const { body } = await call(
      'GET',
      `/V1/inventory/are-product-salable-for-requested-qty?skuRequests[0][sku]=MUG&skuRequests[0][qty]=6&stockId=${stockId}`,
    );
    expect(body).toMatchObject([{ salable: false, errors: [{ code: 'is_correct_qty-qty_increment' }] }]);
  });

  test('the answer can be sent back, and the shop’s rule holds again when its flag says so', async () => {
    await set(await item());
    expect(await item()).toMatchObject(shops);
    await set({ min_sale_qty: 4, backorders: 1, max_sale_qty: 9 });
    const own = await item();
    await set(own);
    expect(await item()).toEqual(own);

    await set({ use_config_min_sale_qty: 1, min_sale_qty: 4, use_config_backorders: true });
    expect(await item()).toMatchObject({ ...shops, max_sale_qty: 9, use_config_max_sale_qty: false });
    await set({ use_config_qty_increments: false, use_config_max_sale_qty: false, use_config_min_sale_qty: '0' });
    expect(await item()).toMatchObject({ use_config_qty_increments: false, qty_increments: 0, max_sale_qty: 9 });
    await shopSays('min_sale_qty', '5');
    expect(await item()).toMatchObject({ use_config_min_sale_qty: 0, min_sale_qty: 1 });
  });

  test('a product is saved together with its rules', async () => {
    const stockItem = { min_sale_qty: 3, enable_qty_increments: true, qty_increments: 3 };
    await call('PUT', '/V1/products/MUG', { product: { extension_attributes: { stock_item: stockItem } } });
    expect(await item()).toMatchObject({ ...stockItem, use_config_max_sale_qty: true });
    await call('PUT', '/V1/products/MUG', { product: { name: 'Mug' } });
    expect(await item()).toMatchObject(stockItem);
  });

  test.each([
    ['minSaleQty', -1],
    ['maxSaleQty', -0.5],
    ['qtyIncrements', -6],
    ['backorders', 3],
    ['backorders', -1],
  ])('%s cannot be %d, and then nothing is saved', async (fieldName, value) => {
    const before = await item();
    expect(await set({ qty: 7, [fieldName]: value })).toMatchObject({
      status: 400,
      body: { parameters: { fieldName, value } },
    });
    expect(await item()).toEqual(before);
  });

  test('the shop’s word on backorders decides whether an empty shelf is still for sale', async () => {
    await change('inventory_source_item', { sku: 'MUG' }, { quantity: 1 });
    expect(await ask(5)).toMatchObject({ salable: false });
    await shopSays('backorders', '1');
    expect(await ask(5)).toEqual({ salable: true, errors: [] });
    await set({ backorders: 0 });
    expect(await ask(5)).toMatchObject({ salable: false, errors: [{ code: 'back_order-disabled' }, {}, {}] });
  });
});

describe('stored prices', () => {
  const api = useApi({ clock: () => new Date('2026-11-23T07:30:00Z') });
  beforeAll(() => aShop(fork()));

  const { fork, change } = booksOf(() => api.orm);

  const call = (path: string, body: unknown) =>
    api.call('POST', `/V1/products/${path}`, { token: api.tokens.admin, body });
  let made = 0;
  async function aProduct(): Promise<string> {
    const sku = `PRICED-${++made}`;
    const product = { sku, name: sku, price: 50 };
    await api.call('POST', '/rest/all/V1/products', { token: api.tokens.admin, body: { product } });
    return sku;
  }

  test('base prices are saved and read, and a repeat changes nothing', async () => {
    const [one, two] = [await aProduct(), await aProduct()];
    const prices = [
      { sku: one, price: 12.5, store_id: 0 },
      { sku: two, price: '7', store_id: 1 },
    ];
    for (const _again of [1, 2]) expect(await call('base-prices', { prices })).toMatchObject({ status: 200, body: [] });
    expect((await call('base-prices-information', { skus: [one, two] })).body).toEqual([
      { sku: one, price: 12.5, store_id: 0 },
      { sku: two, price: 7, store_id: 0 },
    ]);
  });

  test('each row that does not hold is told, the others are saved', async () => {
    const sku = await aProduct();
    const prices = [
      { sku: 'not_existing_sku', price: -9999, store_id: 9999 },
      { sku, price: 8, store_id: 0 },
    ];
    expect((await call('base-prices', { prices })).body).toEqual([
      { message: 'Invalid attribute %fieldName = %fieldValue.', parameters: ['SKU', 'not_existing_sku'] },
      { message: 'Invalid attribute %fieldName = %fieldValue.', parameters: ['Price', '-9999'] },
      {
        message: 'Requested store is not found. Row ID: SKU = not_existing_sku, Store ID: 9999.',
        parameters: ['not_existing_sku', '9999'],
      },
    ]);
    expect((await call('base-prices-information', { skus: [sku] })).body).toMatchObject([{ price: 8 }]);
  });

  test('eight savers of the same goods in another order do not block each other', async () => {
    const [one, two] = [await aProduct(), await aProduct()];
    const answers = await eightAtOnce((at) => {
      const prices = [one, two].map((sku) => ({ sku, price: at, store_id: 0 }));
      return call('base-prices', { prices: at % 2 ? prices : prices.toReversed() });
    });
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { body } = await call('base-prices-information', { skus: [one, two] });
    expect(body[0].price).toBe(body[1].price);
  });

  test('a special price holds for a website, begins today by default, and is removed by the same values', async () => {
    const sku = await aProduct();
    const row = { sku, price: 40, store_id: 1, price_to: '2026-12-24 00:00:00' };
    expect((await call('special-price', { prices: [row] })).body).toEqual([]);
    const from = '2026-11-23 00:00:00';
    expect((await call('special-price-information', { skus: [sku] })).body).toEqual([
      { ...row, price_from: from },
      { ...row, store_id: 2, price_from: from },
    ]);

    const other = { ...row, price: 41, price_from: from };
    const notFound = {
      message:
        'The requested price is not found. Row ID: SKU = %SKU, Store ID: %storeId, Price From: %priceFrom, Price ' +
        'To: %priceTo.',
      parameters: [sku, '1', from, '2026-12-24 00:00:00'],
    };
    expect((await call('special-price-delete', { prices: [other] })).body).toEqual([notFound]);
    const same = { ...row, price_from: from };
    expect((await call('special-price-delete', { prices: [same] })).body).toEqual([]);
    expect((await call('special-price-delete', { prices: [same] })).body).toEqual([notFound]);
    expect((await call('special-price-information', { skus: [sku] })).body).toEqual([]);
  });

  test('a special price begins on the day of the website where it is earliest, so that it holds at once', async () => {
    const zone = (name: string) => change('website', { website_id: 1 }, { time_zone: name });
    const sku = await aProduct();
    await zone('America/Los_Angeles');
    await call('special-price', { prices: [{ sku, price: 40, store_id: 1 }] });
    await zone('UTC');
    expect((await call('special-price-information', { skus: [sku] })).body[0].price_from).toBe('2026-11-22 00:00:00');
  });

  test('a website cannot take away the special price that holds everywhere', async () => {
    const sku = await aProduct();
    const row = { sku, price: 40, store_id: 0, price_from: '2026-11-01 00:00:00' };
    await call('special-price', { prices: [row] });
    expect((await call('special-price-delete', { prices: [{ ...row, store_id: 1 }] })).body).toHaveLength(1);
    expect((await call('special-price-information', { skus: [sku] })).body).toMatchObject([row]);
  });

  test.each([
    ['a price below zero', { price: -1 }, 'Invalid attribute Price = %price.'],
    ['no price', { price: undefined }, 'Invalid attribute Price = %price.'],
    ['no day', { price_from: 'tomorrow' }, 'Invalid attribute Price From = %priceFrom.'],
    ['30 February', { price_from: '2030-02-30' }, 'Invalid attribute Price From = %priceFrom.'],
    ['an hour that no day has', { price_to: '2030-02-01 25:00:00' }, 'Invalid attribute Price To = %priceTo.'],
    ['a day that no month has', { price_to: '2026-13-40 00:00:00' }, 'Invalid attribute Price To = %priceTo.'],
    ['an unknown view', { store_id: 77 }, 'Requested store is not found.'],
  ])('a special price with %s is told and not saved', async (_what, more, message) => {
    const sku = await aProduct();
    const { body } = await call('special-price', { prices: [{ sku, price: 40, store_id: 0, ...more }] });
    expect(body).toEqual([{ message: expect.stringContaining(message), parameters: expect.any(Array) }]);
    expect((await call('special-price-information', { skus: [sku] })).body).toEqual([]);
  });

  test('a cost is saved, read and deleted; an unknown sku deletes none', async () => {
    const sku = await aProduct();
    expect((await call('cost', { prices: [{ sku, cost: 9.99, store_id: 0 }] })).body).toEqual([]);
    expect((await call('cost', { prices: [{ sku, cost: -1, store_id: 0 }] })).body).toMatchObject([
      { parameters: ['-1', sku, '0'] },
    ]);
    const unknown = {
      status: 404,
      body: { message: "Requested products don't exist: %sku", parameters: { sku: 'NONE' } },
    };
    expect(await call('cost-delete', { skus: [sku, 'NONE'] })).toMatchObject(unknown);
    expect(await call('cost-information', { skus: [sku, 'NONE'] })).toMatchObject(unknown);
    expect((await call('cost-information', { skus: [sku] })).body).toEqual([{ sku, cost: 9.99, store_id: 0 }]);
    for (const _again of [1, 2]) expect((await call('cost-delete', { skus: [sku] })).body).toBe(true);
    expect((await call('cost-information', { skus: [sku] })).body).toEqual([]);
  });

  test.each(['base-prices-information', 'special-price-information'])('%s of an unknown product is not found', (path) =>
    expectRefused({
      send: () => call(path, { skus: ['NO-SUCH'] }),
      status: 404,
      said: "Requested products don't exist: %sku",
    }),
  );
});
