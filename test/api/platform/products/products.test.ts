import { beforeAll, describe, expect, test } from '@jest/globals';
import { FixedProductTax } from '../../../../db/platform/catalog/product.entity.ts';
import { money } from '../../../../domain/money.ts';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { booksOf } from '../../../support/books.ts';
import { aPostedLine, aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { useApi } from '../../../support/fixtures.ts';
import { aJpeg, aPng, aToldPng } from '../../../support/pictures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('product media', () => {
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });

  const content = (file = aPng(), type = 'image/png', name = 'Mug Blue.png') => ({
    base64_encoded_data: file.toString('base64'),
    type,
    name,
  });
  const entry = (more: object = {}) => ({
    entry: { media_type: 'image', label: 'Front', position: 1, disabled: false, content: content(), ...more },
  });

  let made = 0;
  /** A product of its own, by its sku. */
  async function aProduct(more: object = {}): Promise<string> {
    const sku = `PICTURED-${++made}`;
    const { status } = await call('POST', '/V1/products', { product: { sku, name: sku, price: 1, ...more } });
    expect(status).toBe(200);
    return sku;
  }
  const attributesOf = async (sku: string, view = 'all') => {
    const { body } = await call('GET', `/rest/${view}/V1/products/${sku}`);
    const rows: { attribute_code: string; value: unknown }[] = body.custom_attributes;
    return Object.fromEntries(rows.map(({ attribute_code: code, value }) => [code, value]));
  };
  const picture = (file: string) => fetch(`${api.url}/media/catalog/product${file}`);

  test('the first picture is shown as everything, and its address serves it', async () => {
    const sku = await aProduct();
    const { status, body: id } = await call('POST', `/V1/products/${sku}/media`, entry());
    expect([status, typeof id]).toEqual([200, 'number']);

    const { body: read } = await call('GET', `/V1/products/${sku}/media/${id}`);
    expect(read).toEqual({
      ...{ id, media_type: 'image', label: 'Front', position: 1, disabled: false },
      types: ['image', 'small_image', 'thumbnail', 'swatch_image'],
      file: expect.stringMatching(/^\/M\/u\/Mug_Blue(_\d+)?\.png$/),
    });
    expect((await call('GET', `/V1/products/${sku}/media`)).body).toEqual([read]);
    expect((await call('GET', `/V1/products/${sku}`)).body.media_gallery_entries).toEqual([read]);
    expect(await attributesOf(sku)).toMatchObject({ image: read.file, thumbnail: read.file });

    const served = await picture(read.file);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(
      Buffer.from(await served.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  test('a picture keeps its name where that is free; a deleted one frees it, and browsers ask again', async () => {
    const [one, other] = [await aProduct(), await aProduct()];
    const add = async (sku: string, name: string) => {
      const added = entry({ content: content(aPng(), 'image/png', name) });
      const { body: id } = await call('POST', `/rest/all/V1/products/${sku}/media`, added);
      return (await call('GET', `/V1/products/${sku}/media/${id}`)).body;
    };
    const first = await add(one, 'Front Page-2.PNG');
    expect(first.file).toBe('/F/r/Front_Page-2.PNG');
    expect((await add(other, 'Front Page-2.PNG')).file).toBe('/F/r/Front_Page-2_1.PNG');
    expect((await add(other, 'Front Page-2.gif')).file).toBe('/F/r/Front_Page-2.png');
    const skus = await Promise.all(Array.from({ length: 12 }, () => aProduct()));
    const many: string[] = await Promise.all(skus.map(async (sku) => (await add(sku, 'many.png')).file));
    expect(new Set(many).size).toBe(12);
    expect(many.filter((file) => /^\/m\/a\/many(_[1-9])?\.png$/.test(file))).toHaveLength(10);

    const tag = (await picture(first.file)).headers.get('etag') ?? '';
    const again = () => fetch(`${api.url}/media/catalog/product${first.file}`, { headers: { 'if-none-match': tag } });
    expect((await again()).status).toBe(304);
    expect((await call('DELETE', `/rest/all/V1/products/${one}/media/${first.id}`)).status).toBe(200);
    expect((await again()).status).toBe(404);
    expect((await add(one, 'Front Page-2.PNG')).file).toBe(first.file);
    expect((await again()).status).toBe(200);
  });

  test('a change keeps what it does not name; a new picture is a new file', async () => {
    const sku = await aProduct();
    const { body: id } = await call('POST', `/V1/products/${sku}/media`, entry());
    const { body: before } = await call('GET', `/V1/products/${sku}/media/${id}`);

    expect(await call('PUT', `/V1/products/${sku}/media/${id}`, { entry: { label: 'Side' } })).toMatchObject({
      body: true,
    });
    const { body: renamed } = await call('GET', `/V1/products/${sku}/media/${id}`);
    expect(renamed).toEqual({ ...before, label: 'Side' });

    const photo = content(await aJpeg(), 'image/jpeg', 'side.jpg');
    await call('PUT', `/rest/all/V1/products/${sku}/media/${id}`, {
      entry: { id, types: ['image'], content: photo },
    });
    const { body: after } = await call('GET', `/V1/products/${sku}/media/${id}`);
    expect(after).toMatchObject({ id, types: ['image'], file: expect.stringMatching(/^\/s\/i\/side(_\d+)?\.jpg$/) });
    expect([(await picture(before.file)).status, (await picture(after.file)).status]).toEqual([404, 200]);
    expect(await attributesOf(sku)).not.toHaveProperty('thumbnail');
  });

  test('a store view has a label and a place of its own, and may show no picture', async () => {
    const sku = await aProduct();
    const { body: id } = await call('POST', `/rest/all/V1/products/${sku}/media`, entry());
    const own = { label: 'Devant', position: 5, types: ['image'] };
    await call('PUT', `/rest/ca/V1/products/${sku}/media/${id}`, { entry: own });

    const read = async (view: string) => (await call('GET', `/rest/${view}/V1/products/${sku}/media/${id}`)).body;
    expect(await read('ca')).toMatchObject(own);
    expect(await read('default')).toMatchObject({
      label: 'Front',
      position: 1,
      types: expect.arrayContaining(['thumbnail']),
    });
    expect(await attributesOf(sku, 'ca')).toMatchObject({ thumbnail: 'no_selection' });
  });

  test('a deleted picture is gone, from the attributes too, and a repeat does not find it', async () => {
    const sku = await aProduct();
    const { body: id } = await call('POST', `/V1/products/${sku}/media`, entry());
    const { body: read } = await call('GET', `/V1/products/${sku}/media/${id}`);

    expect(await call('DELETE', `/rest/all/V1/products/${sku}/media/${id}`)).toMatchObject({ status: 200, body: true });

    const gone = {
      status: 404,
      body: { message: 'No image with the provided ID was found. Verify the ID and try again.' },
    };
    expect(await call('DELETE', `/V1/products/${sku}/media/${id}`)).toMatchObject(gone);
    expect(await call('PUT', `/V1/products/${sku}/media/${id}`, { entry: { label: 'x' } })).toMatchObject(gone);
    expect(await call('GET', `/V1/products/${sku}/media/${id}`)).toMatchObject({
      status: 404,
      body: { message: "The image doesn't exist. Verify and try again." },
    });
    expect((await picture(read.file)).status).toBe(404);
    expect(await attributesOf(sku)).not.toHaveProperty('image');
  });

  test('eight pictures sent at once are eight; eight deletions of one are one', async () => {
    const sku = await aProduct();
    const added = await eightAtOnce(() => call('POST', `/V1/products/${sku}/media`, entry()));
    expect(new Set(added.map(({ body }) => body)).size).toBe(8);
    expect((await call('GET', `/V1/products/${sku}/media`)).body).toHaveLength(8);

    const id = added[0]!.body;
    const gone = await eightAtOnce(() => call('DELETE', `/rest/all/V1/products/${sku}/media/${id}`));
    expect(gone.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await call('GET', `/V1/products/${sku}/media`)).body).toHaveLength(7);
  });

  test('one call has at most ten new pictures, and draws no more than one of the largest; nothing else is changed then', async () => {
    const sku = await aProduct();
    const gallery = (entries: unknown[]) =>
      call('PUT', `/V1/products/${sku}`, { product: { price: 7, media_gallery_entries: entries } });
    const many = await gallery(Array.from({ length: 11 }, () => entry().entry));
    expect(many).toMatchObject({ status: 400, body: { parameters: { type: 'newPicture', max: 10 } } });
    const largest = aToldPng([[2_000, 2_000]], Buffer.alloc(2_000 * 8_001));
    const large = entry({ content: content(largest) }).entry;
    expect(await gallery([entry().entry, large])).toMatchObject({
      status: 400,
      body: { message: 'The PNG pictures of one call have too many pixels. Send them one by one.' },
    });
    const { body: product } = await call('GET', `/V1/products/${sku}`);
    expect(product.media_gallery_entries).toEqual([]);
    expect(product.price).not.toBe(7);
    expect((await gallery(Array.from({ length: 10 }, () => entry().entry))).status).toBe(200);
  });

  test('a product is created with pictures, sent back as it was read, and loses those that are left out', async () => {
    const two = [entry({ label: 'One', types: ['image'] }).entry, entry({ label: 'Two', position: 2 }).entry];
    const sku = await aProduct({ media_gallery_entries: two });
    const { body: product } = await call('GET', `/V1/products/${sku}`);
    expect(product.media_gallery_entries).toMatchObject([
      { label: 'One', types: ['image'] },
      { label: 'Two', types: [] },
    ]);

    const { body: same } = await call('PUT', `/V1/products/${sku}`, { product });
    expect(same.media_gallery_entries).toEqual(product.media_gallery_entries);
    const [, second] = product.media_gallery_entries;
    const { body: less } = await call('PUT', `/V1/products/${sku}`, { product: { media_gallery_entries: [second] } });
    expect(less.media_gallery_entries).toEqual([second]);
    const { body: kept } = await call('PUT', `/V1/products/${sku}`, { product: { price: 2 } });
    expect(kept.media_gallery_entries).toEqual([second]);
    expect((await call('PUT', `/V1/products/${sku}`, { product: { media_gallery_entries: [] } })).body).toMatchObject({
      media_gallery_entries: [],
    });
    expect((await picture(second.file)).status).toBe(404);
  });

  test('the pictures of a deleted product are gone', async () => {
    const sku = await aProduct({ media_gallery_entries: [entry().entry] });
    const [{ file }] = (await call('GET', `/V1/products/${sku}/media`)).body;
    await call('DELETE', `/V1/products/${sku}`);
    expect((await picture(file)).status).toBe(404);
  });

  test.each([
    ['no content', { content: null }, 'The image content is invalid. Verify the content and try again.'],
    [
      'no base64',
      { content: { ...content(), base64_encoded_data: '%%%' } },
      'The image content must be valid base64 encoded data.',
    ],
    [
      'no picture',
      { content: content(Buffer.from('not_an_image')) },
      'The image content must be valid base64 encoded data.',
    ],
    ['another kind', { content: content(aPng(), 'image/jpeg') }, 'The image MIME type is not valid or not supported.'],
    [
      'a name that leads away',
      { content: content(aPng(), 'image/png', '../x.png') },
      'Provided image name contains forbidden characters.',
    ],
  ])('%s is refused, and the product has no picture', async (_what, more, message) => {
    const sku = await aProduct();
    expect(await call('POST', `/V1/products/${sku}/media`, entry(more))).toMatchObject({
      status: 400,
      body: { message },
    });
    expect((await call('GET', `/V1/products/${sku}/media`)).body).toEqual([]);
  });

  test('what is larger than a picture may be is refused before it is read', async () => {
    const sku = await aProduct();
    const huge = { entry: { content: { ...content(), base64_encoded_data: 'A'.repeat(5_000_000) } } };
    expect(await call('POST', `/V1/products/${sku}/media`, huge)).toMatchObject({ status: 413 });
  });

  test('an unknown product has no pictures', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/1'],
      ['PUT', '/1'],
      ['DELETE', '/1'],
    ] as const)
      expect(
        await call(
          method,
          `/V1/products/NOTHING/media${path}`,
          method === 'GET' || method === 'DELETE' ? undefined : entry(),
        ),
      ).toMatchObject({
        status: 404,
        body: { message: "The product that was requested doesn't exist. Verify the product and try again." },
      });
  });
});

