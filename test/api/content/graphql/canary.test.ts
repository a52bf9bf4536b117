import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const send = async (method: string, path: string, body?: object) => {
  const answer = await api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
  expect([method, path, answer.status, answer.body]).toEqual([method, path, 200, expect.anything()]);
  return answer.body;
};
const texts = 'identifier title content html css';
const stockTexts = 'identifier title content content_heading meta_title meta_description';
/** Everything that a caller may ask about these two, in every view and in every way. */
async function everythingPublic(page: { id: number }, block: { id: number }): Promise<string> {
  const query = `{
    p: vendorCmsPage(identifier: "home") { ${texts} url_key meta_title meta_description content_heading }
    pid: vendorCmsPage(id: ${page.id}) { ${texts} } pb: vendorCmsPage(id: ${block.id}) { ${texts} }
    b: vendorCmsBlock(identifier: "banner") { ${texts} } bid: vendorCmsBlock(id: ${block.id}) { ${texts} }
    bs: vendorCmsBlocks(identifiers: ["banner", "home"]) { items { ${texts} } }
    a: vendorProductAttribute(sku: "MUG") { items { title content html css } } }`;
  // As on the platform, where what is not shown is an error.
  const asked = `{ q: cmsPage(identifier: "home") { ${stockTexts} } qid: cmsPage(id: ${page.id}) { ${stockTexts} }
    qs: cmsBlocks(identifiers: ["banner", "${block.id}"]) { items { identifier title content } } }`;
  const answers = await Promise.all(
    [{}, { store: 'ca' }, { store: 'admin' }].flatMap((headers) => [
      api.call('POST', '/graphql', { body: { query: asked }, headers }),
      api.call('POST', '/graphql', { body: { query }, headers }),
      api.call('GET', `/graphql?query=${encodeURIComponent(query)}`, { headers }),
      api.call('GET', `/graphql?query=${encodeURIComponent(query)}`, {
        headers: { ...headers, accept: 'application/graphql-response+json' },
      }),
    ]),
  );
  for (const { status } of answers) expect(status).toBe(200);
  return answers.map(({ body }) => (typeof body === 'string' ? body : JSON.stringify(body))).join('\n');
}

const live = { extension_attributes: { liveview: true } };
const dark = { extension_attributes: { liveview: false } };

test('whatever editors do, what they did not publish is in no public answer', async () => {
  const page = await send('POST', '/rest/all/V1/cmsPage', {
    page: { identifier: 'home', title: 'Home', content: 'draft-canary {{block id="banner"}}', ...live },
  });
  const block = await send('POST', '/rest/all/V1/cmsBlock', {
    block: { identifier: 'banner', title: 'Banner', content: 'draft-canary', ...live },
  });
  const shown = () => everythingPublic(page, block);
  const ofPage = (verb: string, body: object = {}) => send('POST', `/rest/all/V1/cmsPage/${page.id}/${verb}`, body);
  const ofBlock = (verb: string, body: object = {}) => send('POST', `/rest/all/V1/cmsBlock/${block.id}/${verb}`, body);
  const savePage = (given: object) => send('PUT', `/rest/all/V1/cmsPage/${page.id}`, { page: given });
  const saveBlock = (given: object) => send('PUT', `/rest/all/V1/cmsBlock/${block.id}`, { block: given });
  expect(await shown()).not.toMatch(/canary|Home|Banner/);

  await savePage({ content: 'page-1 {{block id="banner"}}' });
  await ofPage('publish');
  expect(await shown()).toContain('"html":"page-1 "');
  expect(await shown()).not.toContain('canary');

  await saveBlock({ content: 'block-1' });
  await ofBlock('publish');
  expect(await shown()).toContain('"html":"page-1 block-1"');

  await saveBlock({ content: 'draft-canary', title: 'draft-canary' });
  await savePage({ content: 'draft-canary', meta_title: 'draft-canary' });
  await ofPage('publish', { version: 2 });
  await ofBlock('publish', { version: 2 });
  await ofBlock('rollback', { version: 3 });
  expect(await shown()).toContain('"html":"page-1 block-1"');
  expect(await shown()).not.toContain('canary');

  // What is dark from here on is nowhere, not in the page that had it either.
  await saveBlock(dark);
  expect(await shown()).toContain('"html":"page-1 "');
  expect(await shown()).not.toMatch(/canary|block-1/);
  await saveBlock(live);
  expect(await shown()).toContain('"html":"page-1 block-1"');
  await saveBlock({ active: false });
  expect(await shown()).not.toMatch(/canary|block-1/);
  await saveBlock({ active: true });
  await savePage(dark);
  expect(await shown()).not.toMatch(/canary|page-1/);
  await savePage(live);
  await ofBlock('unpublish');
  expect(await shown()).not.toMatch(/canary|block-1/);
  expect(await shown()).toContain('"html":"page-1 "');
  await ofPage('unpublish');
  expect(await shown()).not.toMatch(/canary|page-1|Home/);
});

test('a register that asked before gets the new text with the next query', async () => {
  const [one] = await Promise.all([
    send('POST', '/V1/cmsBlock', { block: { identifier: 'idle', title: 'Idle', content: 'one', ...live } }),
  ]);
  const ask = async () =>
    (await api.call('GET', `/graphql?query={vendorCmsBlock(identifier:"idle"){html}}`)).body.data.vendorCmsBlock?.html;
  expect(await ask()).toBeUndefined();
  for (const content of ['one', 'two', 'three']) {
    await send('PUT', `/V1/cmsBlock/${one.id}`, { block: { content } });
    await send('POST', `/V1/cmsBlock/${one.id}/publish`, {});
    expect(await ask()).toBe(content);
  }
});
