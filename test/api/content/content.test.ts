import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, type GraphQLField, type GraphQLObjectType, isScalarType } from 'graphql';
import { unknownContent, unsavable } from '../../../api/content/content-answer.ts';
import { type ContentType, contentTypes } from '../../../api/content/content-type.ts';
import { contentSchema } from '../../../api/content/graphql/content-schema.ts';
import { routes } from '../../../api/routes.ts';
import { carryOutSchedule } from '../../../db/content/renew-content.ts';
import { readPublishedByIdentifiers } from '../../../db/content/read-published.ts';
import type { RenderContent } from '../../../domain/content.ts';
import { invalid } from '../../../domain/errors.ts';
import { type Call, testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { useApi } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';

describe('content outcomes', () => {
  const { fork, findOne } = booksOf(() => api.orm);

  const nowhere = 999_999;

  let api: TestApi;
  let productId: number;
  let names = 0;

  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
    ({ entity_id: productId } = await findOne('product', { sku: 'MUG' }, 'entity_id'));
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  describe.each(contentTypes)('a $noun', (type: ContentType) => {
    const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
      api.call(method, `${type.path}${path}`, {
        ...{ token: api.tokens.admin, headers },
        ...(body === undefined ? {} : { body }),
      });
    const owner = () =>
      type.ownerKey === undefined ? {} : { [type.ownerKey]: type.ownerKey === 'product_id' ? productId : 1 };
    const draft = (fields: object = {}) => ({
      [type.key]: { [type.identifierKey]: `text_${++names}`, title: 'A text', content: 'x', ...owner(), ...fields },
    });
    const made = async (fields: object = {}): Promise<number> => (await call('POST', '', draft(fields))).body.id;
    const [required, taken] = unsavable(type);

    test('that is not there is not found, whatever is asked of it', async () => {
      const { status, message: said } = unknownContent(type);
      const verbs: [method: string, path: string, body?: object][] = [
        ['GET', ''],
        ['PUT', '', draft()],
        ['DELETE', ''],
        ['GET', '/versions'],
        ['GET', '/versions/1'],
        ['POST', '/publish', {}],
        ['POST', '/unpublish', {}],
        ['POST', '/rollback', { version: 1 }],
      ];
      for (const [method, path, body] of verbs)
        await expectRefused({ send: () => call(method, `/${nowhere}${path}`, body), status, said });
      await expectRefused({ send: () => call('POST', '', draft({ id: nowhere })), status, said });
    });

    test('has only its own versions', async () => {
      const id = await made();
      const said = 'The version %1 does not exist.';
      await expectRefused({ send: () => call('GET', `/${id}/versions/9`), status: 404, said });
      await expectRefused({ send: () => call('POST', `/${id}/publish`, { version: 9 }), status: 404, said });
      await expectRefused({ send: () => call('POST', `/${id}/rollback`, { version: 9 }), status: 404, said });
    });

    test('that another editor has changed is refused with 409, or 412 by its header', async () => {
      const id = await made();
      await call('POST', `/${id}/publish`, {});
      await call('PUT', `/${id}`, draft({ title: 'By another' }));
      const stale = { extension_attributes: { revision: 1 } };
      const verbs: [method: string, path: string, body: object, old: object][] = [
        ['POST', '', draft({ id }), draft({ id, ...stale })],
        ['PUT', `/${id}`, draft(), draft(stale)],
        ['POST', `/${id}/publish`, {}, { revision: 1 }],
        ['POST', `/${id}/unpublish`, {}, { revision: 1 }],
        ['POST', `/${id}/rollback`, { version: 1 }, { version: 1, revision: 1 }],
      ];
      const said = 'content_changed';
      const seen = { 'if-match': '"1"' };
      for (const [method, path, body, old] of verbs) {
        await expectRefused({ send: () => call(method, path, old), status: 409, said });
        await expectRefused({ send: () => call(method, path, body, seen), status: 412, said });
      }
      await expectRefused({ send: () => call('DELETE', `/${id}`, undefined, seen), status: 412, said });
    });

    test('needs a name and a title', async () => {
      const { status = 0, message: said = '' } = required ?? {};
      await expectRefused({ send: () => call('POST', '', draft({ title: '' })), status, said });
      await expectRefused({ send: () => call('POST', '', draft({ [type.identifierKey]: '' })), status, said });
      const id = await made();
      await expectRefused({ send: () => call('PUT', `/${id}`, draft({ title: ' ' })), status, said });
    });

    test('has a name of its own in its store view', async () => {
      const { status = 0, message: said = '' } = taken ?? {};
      const [one, other] = [draft(), draft()];
      await call('POST', '', one);
      const { id } = (await call('POST', '', other)).body;
      await expectRefused({ send: () => call('POST', '', one), status, said });
      await expectRefused({ send: () => call('PUT', `/${id}`, one), status, said });
    });

    test('is of a product or category that exists', async () => {
      if (type.ownerKey === undefined) return;
      const said = 'No such entity with %fieldName = %fieldValue';
      await expectRefused({ send: () => call('POST', '', draft({ [type.ownerKey!]: nowhere })), status: 404, said });
    });
  });
});

describe('content', () => {
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
    expect(back.body).toMatchObject({
      content: '<p>v1</p>',
      extension_attributes: { version: 3, published_version: 2 },
    });
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
    const repeat = await call(
      'PUT',
      `/V1/cmsPage/${id}`,
      { page: { title: 'Mine' } },
      { headers: { 'if-match': tag } },
    );
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
});

describe('drafts stay inside', () => {
  const canary = 'canary7f3a';
  const api = useApi();
  let mugId: number;
  const ids: number[] = [];
  const identifiers: string[] = [];
  beforeAll(async () => {
    ({
      mug: { entityId: mugId },
    } = await aShop(api.orm.em.fork()));
    for (const type of contentTypes) for (const plant of plants) await plant(type);
  });

  const send = async (method: string, path: string, body: object) => {
    const answer = await api.call(method, path, { token: api.tokens.admin, body });
    expect([method, path, answer.status, answer.body]).toEqual([method, path, 200, expect.anything()]);
    return answer.body;
  };
  const texts = (text: string) => ({
    title: text,
    content: `<p>${text}</p>{{block id="draft-block"}}`,
    extension_attributes: { css: `.${text}{color:red}`, liveview: true },
  });
  const pageOnly = ({ kind }: ContentType) => (kind === 'page' ? { meta_title: canary, content_heading: canary } : {});

  async function save(type: ContentType, name: string, text: string, more: object = {}): Promise<string> {
    const identifier = `${name}${type.identifierKey === 'identifier' ? '-' : '_'}${type.kind}`;
    const owner = type.ownerKey === undefined ? {} : { [type.ownerKey]: type.ownerKey === 'product_id' ? mugId : 2 };
    const wish = { [type.identifierKey]: identifier, ...owner, ...texts(text), ...more };
    const { id } = await send('POST', `/rest/all${type.path}`, { [type.key]: wish });
    ids.push(id);
    identifiers.push(identifier);
    return `${type.path}/${id}`;
  }

  /** Every way in which a text is written and not shown. */
  const plants: readonly ((type: ContentType) => Promise<unknown>)[] = [
    (type) => save(type, 'draft', canary, pageOnly(type)),
    async (type) => {
      const path = await save(type, 'newer', 'seen');
      await send('POST', `${path}/publish`, {});
      await send('PUT', path, { [type.key]: { ...texts(canary), ...pageOnly(type) } });
    },
    async (type) => {
      const path = await save(type, 'back', canary);
      await send('POST', `${path}/publish`, {});
      await send('POST', `${path}/unpublish`, {});
    },
    async (type) => {
      const path = await save(type, 'off', canary, { active: false });
      await send('POST', `${path}/publish`, {});
    },
    async (type) => {
      const dark = { css: `.${canary}{}`, liveview: false };
      const path = await save(type, 'dark', 'seen', { content: canary, extension_attributes: dark });
      await send('POST', `${path}/publish`, {});
    },
    async (type) => {
      const path = await save(type, 'planned', canary);
      const content_id = Number(path.split('/').at(-1));
      const schedule = { content_id, action: 'publish', due_at: '2040-01-01 00:00:00' };
      await send('POST', '/V1/vendorCms/schedule', { schedule });
    },
  ];

  /** Everything a field of the schema can answer. */
  const selection = (field: GraphQLField<unknown, unknown>): string => {
    const type = getNamedType(field.type);
    if (isScalarType(type)) return field.name;
    const within = Object.values((type as GraphQLObjectType).getFields());
    return `${field.name === '' ? '' : field.name} { ${within.map(selection).join(' ')} }`;
  };

  /** Each query of the schema with each value that fits an argument of it, one at a time. */
  function questions(): string[] {
    const numbers = [...ids, mugId, 2].map(String);
    const names = [...identifiers, 'MUG', 'draft-block'].map((name) => JSON.stringify(name));
    const query = contentSchema.getQueryType();
    return Object.values(query?.getFields() ?? {}).flatMap((field) => {
      const answered = selection(field).slice(field.name.length);
      return field.args.flatMap(({ name, type }) => {
        const text = String(type);
        const values = text.startsWith('Int')
          ? numbers
          : text.startsWith('[')
            ? [`[${names.slice(0, 50).join(',')}]`]
            : names;
        return values.map((value) => `${field.name}(${name}: ${value})${answered}`);
      });
    });
  }

  test('no query of the schema answers unpublished content, with any argument, in any view', async () => {
    let seen = 0;
    const all = questions();
    expect(all.length).toBeGreaterThan(200);
    for (const store of ['default', 'ca', 'admin'])
      for (let at = 0; at < all.length; at += 10) {
        const query = `{ ${all
          .slice(at, at + 10)
          .map((one, n) => `q${n}: ${one}`)
          .join('\n')} }`;
        const { status, body } = await api.call('POST', '/graphql', { body: { query }, headers: { store } });
        expect(status).toBe(200);
        // What was asked comes back in no answer, so that all that is found was told.
        expect({ query, found: JSON.stringify(body).includes(canary) }).toEqual({ query, found: false });
        if (JSON.stringify(body.data ?? null).includes('<p>seen</p>')) seen++;
      }
    expect(seen).toBeGreaterThan(3);
  });

  const paths = () =>
    routes.flatMap(({ method, path }) =>
      [ids[0], identifiers[0]].map((value) => ({ method, path: path.replaceAll(/:\w+/g, String(value)) })),
    );

  test('no route shows a draft to a caller who is not an editor, with a token or without', async () => {
    const admin = await api.call('GET', `${contentTypes[0]?.path}/${ids[0]}`, { token: api.tokens.admin });
    expect(JSON.stringify(admin.body)).toContain(canary);
    const tried = [
      ...paths().map((one) => ({ ...one, token: undefined })),
      ...paths()
        .filter(({ method }) => method === 'GET')
        .map((one) => ({ ...one, token: api.tokens.register })),
    ];
    const leaks: string[] = [];
    for (const { method, path, token } of tried) {
      const answer = await api.call(method, path, {
        ...(token === undefined ? {} : { token }),
        ...(method === 'GET' ? {} : { body: {} }),
      });
      if (JSON.stringify([answer.body, ...answer.headers]).includes(canary)) leaks.push(`${method} ${path}`);
    }
    expect(leaks).toEqual([]);
  });

  test.each([
    '/health/live',
    '/health/ready',
    '/openapi.json',
    '/docs',
    '/docs/graphql',
    '/docs/graphql/start.js',
    '/graphql?query={__schema{types{name,description,fields{name,description}}}}',
    '/',
    `/draft-page`,
    '/receipt/x',
  ])('%s tells nothing of it', async (path) => {
    const { body, headers } = await api.call('GET', path);
    expect(JSON.stringify([body, ...headers])).not.toContain(canary);
  });
});

describe('schedules', () => {
  let api: TestApi;
  let contentId: number;
  beforeAll(async () => {
    const unasked = () => Promise.reject(new Error('nobody asks here'));
    const [begin, tell] = [async () => undefined, async () => undefined];
    api = await testApi({
      workflows: {
        ask: unasked,
        start: begin,
        signal: tell,
        refuseWhileAway: async () => undefined,
        isReachable: async () => true,
      },
    });
    await aShop(api.orm.em.fork());
    const block = { identifier: 'b', title: 'T', content: 'x' };
    contentId = (await call('POST', '/V1/cmsBlock', { block })).body.id;
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const call = (method: string, path: string, body?: unknown, token = api.tokens.admin) =>
    api.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  const path = '/V1/vendorCms/schedule';
  const wish = (more: object = {}) => ({
    schedule: { content_id: contentId, action: 'publish', due_at: '2030-01-01 06:00:00', ...more },
  });
  const render: RenderContent<unknown> = async () => ({ html: '', css: '', uses: [], inViews: [] });
  const carryOut = (scheduleId: number, how = render) =>
    carryOutSchedule(api.orm.em, { scheduleId, render: how, now: new Date() });
  const revision = async () => (await call('GET', `/V1/cmsBlock/${contentId}`)).body.extension_attributes.revision;

  test('the same plan eight times is one, while it waits', async () => {
    const all = await eightAtOnce(() => call('POST', path, wish()));
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    expect((await call('POST', path, wish({ version: 1 }))).status).toBe(400);
    await call('POST', `${path}/${all[0]?.body.id}/cancel`, {});
    expect((await call('POST', path, wish())).body.id).not.toBe(all[0]?.body.id);
  });

  test('carried out eight times at once it is carried out once, and never before its moment', async () => {
    const { body } = await call('POST', path, wish({ due_at: '2031-01-01 06:00:00' }));
    expect(await carryOut(body.id)).toMatchObject({ state: 'pending' });
    await call('PUT', `${path}/${body.id}`, { schedule: { due_at: '2020-01-01 06:00:00' } });
    const before = await revision();
    const all = await eightAtOnce(() => carryOut(body.id));
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['done']));
    expect(await revision()).toBe(before + 1);
    // Taken back by hand afterwards: a late retry does not show it again.
    await call('POST', `/V1/cmsBlock/${contentId}/unpublish`, {});
    await carryOut(body.id);
    expect(await revision()).toBe(before + 2);
    await call('POST', `/V1/cmsBlock/${contentId}/publish`, {});
    expect(await call('PUT', `${path}/${body.id}`, wish())).toMatchObject({
      status: 400,
      body: { message: 'The schedule is over: %1.', parameters: ['done'] },
    });
  });

  test('after an outage the plans of one content are carried out in the order of their moments', async () => {
    const { body: block } = await call('POST', '/V1/cmsBlock', {
      block: { identifier: 'offer', title: 'T', content: 'x' },
    });
    const plan = async (action: string, due_at: string) =>
      (await call('POST', path, wish({ content_id: block.id, action, due_at }))).body.id as number;
    const end = await plan('unpublish', '2020-03-02 06:00:00');
    const begin = await plan('publish', '2020-03-01 06:00:00');
    const later = await plan('publish', '2040-03-01 06:00:00');
    const shown = async () => (await call('GET', `/V1/cmsBlock/${block.id}`)).body.extension_attributes;

    for (const id of [end, begin]) expect(await carryOut(id)).toMatchObject({ state: 'done' });
    expect(await shown()).toMatchObject({ revision: 3 });
    expect(await shown()).not.toHaveProperty('published_version');
    expect((await call('GET', `${path}/${later}`)).body.state).toBe('pending');
    await call('DELETE', `/V1/cmsBlock/${block.id}`);
  });

  test('content that cannot be published makes the schedule failed, with the reason, and changes nothing else', async () => {
    const { body } = await call('POST', path, wish({ action: 'unpublish', due_at: '2020-01-02 06:00:00' }));
    await carryOut(body.id);
    const again = await call('POST', path, wish({ due_at: '2020-01-03 06:00:00' }));
    const before = await revision();
    const failed = await carryOut(again.body.id, async () => {
      throw invalid('Too deep: %1.', [9]);
    });
    expect(failed).toMatchObject({ state: 'failed', refusal: 'Too deep: 9.' });
    expect(await revision()).toBe(before);
  });

  test('who may not publish it may not plan it, move it, call it off or delete it', async () => {
    const planner = await api.adminTokenFor('Vendor_Cms::schedule');
    const { body } = await call('POST', path, wish({ due_at: '2032-01-01 06:00:00' }));
    const refused = { status: 401, body: { parameters: { resources: 'Platform_Cms::block' } } };
    expect(await call('POST', path, wish(), planner)).toMatchObject(refused);
    expect(await call('PUT', `${path}/${body.id}`, wish(), planner)).toMatchObject(refused);
    expect(await call('POST', `${path}/${body.id}/cancel`, {}, planner)).toMatchObject(refused);
    expect(await call('DELETE', `${path}/${body.id}`, undefined, planner)).toMatchObject(refused);
    expect((await call('GET', `${path}/${body.id}`, undefined, planner)).body).toMatchObject({ state: 'pending' });
  });

  test.each([
    [{ content_id: 999_999 }, 404],
    [{ version: 9 }, 404],
    [{ action: 'burn' }, 400],
    [{ action: 'unpublish', version: 1 }, 400],
    [{ due_at: 'soon' }, 400],
    [{ due_at: null }, 400],
  ])('a plan of %j is refused with %i', async (wrong, status) => {
    expect((await call('POST', path, wish(wrong))).status).toBe(status);
  });

  test('plans are found by state, and go with their content', async () => {
    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    const found = await call('GET', `${path}/search?${filter}[field]=state&${filter}[value]=failed`);
    expect(found.body.items).toMatchObject([{ state: 'failed', refusal: 'Too deep: 9.' }]);
    await call('DELETE', `/V1/cmsBlock/${contentId}`);
    expect((await call('GET', `${path}/search?searchCriteria`)).body.total_count).toBe(0);
  });
});
