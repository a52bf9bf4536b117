import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  printSchema,
} from 'graphql';
import { contentQueries, platformQueries, createDocuments } from '../../../../api/content/graphql/answer-graphql.ts';
import { contentSchema, schemaText } from '../../../../api/content/graphql/content-schema.ts';
import { createStoredAnswers } from '../../../../api/content/graphql/measure-document.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

describe('canary', () => {
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
    const ofBlock = (verb: string, body: object = {}) =>
      send('POST', `/rest/all/V1/cmsBlock/${block.id}/${verb}`, body);
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
      (await api.call('GET', `/graphql?query={vendorCmsBlock(identifier:"idle"){html}}`)).body.data.vendorCmsBlock
        ?.html;
    expect(await ask()).toBeUndefined();
    for (const content of ['one', 'two', 'three']) {
      await send('PUT', `/V1/cmsBlock/${one.id}`, { block: { content } });
      await send('POST', `/V1/cmsBlock/${one.id}/publish`, {});
      expect(await ask()).toBe(content);
    }
  });
});

describe('kept answers', () => {
  const answer = (text: string) => ({ type: 'application/json', body: Buffer.from(text), tag: `"${text}"` });

  test('an answer is given again for its revision only', () => {
    const kept = createStoredAnswers();
    kept.keep('a', 1, answer('one'));
    expect(kept.find('a', 1)?.tag).toBe('"one"');
    expect(kept.find('b', 1)).toBeUndefined();
    expect(kept.find('a', 2)).toBeUndefined();
    expect(kept.find('a', 0)).toBeUndefined();
  });

  test('the first answer of a new revision empties the store; one of an old revision is not kept', () => {
    const kept = createStoredAnswers();
    kept.keep('a', 1, answer('old'));
    kept.keep('b', 2, answer('new'));
    kept.keep('a', 1, answer('late'));
    expect(kept.find('a', 1)).toBeUndefined();
    expect(kept.find('a', 2)).toBeUndefined();
    expect(kept.find('b', 2)?.tag).toBe('"new"');
  });

  test('what was not asked for the longest goes first, and one that is too large is never kept', () => {
    const kept = createStoredAnswers(300);
    for (const key of ['a', 'b']) kept.keep(key, 1, answer('x'.repeat(100)));
    expect(kept.find('a', 1)).toBeDefined();
    kept.keep('c', 1, answer('x'.repeat(100)));
    expect(['a', 'b', 'c'].map((key) => kept.find(key, 1) !== undefined)).toEqual([true, false, true]);
    kept.keep('a', 1, answer('y'));
    expect(kept.find('a', 1)?.tag).toBe('"y"');
    const roomy = createStoredAnswers();
    roomy.keep('huge', 1, answer('x'.repeat(3_000_000)));
    expect(roomy.find('huge', 1)).toBeUndefined();
  });
});

