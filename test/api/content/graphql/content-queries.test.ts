import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { Category } from '../../../../db/platform/categories/category.entity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { withoutTable } from '../../../support/books/without-table.ts';
import { draftContent, publishedContent, type SomeContent } from '../../../support/builders/published-content.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { testDatabaseUrl } from '../../../support/database.ts';
import { useApi } from '../../../support/fixtures.ts';

describe('content queries', () => {
  const api = useApi({ routes: [] });
  let mugId: number;
  beforeAll(async () => {
    ({
      mug: { entityId: mugId },
    } = await aShop(fork()));
  });

  const { fork, configure } = booksOf(() => api.orm);

  const published = (given: SomeContent) => publishedContent(fork(), given);
  async function ask(query: string, { store, variables }: { store?: string; variables?: object } = {}) {
    const headers = store === undefined ? {} : { store };
    const { status, body } = await api.call('POST', '/graphql', { body: { query, variables }, headers });
    expect(status).toBe(200);
    return body;
  }
  const blockText = async (identifier: string, store?: string) => {
    const query = 'query ($x: String) { vendorCmsBlock(identifier: $x) { html } }';
    const { data } = await ask(query, { variables: { x: identifier }, ...(store ? { store } : {}) });
    return data.vendorCmsBlock?.html;
  };

  describe('published content', () => {
    test('a page, by identifier and by id, with what search machines read of it', async () => {
      const id = await published({
        kind: 'page',
        identifier: 'about',
        title: 'About us',
        content: '<p onclick="x">{{config path="x"}}Hi</p>',
        css: 'p{color:red}',
        fields: {
          content_heading: 'About',
          meta_title: 'T',
          page_layout: '1column',
          custom_layout_update_xml: 'canary',
        },
      });
      const fields = 'identifier url_key title content_heading page_layout meta_title meta_keywords content html css';
      const { data } = await ask(
        `{ a: vendorCmsPage(identifier: "about") { ${fields} } b: vendorCmsPage(id: ${id}) { ${fields} } }`,
      );

      expect(data.a).toEqual({
        identifier: 'about',
        url_key: 'about',
        title: 'About us',
        content_heading: 'About',
        page_layout: '1column',
        meta_title: 'T',
        meta_keywords: null,
        content: '<p onclick="x">{{config path="x"}}Hi</p>',
        html: expect.stringMatching(
          /^<div class="cms-content" [^>]*><div class="cms-scope cms-\w{12}"><p>Hi<\/p><\/div><\/div>$/,
        ),
        css: expect.stringMatching(/^\.cms-\w{12} p\{color:red\}$/),
      });
      expect(data.b).toEqual(data.a);
    });

    test('blocks come in the order asked for, each once, and those that are not shown are left out', async () => {
      await published({ identifier: 'o-1', content: '1' });
      await published({ identifier: 'o-2', content: '2' });
      const { data } = await ask(
        '{ vendorCmsBlocks(identifiers: ["o-2", "nobody", "o-1", "o-2"]) { items { identifier html } } }',
      );
      expect(data.vendorCmsBlocks.items).toEqual([
        { identifier: 'o-2', html: '2' },
        { identifier: 'o-1', html: '1' },
      ]);
    });

    test('attributes of a product by id and by sku, of a category by id; all of them or one', async () => {
      const em = fork();
      const category = em.create(Category, { parentId: 2, path: '1/2/3', level: 2, position: 1, name: 'Mugs' });
      await em.flush();
      for (const identifier of ['care', 'story'])
        await published({ kind: 'product_attribute', identifier, productId: mugId, content: `<p>${identifier}</p>` });
      await published({
        kind: 'category_attribute',
        identifier: 'banner',
        categoryId: category.entityId,
        content: 'Mugs',
      });
      const { data } = await ask(`{
      byId: vendorProductAttribute(productId: ${mugId}) { items { attribute_code html } }
      bySku: vendorProductAttribute(sku: "MUG", attributeCode: "story") { items { attribute_code html } }
      nobody: vendorProductAttribute(sku: "NOBODY") { items { html } }
      ofCategory: vendorCategoryAttribute(categoryId: ${category.entityId}) { items { attribute_code html } }
      other: vendorCategoryAttribute(categoryId: 1) { items { html } }
    }`);

      expect(data).toEqual({
        byId: {
          items: [
            { attribute_code: 'care', html: '<p>care</p>' },
            { attribute_code: 'story', html: '<p>story</p>' },
          ],
        },
        bySku: { items: [{ attribute_code: 'story', html: '<p>story</p>' }] },
        nobody: { items: [] },
        ofCategory: { items: [{ attribute_code: 'banner', html: 'Mugs' }] },
        other: { items: [] },
      });
    });

    test('liveview off: the query succeeds, and content, HTML and CSS are empty', async () => {
      await published({ identifier: 'l-off', title: 'Off', content: 'canary', css: 'p{color:red}', liveview: false });
      expect(await ask('{ vendorCmsBlock(identifier: "l-off") { identifier title content html css } }')).toEqual({
        data: { vendorCmsBlock: { identifier: 'l-off', title: 'Off', content: '', html: '', css: '' } },
      });
      const tricks = `query ($no: Boolean!) { vendorCmsBlock(identifier: "l-off") {
      html @skip(if: $no) ... @include(if: true) { content } ...on VendorCmsBlock { h: html } } }`;
      expect(JSON.stringify(await ask(tricks, { variables: { no: false } }))).not.toContain('canary');
    });

    test('a draft, one that is switched off and one that never was are answered alike', async () => {
      const draftId = await draftContent(fork(), { identifier: 'u-draft', content: 'canary' });
      const offId = await published({ identifier: 'u-off', content: 'canary', isActive: false });
      const pageId = await published({ kind: 'page', identifier: 'u-page', content: 'shown' });
      const query = (of: string) => `{ vendorCmsBlock(${of}) { identifier title content html css } }`;
      const unknown = await ask(query('id: 999999'));
      for (const of of [
        `id: ${draftId}`,
        `id: ${offId}`,
        `id: ${pageId}`,
        'identifier: "u-draft"',
        'identifier: "u-off"',
      ])
        expect(await ask(query(of))).toEqual(unknown);
      expect(unknown).toEqual({ data: { vendorCmsBlock: null } });
    });

    test('what was written after publishing is not there yet', async () => {
      await published({ identifier: 'n', content: 'old', draft: 'canary' });
      expect(await ask('{ vendorCmsBlock(identifier: "n") { content html } }')).toEqual({
        data: { vendorCmsBlock: { content: 'old', html: 'old' } },
      });
    });
  });

  describe('store views', () => {
    test('a view’s own text comes before that of all views, whatever another view asked before', async () => {
      await published({ identifier: 'v', content: 'all' });
      await published({ identifier: 'v', content: 'ours', storeId: 2 });
      await published({ identifier: 'v-only', content: 'ours', storeId: 2 });
      for (let time = 0; time < 2; time++) {
        expect(await Promise.all([undefined, 'default', 'ca', 'admin'].map((store) => blockText('v', store)))).toEqual([
          'all',
          'all',
          'ours',
          'all',
        ]);
        expect(await blockText('v-only')).toBeUndefined();
        expect(await blockText('v-only', 'ca')).toBe('ours');
      }
    });

    test('a view’s own draft does not hide the text of all views', async () => {
      await published({ identifier: 'v-draft', content: 'all' });
      await draftContent(fork(), { identifier: 'v-draft', content: 'canary', storeId: 2 });
      expect(await blockText('v-draft', 'ca')).toBe('all');
    });

    test('an unknown view is refused', async () => {
      const { status, body } = await api.call('POST', '/graphql', {
        body: { query: '{ __typename }' },
        headers: { store: 'nobody' },
      });
      expect([status, body]).toEqual([400, { errors: [{ message: 'Requested store is not found' }] }]);
    });
  });

  describe('invalid queries', () => {
    test.each([
      ['{ vendorCmsBlock { html } }', '"identifier" or "id" must be given.'],
      ['{ vendorCmsBlock(identifier: null) { html } }', '"identifier" or "id" must be given.'],
      ['{ vendorCmsPage(identifier: "x", id: 1) { html } }', 'Either "identifier" or "id" must be given, not both.'],
      ['{ vendorProductAttribute { items { html } } }', '"productId" or "sku" must be given.'],
      [
        `{ vendorCmsBlocks(identifiers: [${'"x" '.repeat(51)}]) { items { html } } }`,
        'At most 50 identifiers can be asked for.',
      ],
      ['{ vendorCmsBlock(id: 9007199254740992) { html } }', 'An id is a whole number up to 2^53 - 1.'],
      ['{ vendorCmsBlock(id: 1.5) { html } }', 'An id is a whole number up to 2^53 - 1.'],
      ['{ vendorCmsBlock(id: "7") { html } }', 'An id is a whole number up to 2^53 - 1.'],
      ['{ vendorCmsBlock(identifier: 7) { html } }', 'String cannot represent a non string value: 7'],
      ['mutation { x }', 'The mutation operation is not supported by the schema.'],
      ['subscription { x }', 'The subscription operation is not supported by the schema.'],
    ])('%s', async (query, message) => {
      const { errors } = await ask(query);
      expect(errors[0].message).toContain(message);
    });

    test('names that nothing can have are names of nothing', async () => {
      for (const x of ['\0', 'a\0b', '\uD800', '', ' ', 'x'.repeat(10_000), "'; drop table content_item; --"])
        expect(
          await ask('query ($x: String) { vendorCmsBlock(identifier: $x) { html } }', { variables: { x } }),
        ).toEqual({
          data: { vendorCmsBlock: null },
        });
    });

    test('one text thirty times is counted thirty times', async () => {
      await published({ identifier: 'big', content: 'x'.repeat(300_000) });
      const again = Array.from({ length: 14 }, (_, n) => `h${n}: html`).join(' ');
      const { errors, data } = await ask(`{ vendorCmsBlock(identifier: "big") { ${again} html } }`);
      expect(errors[0].message).toBe('The answer is longer than 4194304 characters.');
      expect(data).toEqual({ vendorCmsBlock: null });
    });
  });

  test('a page for all views shows in each view that view’s own blocks and settings, by whatever it is asked', async () => {
    await configure('general/store_information/name', 'Tea');
    await configure('general/store_information/name', 'Thé', 'stores', 2);
    await published({ identifier: 'here', content: 'all' });
    await published({ identifier: 'here', content: 'ours', storeId: 2 });
    const content = '{{block id="here"}} {{config path="general/store_information/name"}}';
    const id = await published({ kind: 'page', identifier: 'both', content });
    const hidden = await published({ kind: 'page', identifier: 'dark', content, liveview: false });
    await published({ kind: 'product_attribute', productId: mugId, identifier: 'views', content });
    const query = `{ p: vendorCmsPage(identifier: "both") { html } q: vendorCmsPage(id: ${id}) { html }
    d: vendorCmsPage(id: ${hidden}) { html css }
    s: vendorProductAttribute(sku: "MUG", attributeCode: "views") { items { html } }
    i: vendorProductAttribute(productId: ${mugId}, attributeCode: "views") { items { html } } }`;
    for (const [store, html] of [
      ['default', 'all Tea'],
      ['ca', 'ours Thé'],
    ] as const)
      expect((await ask(query, { store })).data).toEqual({
        ...{ p: { html }, q: { html }, d: { html: '', css: '' } },
        ...{ s: { items: [{ html }] }, i: { items: [{ html }] } },
      });
  });
});

