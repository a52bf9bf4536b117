import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { aJpeg, aPng } from '../../../support/pictures.ts';

let api: TestApi;
const media = '/V1/products/PICTURED/media';
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  const product = { sku: 'PICTURED', name: 'Pictured', price: 1, media_gallery_entries: [entryOf(aPng())] };
  expect((await call('POST', '/V1/products', { product })).status).toBe(200);
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, body });
const entryOf = (file: Buffer | string, type = 'image/png', name = 'mug.png') => ({
  ...{ media_type: 'image', label: 'Front', position: 1, disabled: false },
  content: { base64_encoded_data: typeof file === 'string' ? file : file.toString('base64'), type, name },
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
    entry: () => entryOf(aJpeg(6_001, 1), 'image/jpeg', 'wide.jpg'),
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
