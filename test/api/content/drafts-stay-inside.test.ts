import { afterAll, beforeAll, expect, test } from 'vitest';
import { isScalarType, getNamedType, type GraphQLField, type GraphQLObjectType } from 'graphql';
import { contentSchema } from '../../../api/content/graphql/graphql-schema.ts';
import { contentTypes, type ContentType } from '../../../api/content/content-type.ts';
import { routes } from '../../../api/routes.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';

const canary = 'canary7f3a';
let api: TestApi;
let mugId: number;
const ids: number[] = [];
const identifiers: string[] = [];
beforeAll(async () => {
  api = await testApi();
  ({
    mug: { entityId: mugId },
  } = await aShop(api.orm.em.fork()));
  for (const type of contentTypes) for (const plant of plants) await plant(type);
}, 60_000);
afterAll(() => api.close());

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
}, 60_000);

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
