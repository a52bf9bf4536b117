import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Category } from '../../../../db/platform/categories/category.entity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { draftContent, publishedContent, type SomeContent } from '../../../support/builders/published-content.ts';
import { booksOf } from '../../../support/books.ts';

let api: TestApi;
let mugId: number;
beforeAll(async () => {
  api = await testApi({ routes: [] });
  ({
    mug: { entityId: mugId },
  } = await aShop(fork()));
});
afterAll(() => api.close());

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
      fields: { content_heading: 'About', meta_title: 'T', page_layout: '1column', custom_layout_update_xml: 'canary' },
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
    ['{ vendorCmsBlock(id: 99999999999) { html } }', 'Int cannot represent non 32-bit signed integer value'],
    ['{ vendorCmsBlock(identifier: 7) { html } }', 'String cannot represent a non string value: 7'],
    ['mutation { x }', 'The mutation operation is not supported by the schema.'],
    ['subscription { x }', 'The subscription operation is not supported by the schema.'],
  ])('%s', async (query, message) => {
    const { errors } = await ask(query);
    expect(errors[0].message).toContain(message);
  });

  test('names that nothing can have are names of nothing', async () => {
    for (const x of ['\0', 'a\0b', '\uD800', '', ' ', 'x'.repeat(10_000), "'; drop table content_item; --"])
      expect(await ask('query ($x: String) { vendorCmsBlock(identifier: $x) { html } }', { variables: { x } })).toEqual(
        {
          data: { vendorCmsBlock: null },
        },
      );
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
