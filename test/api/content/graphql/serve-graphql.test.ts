import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverAudits } from 'graphql-http';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { withoutTable } from '../../../support/books/without-table.ts';
import { draftContent, publishedContent } from '../../../support/builders/published-content.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { testDatabaseUrl } from '../../../support/database.ts';

let api: TestApi;
let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await testDatabaseUrl();
  api = await testApi({ databaseUrl, routes: [], expectsFaults: true });
  const em = fork();
  await aShop(em);
  await publishedContent(em, { identifier: 'welcome', content: 'Welcome' });
  await draftContent(em, { identifier: 'secret', content: 'canary' });
});
afterAll(() => api.close());

const books = booksOf(() => api.orm);
const { fork, findOne, change, remove } = books;

const welcome = '{ vendorCmsBlock(identifier: "welcome") { html } }';
const answered = { data: { vendorCmsBlock: { html: 'Welcome' } } };
const pathOf = (query: string, more = '') => `/graphql?query=${encodeURIComponent(query)}${more}`;
const get = (query: string, headers: Record<string, string> = {}) => api.call('GET', pathOf(query), { headers });
const post = (body: unknown, headers: Record<string, string> = {}) => api.call('POST', '/graphql', { body, headers });

describe('GraphQL over HTTP, by the audit of its authors', () => {
  const audits = serverAudits({ url: () => `${api.url}/graphql` });
  test.each(audits.map(({ id, name, fn }) => ({ id, name, fn })))('$id $name', async ({ fn }) => {
    const { status, ...reason } = await fn();
    expect([status, reason]).toEqual(['ok', expect.anything()]);
  });
});

