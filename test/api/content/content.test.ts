import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPublishedByIdentifiers } from '../../../db/content/read-published.ts';
import { testApi, type Call, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let api: TestApi;
let bob: string;
let names = 0;

beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  bob = await api.adminTokenFor('Magento_Cms::page', 'Magento_Cms::save');
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const call = (method: string, path: string, body?: unknown, more: Call = {}) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }), ...more });
const aPage = (fields: object = {}) => ({
  identifier: `page-${++names}`,
  title: 'News',
  content: '<p>v1</p>',
  ...fields,
});
const newPage = async (fields: object = {}, path = '/V1/cmsPage') => {
  const { status, body } = await call('POST', path, { page: aPage(fields) });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const liveview = { extension_attributes: { liveview: true } };
const shown = async (identifier: string, storeId = 1) =>
  (await readPublishedByIdentifiers(api.orm.em, { kind: 'page', identifiers: [identifier], storeId }))[0];

test('a page is drafted, published, changed, rolled back, taken back and deleted', async () => {
  const { id, identifier } = await newPage({ ...liveview, meta_title: 'All the news', sort_order: 3 });
  expect(await shown(identifier)).toBeUndefined();

  const published = await call('POST', `/V1/cmsPage/${id}/publish`, {});
  expect(published.body).toMatchObject({
    sort_order: '3',
    active: true,
    extension_attributes: { revision: 2, version: 1, published_version: 1, store_id: 1 },
  });
  expect(await shown(identifier)).toMatchObject({ content: '<p>v1</p>', liveview: true, number: 1 });

  await call('PUT', `/V1/cmsPage/${id}`, { page: { content: '<p>v2</p>' } });
  expect(await shown(identifier)).toMatchObject({ content: '<p>v1</p>' });
  await call('POST', `/V1/cmsPage/${id}/publish`, {});
  expect(await shown(identifier)).toMatchObject({ content: '<p>v2</p>' });

  const back = await call('POST', `/V1/cmsPage/${id}/rollback`, { version: 1 });
  expect(back.body).toMatchObject({ content: '<p>v1</p>', extension_attributes: { version: 3, published_version: 2 } });
  const { body: versions } = await call('GET', `/V1/cmsPage/${id}/versions`);
  expect(versions).toMatchObject([{ version: 3, repeats: 1 }, { version: 2, author: 'test-admin' }, { version: 1 }]);
  const { body: second } = await call('GET', `/V1/cmsPage/${id}/versions/2`);
  expect(second).toMatchObject({ content: '<p>v2</p>', fields: { meta_title: 'All the news', sort_order: '3' } });

  await call('POST', `/V1/cmsPage/${id}/unpublish`, {});
  expect(await shown(identifier)).toBeUndefined();
  expect((await call('DELETE', `/V1/cmsPage/${id}`)).body).toBe(true);
  expect(await call('GET', `/V1/cmsPage/${id}`)).toMatchObject({
    status: 404,
    body: { message: `The CMS page with the "%1" ID doesn't exist.`, parameters: [id] },
  });
});

test('each verb twice is as each verb once', async () => {
  const { id } = await newPage();
  const verbs: [string, string, unknown?][] = [
    ['PUT', '', { page: { title: 'Other', active: false } }],
    ['POST', '/publish', {}],
    ['POST', '/rollback', { version: 1 }],
    ['POST', '/unpublish', {}],
  ];
  for (const [method, verb, body] of verbs) {
    const first = await call(method, `/V1/cmsPage/${id}${verb}`, body);
    const again = await eightAtOnce(() => call(method, `/V1/cmsPage/${id}${verb}`, body));
    expect(new Set(again.map((one) => JSON.stringify(one.body)))).toEqual(new Set([JSON.stringify(first.body)]));
  }
});

test('of eight that publish at once one is the change, and of eight new ones of one name one is there', async () => {
  const { id } = await newPage();
  const all = await eightAtOnce(() => call('POST', `/V1/cmsPage/${id}/publish`, {}));
  expect(all.map(({ body }) => body.extension_attributes.revision)).toEqual(Array(8).fill(2));

  const page = aPage();
  const made = await eightAtOnce(() => call('POST', '/V1/cmsPage', { page }));
  expect(Map.groupBy(made, ({ status }) => status).get(200)).toHaveLength(1);
  expect(made.find(({ status }) => status === 400)?.body).toEqual({
    message: 'Could not save the page: %1',
    parameters: ['URL key for specified store already exists.'],
  });
});

test('the second of two editors is refused, by header or by body, and nothing is lost', async () => {
  const { id } = await newPage();
  const read = await call('GET', `/V1/cmsPage/${id}`);
  const tag = read.headers.get('etag') ?? '';
  expect(tag).toBe('"1"');
  const first = await call('PUT', `/V1/cmsPage/${id}`, { page: { title: 'Mine' } }, { headers: { 'if-match': tag } });
  expect([first.status, first.headers.get('etag')]).toEqual([200, '"2"']);

  const late = { page: { title: 'Yours' } };
  const refused = await call('PUT', `/V1/cmsPage/${id}`, late, { headers: { 'if-match': tag }, token: bob });
  expect(refused).toMatchObject({
    status: 412,
    body: { parameters: { outcome: 'content_changed', revision: 2, changed_by: 'test-admin' } },
  });
  const whole = { page: { ...read.body, title: 'Yours' } };
  expect(await call('PUT', `/V1/cmsPage/${id}`, whole, { token: bob })).toMatchObject({ status: 409 });
  // An answer that was lost: the same change again is no stranger's.
  const repeat = await call('PUT', `/V1/cmsPage/${id}`, { page: { title: 'Mine' } }, { headers: { 'if-match': tag } });
  expect(repeat).toMatchObject({ status: 200, body: { title: 'Mine' } });
  for (const [verb, body] of [
    ['publish', {}],
    ['rollback', { version: 1 }],
  ] as const)
    expect((await call('POST', `/V1/cmsPage/${id}/${verb}`, { ...body, revision: 1 })).status).toBe(409);
  expect((await call('DELETE', `/V1/cmsPage/${id}`, undefined, { headers: { 'if-match': tag } })).status).toBe(412);
  expect((await call('GET', `/V1/cmsPage/${id}`)).body).toMatchObject({ title: 'Mine' });
});

test('eight editors who expect nothing leave eight versions', async () => {
  const { id } = await newPage();
  await eightAtOnce((at) => call('PUT', `/V1/cmsPage/${id}`, { page: { content: `<p>${at}</p>` } }));
  const { body } = await call('GET', `/V1/cmsPage/${id}/versions`);
  expect(body.map(({ version }: { version: number }) => version)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test('a view has its own page before that of all views', async () => {
  const identifier = `views-${++names}`;
  const everywhere = await newPage({ ...liveview, identifier, content: 'all' }, '/rest/all/V1/cmsPage');
  const canadian = await newPage({ ...liveview, identifier, content: 'ca' }, '/rest/ca/V1/cmsPage');
  for (const { id } of [everywhere, canadian]) await call('POST', `/V1/cmsPage/${id}/publish`, {});

  expect(await shown(identifier, 1)).toMatchObject({ content: 'all', storeId: 0 });
  expect(await shown(identifier, 2)).toMatchObject({ content: 'ca', storeId: 2 });
  await call('PUT', `/V1/cmsPage/${canadian.id}`, { page: { active: false } });
  expect(await shown(identifier, 2)).toMatchObject({ content: 'all' });
});

test('without liveview its texts are empty, and a draft looks like an unknown name', async () => {
  const { id, identifier } = await newPage({ content: 'canary', extension_attributes: { css: 'canary {}' } });
  await call('POST', `/V1/cmsPage/${id}/publish`, {});
  expect(await shown(identifier)).toMatchObject({ content: '', html: '', css: '', title: 'News' });
  await call('PUT', `/V1/cmsPage/${id}`, { page: liveview });
  expect(await shown(identifier)).toMatchObject({ content: 'canary' });
  await call('PUT', `/V1/cmsPage/${id}`, { page: { active: false } });
  expect(await shown(identifier)).toBeUndefined();
});

test('only an administrator’s token opens it, and a role without the resource does not', async () => {
  const integration = await api.tokenFor('Platform_Cms::page', 'Platform_Backend::all');
  const denied = { status: 401, body: { parameters: { resources: 'Platform_Cms::page' } } };
  expect(await call('GET', '/V1/cmsPage/1', undefined, { token: integration })).toMatchObject(denied);
  expect((await call('GET', '/V1/cmsPage/999999', undefined, { token: bob })).status).toBe(404);
  expect((await call('GET', '/V1/cmsBlock/999999', undefined, { token: bob })).status).toBe(401);
  expect((await call('POST', '/V1/vendorCms/snippet', '{', { token: bob })).status).toBe(401);
});

test.each([
  [
    { identifier: 'News' },
    "The page URL key can't use capital letters or disallowed symbols. Remove the letters and symbols and try again.",
  ],
  [{ identifier: '123' }, "The page URL key can't use only numbers. Add letters or symbols and try again."],
])('a page cannot be called %j', async (wrong, why) => {
  expect(await call('POST', '/V1/cmsPage', { page: aPage(wrong) })).toMatchObject({
    status: 400,
    body: { message: 'Could not save the page: %1', parameters: [why] },
  });
});

test.each([
  ['/V1/cmsPage', { page: { identifier: 'x' } }],
  ['/V1/cmsPage', { page: { title: 'x' } }],
  ['/V1/cmsPage', { page: { identifier: 'x', title: 'x', nonsense: 1 } }],
  ['/V1/cmsPage', { page: { identifier: 'x'.repeat(101), title: 'x' } }],
  ['/V1/cmsPage', {}],
  ['/V1/vendorCms/productAttribute', { productAttribute: { attribute_code: 'description', title: 'x' } }],
])('%s refuses %j', async (path, body) => {
  expect((await call('POST', path, body)).status).toBe(400);
});

test('a POST with an id changes that one, and the id of the path beats the body’s', async () => {
  const one = await newPage();
  const other = await newPage();
  const posted = await call('POST', '/V1/cmsPage', { page: { id: one.id, title: 'Posted' } });
  expect(posted.body).toMatchObject({ id: one.id, identifier: one.identifier, title: 'Posted' });
  await call('PUT', `/V1/cmsPage/${one.id}`, { page: { id: other.id, title: 'Put' } });
  expect((await call('GET', `/V1/cmsPage/${other.id}`)).body.title).toBe('News');
});
