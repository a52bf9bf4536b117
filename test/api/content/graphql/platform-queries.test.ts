import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { draftContent, publishedContent } from '../../../support/builders/published-content.ts';

/** The platform's own queries, asked for as its clients do (platform facts 11). */
let api: TestApi;
let ids: Record<'page' | 'pageOff' | 'draft' | 'block', number>;
beforeAll(async () => {
  api = await testApi({ routes: [] });
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
afterAll(() => api.close());

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
    expect(await ask('{ cmsBlocks(identifiers: ["banner", "banner-off", "9999"]) { items { identifier } } }')).toEqual({
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
