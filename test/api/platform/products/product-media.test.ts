import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aJpeg, aPng, aToldPng } from '../../../support/pictures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

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
    file: expect.stringMatching(/^\/m\/u\/mug_blue_\d+_[0-9a-f]{8}\.png$/),
  });
  expect((await call('GET', `/V1/products/${sku}/media`)).body).toEqual([read]);
  expect((await call('GET', `/V1/products/${sku}`)).body.media_gallery_entries).toEqual([read]);
  expect(await attributesOf(sku)).toMatchObject({ image: read.file, thumbnail: read.file });

  const served = await picture(read.file);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(
    Buffer.from(await served.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
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

  const photo = content(aJpeg(), 'image/jpeg', 'side.jpg');
  await call('PUT', `/rest/all/V1/products/${sku}/media/${id}`, {
    entry: { id, types: ['image'], content: photo },
  });
  const { body: after } = await call('GET', `/V1/products/${sku}/media/${id}`);
  expect(after).toMatchObject({ id, types: ['image'], file: expect.stringMatching(/^\/s\/i\/side_.*\.jpg$/) });
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