describe('one query from any caller', () => {
  test('by GET and POST, without a token, with a wrong one, in both media types', async () => {
    expect((await get(welcome)).body).toEqual(answered);
    expect((await post({ query: welcome })).body).toEqual(answered);
    expect((await post({ query: welcome }, { authorization: 'Bearer nobody' })).body).toEqual(answered);
    const own = await get(welcome, { accept: 'application/graphql-response+json' });
    expect(own.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    expect(JSON.parse(own.body)).toEqual(answered);
    const again = await get(welcome);
    expect(again.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('variables and the operation’s name are part of the question', async () => {
    const query = 'query a($x: String) { vendorCmsBlock(identifier: $x) { html } } query b { __typename }';
    const ask = (more: string) => api.call('GET', pathOf(query, more));
    const named = '&operationName=a&variables=';
    expect((await ask(`${named}{"x":"welcome"}`)).body).toEqual(answered);
    expect((await ask(`${named}{"x":"secret"}`)).body).toEqual({ data: { vendorCmsBlock: null } });
    expect((await ask('&operationName=b')).body).toEqual({ data: { __typename: 'Query' } });
    for (const x of ['welcome', 'secret', 'welcome'])
      expect((await post({ query, operationName: 'a', variables: { x } })).body.data.vendorCmsBlock).toEqual(
        x === 'welcome' ? { html: 'Welcome' } : null,
      );
  });

  test('a caller with the answer gets 304; another text has another tag, and so has each view', async () => {
    const first = await get(welcome);
    const tag = first.headers.get('etag')!;
    expect(first.headers.get('vary')).toBe('Store, Accept');
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    const unchanged = await get(welcome, { 'if-none-match': tag });
    expect([unchanged.status, unchanged.body, unchanged.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await post({ query: welcome }, { 'if-none-match': tag })).status).toBe(200);
    await publishedContent(fork(), { identifier: 'welcome', content: 'Bienvenue', storeId: 2 });
    expect((await get(welcome, { 'if-none-match': tag, store: 'ca' })).body.data.vendorCmsBlock.html).toBe('Bienvenue');
    expect((await get(welcome, { 'if-none-match': tag })).status).toBe(304);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const head = await api.call('HEAD', pathOf(welcome));
    const whole = await get(welcome);
    expect([head.status, head.body]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
  });

  test('every answer has the API’s security headers and names its request', async () => {
    for (const { headers } of [
      await get(welcome, { 'x-request-id': 'r-1' }),
      await get('{', { 'x-request-id': 'r-1' }),
    ]) {
      expect(headers.get('x-request-id')).toBe('r-1');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });
});

describe('requests that are not queries', () => {
  test('several at once are refused', async () => {
    const { status, body } = await post([{ query: welcome }, { query: welcome }]);
    expect([status, body]).toEqual([400, { errors: [{ message: 'Missing query' }] }]);
  });

  test.each(['query', 'variables', 'operationName'])('one address with two of %s is refused', async (name) => {
    const { status, body } = await api.call('GET', `${pathOf(welcome)}&${name}=x&${name}=y`);
    expect([status, body]).toEqual([400, { errors: [{ message: `"${name}" must not be given twice.` }] }]);
  });

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/graphql', 415],
    ['application/json; charset=utf-7', 415],
  ])('a browser cannot be made to send one by POST as %s', async (type, status) => {
    expect((await post(JSON.stringify({ query: welcome }), { 'content-type': type })).status).toBe(status);
  });

  test('nothing can be changed, by GET or by POST', async () => {
    for (const answer of [await get('mutation { x }'), await post({ query: 'mutation { x }' })]) {
      expect(answer.body.errors[0].message).toContain('mutation');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers } = await api.call(method, '/graphql');
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
  });

  test('a megabyte is not read', async () => {
    const { status, body, headers } = await post({ query: `{ ${'html '.repeat(200_000)} }` });
    expect([status, body.errors[0].message]).toEqual([413, 'The request body must not be larger than 65536 bytes.']);
    expect(headers.get('connection')).toBe('close');
  });

  test('a document that does not parse is 400 for who asks for the new media type, else 200 with errors', async () => {
    const accept = 'application/graphql-response+json';
    expect((await post({ query: '{' }, { accept })).status).toBe(400);
    expect((await post({ query: '{' })).status).toBe(200);
    expect((await get(welcome, { accept: 'text/html' })).status).toBe(406);
    for (const path of ['/graphql/', '/graphql/x', '/graphqlx', '/GraphQL'])
      expect((await api.call('GET', path + pathOf(welcome).slice('/graphql'.length))).status).toBe(404);
  });
});

describe('changes of content', () => {
  const ask = async (of: TestApi, identifier: string) => {
    const { body } = await of.call('GET', pathOf(`{ vendorCmsBlock(identifier: "${identifier}") { html } }`));
    return body.data.vendorCmsBlock?.html;
  };

  test('is seen at once: published, switched off, liveview, taken back, deleted, another sku', async () => {
    const em = fork();
    expect(await ask(api, 'w')).toBeUndefined();
    await publishedContent(em, { identifier: 'w', content: 'one' });
    expect(await ask(api, 'w')).toBe('one');
    await change('content_publication', { content: 'one' }, { html: 'two' });
    expect(await ask(api, 'w')).toBe('two');
    await change('content_item', { identifier: 'w' }, { liveview: false });
    expect(await ask(api, 'w')).toBe('');
    await change('content_item', { identifier: 'w' }, { liveview: true, is_active: false });
    expect(await ask(api, 'w')).toBeUndefined();
    await change('content_item', { identifier: 'w' }, { is_active: true });
    expect(await ask(api, 'w')).toBe('two');
    await remove('content_item', { identifier: 'w' });
    expect(await ask(api, 'w')).toBeUndefined();
  });

  test('a product’s new sku leads to its content at once; disabled or not sold here it has none', async () => {
    const items = async (sku: string) =>
      (await get(`{ vendorProductAttribute(sku: "${sku}") { items { html } } }`)).body.data.vendorProductAttribute
        .items;
    const { entity_id: productId } = await findOne('product', { sku: 'PLATE' }, 'entity_id');
    await publishedContent(fork(), { kind: 'product_attribute', identifier: 'care', productId });
    expect([await items('PLATE'), await items('DISH')]).toEqual([[{ html: '<p>Hello</p>' }], []]);
    await change('product', { sku: 'PLATE' }, { sku: 'DISH' });
    expect([await items('PLATE'), await items('DISH')]).toEqual([[], [{ html: '<p>Hello</p>' }]]);
    await change('product', { sku: 'DISH' }, { status: 2 });
    expect(await items('DISH')).toEqual([]);
    await change('product', { sku: 'DISH' }, { status: 1 });
    expect(await items('DISH')).toHaveLength(1);
    await change('product', { sku: 'DISH' }, { website_ids: '{}' });
    expect(await items('DISH')).toEqual([]);
  });

  test('a category that is no longer active shows its content no longer, at once', async () => {
    await publishedContent(fork(), { kind: 'category_attribute', identifier: 'banner', categoryId: 2 });
    const items = async () =>
      (await get('{ vendorCategoryAttribute(categoryId: 2) { items { html } } }')).body.data.vendorCategoryAttribute
        .items;
    expect(await items()).toHaveLength(1);
    await change('category', { entity_id: 2 }, { is_active: false });
    expect(await items()).toEqual([]);
  });

  test('a rolled back transaction leaves the answer unchanged; many rows count once', async () => {
    const revision = async () => Number((await findOne('content_revision', {}, 'revision')).revision);
    const before = await revision();
    await expect(
      fork().transactional(async (tx) => {
        await publishedContent(tx, { identifier: 'never', content: 'canary' });
        throw new Error('on second thoughts');
      }),
    ).rejects.toThrow('on second thoughts');
    expect([await ask(api, 'never'), await revision()]).toEqual([undefined, before]);
    await change('content_publication', {}, { title: 'Together' });
    expect(await revision()).toBe(before + 1);
  });

  test('for a tenth of a second the database is not asked again', async () => {
    const patient = await testApi({ databaseUrl, routes: [], contentKeptMs: 60_000 });
    await publishedContent(fork(), { identifier: 'kept', content: 'one' });
    expect(await ask(patient, 'kept')).toBe('one');
    await change('content_publication', { content: 'one' }, { html: 'two' });
    expect(await ask(patient, 'kept')).toBe('one');
    expect(await ask(api, 'kept')).toBe('two');
    await patient.close();
  });

  test('a fault on the way is an error, hides the inside of the shop, and is not kept', async () => {
    await publishedContent(fork(), { identifier: 'back', content: 'back' });
    const { status, body, headers } = await withoutTable(books, 'content_publication', () =>
      get('{ vendorCmsBlock(identifier: "back") { html } }'),
    );
    expect([status, headers.get('cache-control')]).toEqual([500, 'no-store']);
    expect(body.errors[0].message).toMatch(/^Internal Error\. Details are available in Magento log file\. Report ID: /);
    expect(await ask(api, 'back')).toBe('back');
    expect(api.faults).toHaveLength(1);
  });
});