describe('platform queries', () => {
  /** The platform's own queries, asked for as its clients do (platform facts 11). */
  const api = useApi({ routes: [] });
  let ids: Record<'page' | 'pageOff' | 'draft' | 'block', number>;
  beforeAll(async () => {
    const em = fork();
    await aShop(em);
    ids = {
      page: await publishedContent(em, {
        ...{ kind: 'page', identifier: 'about', title: 'About us', content: '<p onclick="x">Hi</p>' },
        fields: { content_heading: 'About', page_layout: '1column', meta_title: 'T' },
      }),
      pageOff: await publishedContent(em, { kind: 'page', identifier: 'off', content: 'canary', isActive: false }),
      draft: await draftContent(em, { kind: 'page', identifier: 'draft', content: 'canary' }),
      block: await publishedContent(em, { identifier: 'banner', title: 'Banner', content: 'Welcome' }),
    };
    await publishedContent(em, { identifier: 'banner', content: 'Bienvenue', storeId: 2 });
    await publishedContent(em, { identifier: 'banner-off', content: 'canary', isActive: false });
  });

  const { fork, change, find, insert } = booksOf(() => api.orm);

  async function ask(query: string, headers: Record<string, string> = {}) {
    const { status, body } = await api.call('POST', '/graphql', { body: { query }, headers });
    expect(status).toBe(200);
    return body;
  }
  const refused = (data: object | null, message: string, category = 'graphql-no-such-entity') => ({
    data,
    errors: [expect.objectContaining({ message, extensions: { category } })],
  });

  describe('cmsPage', () => {
    const fields =
      'identifier url_key title content content_heading page_layout meta_title meta_description meta_keywords';
    const page = {
      ...{ identifier: 'about', url_key: 'about', title: 'About us', content: expect.stringContaining('<p>Hi</p>') },
      ...{ content_heading: 'About', page_layout: '1column', meta_title: 'T' },
      ...{ meta_description: null, meta_keywords: null },
    };

    test('is a page, by its id and by its identifier, as it is shown', async () => {
      expect(await ask(`{ cmsPage(id: ${ids.page}) { ${fields} } }`)).toEqual({ data: { cmsPage: page } });
      expect(await ask(`{ cmsPage(identifier: "about") { ${fields} } }`)).toEqual({ data: { cmsPage: page } });
    });

    test('needs one of both', async () => {
      expect(await ask('{ cmsPage { title } }')).toEqual(
        refused({ cmsPage: null }, 'Page id/identifier should be specified', 'graphql-input'),
      );
    });

    test.each(['id: 0', 'identifier: ""', 'identifier: "nobody"', 'identifier: "off"', 'identifier: "draft"'])(
      'says that there is none of %s',
      async (given) => {
        const named = given.replace(/^\w+: "?(.*?)"?$/, '$1');
        expect(await ask(`{ cmsPage(${given}) { title content } }`)).toEqual(
          refused({ cmsPage: null }, `The CMS page with the "${named}" ID doesn't exist.`),
        );
      },
    );

    test('tells by the id that a page is switched off, and nothing of a draft or a block', async () => {
      const by = (id: number) => ask(`{ cmsPage(id: ${id}) { title content } }`);
      expect(await by(ids.pageOff)).toEqual(refused({ cmsPage: null }, 'No such entity.'));
      for (const id of [ids.draft, ids.block])
        expect(await by(id)).toEqual(refused({ cmsPage: null }, `The CMS page with the "${id}" ID doesn't exist.`));
    });
  });

  describe('cmsBlocks', () => {
    test('are blocks, by identifier and by id, one or several', async () => {
      const items = [{ identifier: 'banner', title: 'Banner', content: 'Welcome' }];
      for (const given of ['"banner"', '["banner"]', '["banner", "banner"]', `"${ids.block}"`])
        expect(await ask(`{ cmsBlocks(identifiers: ${given}) { items { identifier title content } } }`)).toEqual({
          data: { cmsBlocks: { items } },
        });
    });

    test('have an error beside them for each that is not shown', async () => {
      expect(
        await ask('{ cmsBlocks(identifiers: ["banner", "banner-off", "9999"]) { items { identifier } } }'),
      ).toEqual({
        data: { cmsBlocks: { items: [{ identifier: 'banner' }, null, null] } },
        errors: ['banner-off', '9999'].map((one) =>
          expect.objectContaining({ message: `The CMS block with the "${one}" ID doesn't exist.` }),
        ),
      });
    });

    test.each(['(identifiers: [])', '', '(identifiers: null)'])('need identifiers: %s', async (given) => {
      expect(await ask(`{ cmsBlocks${given} { items { title } } }`)).toEqual(
        refused({ cmsBlocks: null }, '"identifiers" of CMS blocks should be specified', 'graphql-input'),
      );
    });

    test('are fifty at most', async () => {
      const many = JSON.stringify(Array.from({ length: 51 }, (_, at) => `b-${at}`));
      const { errors } = await ask(`{ cmsBlocks(identifiers: ${many}) { items { title } } }`);
      expect(errors).toMatchObject([{ message: 'At most 50 identifiers can be asked for.' }]);
    });
  });

  test('a view’s own block is answered in it, and the view says its code, also after it changed', async () => {
    const query = '{ cmsBlocks(identifiers: "banner") { items { content } } storeConfig { code store_code } }';
    const answer = (content: string, code: string) => ({
      data: { cmsBlocks: { items: [{ content }] }, storeConfig: { code, store_code: code } },
    });
    expect(await ask(query)).toEqual(answer('Welcome', 'default'));
    expect(await ask(query, { store: 'ca' })).toEqual(answer('Bienvenue', 'ca'));
    await change('store_view', { code: 'default' }, { code: 'main' });
    expect(await ask(query)).toEqual(answer('Welcome', 'main'));
    await change('store_view', { code: 'main' }, { code: 'default' });
  });

  test('a view that is closed is not found', async () => {
    const [view] = await find('store_view', { store_id: 1 }, 'website_id', 'currency_code');
    await insert('store_view', { ...view, store_id: 77, code: 'closed', name: 'Closed', is_active: false });
    const { status, body } = await api.call('POST', '/graphql', {
      body: { query: '{ storeConfig { code } }' },
      headers: { store: 'closed' },
    });
    expect([status, body]).toEqual([400, { errors: [{ message: 'Requested store is not found' }] }]);
  });
});

describe('serve graphql', () => {
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
      expect((await get(welcome, { 'if-none-match': tag, store: 'ca' })).body.data.vendorCmsBlock.html).toBe(
        'Bienvenue',
      );
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
      expect(body.errors[0].message).toMatch(
        /^Internal Error\. Details are available in Magento log file\. Report ID: /,
      );
      expect(await ask(api, 'back')).toBe('back');
      expect(api.faults).toHaveLength(1);
    });
  });
});