describe('read document', () => {
  const documents = createDocuments();
  const read = (text: string) => documents.validate(text, documents.read(text));
  const block = 'vendorCmsBlock(identifier: "x") { html }';
  const nested = (levels: number) => '{ a '.repeat(levels) + '}'.repeat(levels);
  const doubling = Array.from({ length: 14 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`).join(
    ' ',
  );

  /** What it takes when nothing else is running: the machine may be busy with another test. */
  function fastest(work: () => void): number {
    const times = Array.from({ length: 7 }, () => {
      const began = performance.now();
      work();
      return performance.now() - began;
    });
    return Math.min(...times);
  }

  describe('a document that asks for too much is refused before it is looked at closely', () => {
    const words = 'The document asks for too much: ';
    test.each([
      [
        '5 000 aliases',
        `{ ${Array.from({ length: 5_000 }, (_, n) => `a${n}: ${block}`).join(' ')} }`,
        'Document contains more than 2000 tokens',
      ],
      [
        '31 aliases',
        `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
        `${words}aliases at most 30`,
      ],
      ['depth 50', nested(50), `${words}depth at most 8`],
      [
        'depth by fragments',
        `{ ...f1 } ${Array.from({ length: 12 }, (_, n) => `fragment f${n} on Query { a { ...f${n + 1} } }`).join(' ')} fragment f12 on Query { a }`,
        `${words}depth at most 8`,
      ],
      ['1 MB', `{ ${'html '.repeat(200_000)} }`, 'Document contains more than 2000 tokens'],
      [
        'circular fragments',
        '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }',
        'A fragment of the document leads back to itself.',
      ],
      [
        'a circle nobody uses',
        `{ ${block} } fragment a on Query { ...a }`,
        'A fragment of the document leads back to itself.',
      ],
      [
        'a circle by inline fragments',
        '{ ...a } fragment a on Query { ... on Query { ...a } }',
        'A fragment of the document leads back to itself.',
      ],
      ['doubling fragments', `{ ...f0 } ${doubling} fragment f14 on Query { __typename }`, `${words}cost at most 600`],
      ['500 directives', `{ __typename ${'@skip(if: false) '.repeat(250)} }`, `${words}directives at most 20`],
      ['unknown directives', `{ __typename ${'@aa '.repeat(500)} }`, `${words}directives at most 20`],
      [
        'one field over and over',
        `{ vendorCmsBlock(identifier: "x") { ${'html '.repeat(400)} } }`,
        `${words}fields at most 300`,
      ],
      [
        'many operations',
        Array.from({ length: 21 }, (_, n) => `query q${n} { __typename }`).join(' '),
        `${words}operations and fragments at most 20`,
      ],
      [
        'many different blocks',
        `{ ${Array.from({ length: 30 }, (_, n) => `a${n}: vendorCmsPage(id: ${n}) { identifier url_key title content_heading page_layout meta_title meta_keywords html css content meta_description }`).join(' ')} }`,
        `${words}fields at most 300`,
      ],
      [
        'lists of fifty',
        `query ($x: [String!]!) { ${[1, 2, 3].map((n) => `a${n}: vendorCmsBlocks(identifiers: $x) { items { identifier title html } }`).join(' ')} }`,
        `${words}cost at most 600`,
      ],
      [
        'the schema over and over',
        `{ ${Array.from({ length: 7 }, (_, n) => `a${n}: __schema { types { name } }`).join(' ')} }`,
        `${words}cost at most 600`,
      ],
      [
        'introspection without an end',
        `{ __schema { ${'types { fields { type { '.repeat(8)} name ${'} } } '.repeat(8)} } }`,
        `${words}depth of introspection at most 16`,
      ],
    ])('%s', (_, text, message) => {
      expect(() => read(text)).toThrow(message);
      // Nothing of it is kept, so the second time costs what the first did.
      expect(fastest(() => expect(() => read(text)).toThrow())).toBeLessThan(50);
    });
  });

  describe('what a shop’s registers and tools ask for is read', () => {
    test.each([
      ['a block', `{ ${block} }`],
      [
        'fifty blocks by a variable',
        'query ($x: [String!]!) { vendorCmsBlocks(identifiers: $x) { items { identifier title html css } } }',
      ],
      [
        'ten pages at once',
        `{ ${Array.from({ length: 10 }, (_, n) => `a${n}: vendorCmsPage(id: ${n}) { title html css }`).join(' ')} }`,
      ],
      ['the whole schema', getIntrospectionQuery()],
      [
        'the whole schema with all it may say',
        getIntrospectionQuery({
          descriptions: true,
          directiveIsRepeatable: true,
          inputValueDeprecation: true,
          schemaDescription: true,
          specifiedByUrl: true,
        }),
      ],
    ])('%s', (_, text) => {
      expect(read(text)).toEqual([]);
      expect(read(text)).toEqual([]);
    });
  });

  test('a misspelt field is not answered with those that are there', () => {
    const [error] = read('{ vendorCmsBlok(identifier: "x") { html } }');
    expect(error?.message).toBe('Cannot query field "vendorCmsBlok" on type "Query".');
    const [other] = read('{ vendorCmsBlock(identifer: "x") { htm } }');
    expect(other?.message).not.toContain('Did you mean');
  });

  test('an invalid document gets five errors', () => {
    const text = `{ ${Array.from({ length: 100 }, (_, n) => `x${n}`).join(' ')} }`;
    expect(read(text)).toHaveLength(6);
    expect(fastest(() => void read(text))).toBeLessThan(20);
  });
});

describe('schema', () => {
  const types = Object.values(contentSchema.getTypeMap()).filter(
    (type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type),
  );

  test('the schema that is answered is the file, descriptions included', async () => {
    const api = await testApi({ routes: [] });
    const { body } = await api.call('POST', '/graphql', { body: { query: getIntrospectionQuery() } });
    await api.close();
    expect(printSchema(buildClientSchema(body.data))).toBe(printSchema(buildSchema(schemaText)));
  });

  test('each query has its answer, and there is nothing but queries', () => {
    const answered = Object.keys({ ...contentQueries, ...platformQueries });
    expect(answered).toEqual(Object.keys(contentSchema.getQueryType()?.getFields() ?? {}));
    expect(contentSchema.getMutationType()).toBeUndefined();
    expect(contentSchema.getSubscriptionType()).toBeUndefined();
    expect(types.every(isObjectType)).toBe(true);
  });

  test('what only editors know has no field', () => {
    const fields = types.flatMap((type) => (isObjectType(type) ? Object.keys(type.getFields()) : []));
    const internal =
      /draft|version|number|revision|liveview|active|author|published|changed|theme|layout_update|uses|store|^id$/i;
    // Which store view answers is what the caller said.
    const said = ['storeConfig', 'store_code'];
    expect(fields.filter((name) => internal.test(name))).toEqual(said);
  });

  test('every type and query has a description', () => {
    const silent = Object.values(contentSchema.getQueryType()?.getFields() ?? {}).filter(
      ({ description }) => !description,
    );
    expect(silent).toEqual([]);
  });
});