describe('products', () => {
  const api = useApi();
  let lamps: string;

  beforeAll(async () => {
    const em = api.orm.em.fork();
    const { mug } = await aShop(em);
    em.create(FixedProductTax, {
      productId: mug.entityId,
      attributeCode: 'eco_fee',
      countryId: 'US',
      value: money('2.50'),
    });
    await em.flush();
    await ownAttributes(api, { barcode: 'text', eco_fee: 'weee' });
    const category = { name: 'Lamps', is_active: true };
    const { body } = await api.call('POST', '/V1/categories', { token: api.tokens.admin, body: { category } });
    lamps = String(body.id);
  });

  const get = (path: string) => api.call('GET', path, { token: api.tokens.register });
  const post = (path: string, body: unknown) => api.call('POST', path, { token: api.tokens.register, body });
  const put = (path: string, body: unknown) => api.call('PUT', path, { token: api.tokens.register, body });

  test('a product is read with its stock item and its fixed taxes', async () => {
    const { status, body } = await get('/V1/products/MUG');

    expect(status).toBe(200);
    expect(body).toMatchObject({ sku: 'MUG', name: 'Mug', price: 50, status: 1, visibility: 4, type_id: 'simple' });
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(body).not.toHaveProperty('weight');
    expect(body.extension_attributes).toMatchObject({
      website_ids: [1],
      stock_item: { item_id: body.id, qty: 100, is_in_stock: true, manage_stock: true, backorders: 0 },
    });
    expect(body.custom_attributes).toEqual([
      { attribute_code: 'tax_class_id', value: '2' },
      {
        attribute_code: 'eco_fee',
        value: [{ website_id: '0', country: 'US', state: '0', value: '2.5000', website_value: 2.5 }],
      },
    ]);
    expect(body).toMatchObject({ product_links: [], options: [], tier_prices: [], media_gallery_entries: [] });
  });

  test('an unknown product is not found', async () => {
    expect(await get('/V1/products/NONE')).toMatchObject({
      status: 404,
      body: { message: "The product that was requested doesn't exist. Verify the product and try again." },
    });
  });

  test('a sku with a slash and a blank is found by its encoded path', async () => {
    await post('/V1/products', { product: { sku: 'A/B C', name: 'Odd', price: 1 } });

    expect(await get('/V1/products/A%2FB%20C')).toMatchObject({ status: 200, body: { sku: 'A/B C' } });
  });

  test('a new product keeps what is posted, in either spelling, and is sold on the website of the call', async () => {
    const { status, body } = await post('/V1/products', {
      product: {
        sku: 'LAMP',
        name: 'Lamp',
        price: '19.9000',
        typeId: 'simple',
        attribute_set_id: 4,
        weight: 1.5,
        tier_prices: [
          { customer_group_id: 32000, qty: 5, value: 18.5 },
          { customerGroupId: 2, qty: 1, extensionAttributes: { percentageValue: 10, websiteId: 1 } },
        ],
        extension_attributes: {
          category_links: [{ position: 0, category_id: lamps }],
          stock_item: { qty: 12, is_in_stock: true },
        },
        custom_attributes: [
          { attribute_code: 'barcode', value: '4006381333931' },
          { attribute_code: 'tax_class_id', value: '0' },
          { attribute_code: 'eco_fee', value: [{ website_id: 0, country: 'DE', state: 0, value: 0.15 }] },
        ],
      },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ sku: 'LAMP', price: 19.9, weight: 1.5 });
    expect(body.extension_attributes).toMatchObject({
      website_ids: [1],
      category_links: [{ position: 0, category_id: lamps }],
      stock_item: { qty: 12, is_in_stock: true },
    });
    expect(body.tier_prices).toEqual([
      { customer_group_id: 32000, qty: 5, value: 18.5, extension_attributes: { website_id: 0 } },
      {
        customer_group_id: 2,
        qty: 1,
        value: 17.91,
        extension_attributes: { website_id: 1, percentage_value: 10 },
      },
    ]);
    expect(body.custom_attributes).toEqual(
      expect.arrayContaining([
        { attribute_code: 'tax_class_id', value: '0' },
        { attribute_code: 'barcode', value: '4006381333931' },
        { attribute_code: 'category_ids', value: [lamps] },
        {
          attribute_code: 'eco_fee',
          value: [{ website_id: '0', country: 'DE', state: '0', value: '0.1500', website_value: 0.15 }],
        },
      ]),
    );
  });

  test('a change keeps absent fields, and the path names the product', async () => {
    await post('/V1/products', {
      product: {
        sku: 'VASE',
        name: 'Vase',
        price: 30,
        custom_attributes: [
          { attribute_code: 'barcode', value: '1' },
          { attribute_code: 'color', value: '4' },
        ],
      },
    });

    const change = {
      product: { sku: 'OTHER', price: 31, custom_attributes: [{ attribute_code: 'color', value: null }] },
    };
    const { body } = await put('/V1/products/VASE', change);
    const again = await put('/V1/products/VASE', change);

    expect(body).toMatchObject({ sku: 'VASE', name: 'Vase', price: 31 });
    expect(body.custom_attributes).toEqual([
      { attribute_code: 'tax_class_id', value: '2' },
      { attribute_code: 'barcode', value: '1' },
    ]);
    expect({ ...again.body, updated_at: '' }).toEqual({ ...body, updated_at: '' });
    expect(await get('/V1/products/OTHER')).toMatchObject({ status: 404 });
  });

  test('what was read can be sent back and changes nothing', async () => {
    const { body: before } = await get('/V1/products/LAMP');

    const { status, body: after } = await put('/V1/products/LAMP', { product: before });

    expect(status).toBe(200);
    expect({ ...after, updated_at: '' }).toEqual({ ...before, updated_at: '' });
  });

  test('eight registers that create one product at once make one', async () => {
    const answers = await eightAtOnce(() => post('/V1/products', { product: { sku: 'ONCE', name: 'Once', price: 1 } }));

    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });

  test.each([
    [{ name: 'No sku', price: 1 }, '"%fieldName" is required. Enter and try again.', { fieldName: 'sku' }],
    [{ sku: 'X1', price: 1 }, 'The "%1" attribute value is empty. Set the attribute and try again.', ['Product Name']],
    [{ sku: 'X1', name: 'X' }, 'The "%1" attribute value is empty. Set the attribute and try again.', ['Price']],
    [
      { sku: 'X1', name: 'X', price: -1 },
      'Invalid value of "%value" provided for the %fieldName field.',
      { fieldName: 'price', value: '-1' },
    ],
    [
      { sku: 'X1', name: 'X', price: 1, extension_attributes: { website_ids: [99] } },
      'Invalid value of "%value" provided for the %fieldName field.',
      { fieldName: 'websiteIds', value: '99' },
    ],
  ])('a product %j is refused', async (product, message, parameters) => {
    expect(await post('/V1/products', { product })).toMatchObject({ status: 400, body: { message, parameters } });
  });

  test.each(['99', 'abc', '0', '99999999999'])(
    'a category %s that is not there is refused, and nothing changes',
    async (id) => {
      const before = (await get('/V1/products/MUG')).body;
      const links = [lamps, id].map((category_id) => ({ position: 1, category_id }));
      const attribute = { attribute_code: 'category_ids', value: [lamps, id] };
      for (const [fieldName, more] of [
        ['category_links', { extension_attributes: { category_links: links } }],
        ['category_ids', { custom_attributes: [attribute] }],
      ] as const)
        expect(await put('/V1/products/MUG', { product: more })).toMatchObject({
          status: 400,
          body: { parameters: { fieldName, value: id } },
        });
      expect((await get('/V1/products/MUG')).body).toEqual(before);
    },
  );

  test('a price that is not a number is refused in the platform’s words', async () => {
    const { status, body } = await post('/V1/products', { product: { sku: 'X1', name: 'X', price: 'cheap' } });

    expect(status).toBe(400);
    expect(body.message).toBe(
      'Error occurred during "price" processing. The "cheap" value\'s type is invalid. The "float" type was ' +
        'expected. Verify and try again.',
    );
  });

  test('a stock item is read and set by the sku', async () => {
    const { body } = await get('/V1/stockItems/PLATE');
    expect(body).toMatchObject({
      product_id: body.item_id,
      stock_id: 1,
      qty: 100,
      is_in_stock: true,
      manage_stock: true,
    });

    const change = { stockItem: { qty: 7.5, is_in_stock: true, min_qty: 2, backorders: 1 } };
    expect(await put(`/V1/products/PLATE/stockItems/${body.item_id}`, change)).toMatchObject({ body: body.item_id });

    expect((await get('/V1/stockItems/PLATE')).body).toMatchObject({ qty: 7.5, min_qty: 2, backorders: 1 });
  });

  test('the stock of an unknown product is not found, and nothing may lie below zero', async () => {
    expect(await get('/V1/stockItems/NONE')).toMatchObject({
      status: 404,
      body: { message: `The Product with the "%1" SKU doesn't exist.`, parameters: ['NONE'] },
    });
    for (const qty of [-0.5, '-0.5'])
      expect(await put('/V1/products/PLATE/stockItems/1', { stockItem: { qty } })).toMatchObject({
        status: 400,
        body: { parameters: { fieldName: 'qty', value: -0.5 } },
      });
  });

  test('a caller without the resource is refused', async () => {
    expect(await api.call('GET', '/V1/products/MUG', { token: api.tokens.nothing })).toMatchObject({
      status: 401,
      body: { parameters: { resources: 'Platform_Catalog::products' } },
    });
  });
});

