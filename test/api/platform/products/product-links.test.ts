import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
let token: string;
let sku: string;
let lamp: string;
let cup: string;
let goods = 0;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  token = await api.tokenFor('Platform_Catalog::catalog', 'Platform_Catalog::products');
});
afterAll(() => api.close());

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