describe('skus in any letters', () => {
  const api = useApi();
  beforeAll(async () => {
    await aShop(fork());
    await post('/V1/products', { product: { sku: stored, name: 'Café cup', price: 12 } });
  });

  const { fork, find, findOne, howMany } = booksOf(() => api.orm);
  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
  const get = async (path: string) => (await call('GET', path)).body;
  const post = (path: string, body: object) => call('POST', path, body);

  /** As it was first saved: its last letter is one sign. */
  const stored = 'Caf\u00E9-\u03A3';
  /** The same product, in other letters: small, capital, put together of two signs. */
  const letters = ['caf\u00E9-\u03C3', 'CAF\u00C9-\u03A3', 'cafe\u0301-\u03C3', 'CAFE\u0301-\u03A3'];
  const inPath = (sku: string) => encodeURIComponent(sku);

  test.each(letters)('a product is read, stocked and changed as %s, and answered as it is stored', async (sku) => {
    const path = `/V1/products/${inPath(sku)}`;
    expect(await get(path)).toMatchObject({ sku: stored, name: 'Café cup' });
    expect((await call('PUT', path, { product: { price: 13 } })).body).toMatchObject({ sku: stored, price: 13 });
    expect((await post('/V1/products', { product: { sku, price: 14 } })).body).toMatchObject({
      sku: stored,
      price: 14,
    });
    const sourceItems = [{ sku, source_code: 'floor', quantity: 7, status: 1 }];
    expect((await post('/V1/inventory/source-items', { sourceItems })).status).toBe(200);
    expect(await find('inventory_source_item', { sku: stored }, 'quantity')).toEqual([{ quantity: '7.0000' }]);
    expect((await get(`/V1/stockItems/${inPath(sku)}`)).qty).toBe(7);
    expect((await get(`/V1/stockStatuses/${inPath(sku)}`)).qty).toBe(7);
    expect(await get(`/V1/inventory/get-product-salable-quantity/${inPath(sku)}/1`)).toBe(7);
    const asked = `skus[0]=${inPath(sku)}&skus[1]=NONE&stockId=1`;
    expect(await get(`/V1/inventory/are-products-salable?${asked}`)).toEqual([
      { sku: stored, stock_id: 1, salable: true },
      { sku: 'NONE', stock_id: 1, salable: false },
    ]);
    const filter = `searchCriteria[filter_groups][0][filters][0][field]=sku&searchCriteria[filter_groups][0][filters][0][value]=${inPath(sku)}`;
    expect((await get(`/V1/products?${filter}`)).items).toMatchObject([{ sku: stored }]);
    expect(await howMany('product', { name: 'Café cup' })).toBe(1);
  });

  test('prices of many products are those of the stored ones', async () => {
    const [small = '', large = ''] = letters;
    const place = { store_id: 0, price_from: '2030-01-01 00:00:00' };
    expect((await post('/V1/products/base-prices', { prices: [{ sku: small, store_id: 0, price: 15 }] })).body).toEqual(
      [],
    );
    expect((await post('/V1/products/special-price', { prices: [{ ...place, sku: large, price: 9 }] })).body).toEqual(
      [],
    );
    const tier = {
      sku: small,
      website_id: 0,
      customer_group: 'ALL GROUPS',
      quantity: 3,
      price: 8,
      price_type: 'fixed',
    };
    expect((await post('/V1/products/tier-prices', { prices: [tier] })).body).toEqual([]);
    const skus = [large];
    expect((await post('/V1/products/base-prices-information', { skus })).body).toMatchObject([
      { sku: stored, price: 15 },
    ]);
    expect((await post('/V1/products/special-price-information', { skus })).body).toMatchObject([{ sku: stored }]);
    expect((await post('/V1/products/tier-prices-information', { skus })).body).toMatchObject([
      { sku: stored, price: 8 },
    ]);
  });

  test('links, options and websites know a product in any letters', async () => {
    const [small = ''] = letters;
    const items = [{ link_type: 'related', linked_product_sku: 'mug', position: 1 }];
    expect((await post(`/V1/products/${inPath(small)}/links`, { items })).status).toBe(200);
    expect(await get(`/V1/products/${inPath(small)}/links/related`)).toMatchObject([
      { sku: stored, linked_product_sku: 'MUG' },
    ]);
    expect((await call('DELETE', `/V1/products/${inPath(small)}/links/related/Mug`)).body).toBe(true);
    const option = {
      product_sku: small,
      title: 'Name',
      type: 'field',
      is_require: false,
      price: 1,
      price_type: 'fixed',
    };
    expect((await post('/V1/products/options', { option })).body).toMatchObject({ product_sku: stored });
    expect(await get(`/V1/products/${inPath(small)}/options`)).toMatchObject([{ product_sku: stored }]);
  });

  test('a sale names the stored product, and its stock is promised and leaves the shelf', async () => {
    const item = { ...aPostedLine(), sku: 'mug', qty_ordered: 2 };
    const { body: order } = await post('/V1/orders', {
      entity: aPostedSale({ items: [item], customer_id: undefined }),
    });
    expect(order.items).toMatchObject([{ sku: 'MUG' }]);
    expect(await findOne('inventory_reservation', { order_id: order.entity_id }, 'sku', 'quantity')).toEqual({
      sku: 'MUG',
      quantity: '-2.0000',
    });
    const [line] = order.items;
    const again = { entity: { entity_id: order.entity_id, items: [{ item_id: line.item_id, sku: 'Mug' }] } };
    expect((await post('/V1/orders', again)).body.items).toMatchObject([{ sku: 'MUG' }]);
    expect((await post(`/V1/order/${order.entity_id}/ship`, {})).status).toBe(200);
    expect(await findOne('inventory_source_item', { sku: 'MUG' }, 'quantity')).toEqual({ quantity: '98.0000' });
  });

  test('eight registers that write a new SKU in other letters at once make one product', async () => {
    const writings = ['Tea', 'TEA', 'tea', 'tEa', 'TeA', 'tEA', 'TEa', 'teA'];
    let at = 0;
    const answers = await eightAtOnce(() =>
      post('/V1/products', { product: { sku: writings[at++ % 8], name: 'Tea', price: 3 } }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.sku)).size).toBe(1);
    expect(await howMany('product', { name: 'Tea' })).toBe(1);
  });

  test('the product is deleted in any letters, with its stock', async () => {
    await post('/V1/products', { product: { sku: 'Gone', name: 'Gone', price: 3 } });
    await post('/V1/inventory/source-items', {
      sourceItems: [{ sku: 'GONE', source_code: 'floor', quantity: 1, status: 1 }],
    });
    expect((await call('DELETE', '/V1/products/gONE')).body).toBe(true);
    expect(await find('inventory_source_item', { sku: 'Gone' })).toEqual([]);
  });
});
