import { describe, expect, test } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { z } from 'zod';
import { write } from '../../../../api/http/middleware/handle.ts';
import { brunoCollection, zipOf } from '../../../../api/http/openapi/bruno.ts';
import { openApiOf } from '../../../../api/http/openapi/document.ts';
import { examplesOf } from '../../../../api/http/openapi/meaning.ts';
import { outcomesOf } from '../../../../api/http/openapi/refusals.ts';
import { isJson } from '../../../../api/http/openapi/json.ts';
import { operationIdOf } from '../../../../api/http/openapi/operation.ts';
import { parametersByCode } from '../../../../api/wire/outcomes.ts';
import { routes } from '../../../../api/routes.ts';
import { route } from '../../../../api/http/route.ts';

const document = openApiOf(routes, { title: 'Point of sale', version: '1.3.0' });
const text = JSON.stringify(document);

interface Operation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: { 'application/json': { schema: object } } };
  responses: Record<string, object>;
}
const all = document['paths'] as Record<string, Record<string, Operation>>;
const isLater = ([path]: readonly [string, unknown]) => path.startsWith('/rest/async/');
const paths = Object.fromEntries(Object.entries(all).filter((one) => !isLater(one)));
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('every route is in the document, once, and nothing else is', () => {
  // Routes of one path may call its variables differently; the document has one name for each.
  const written = operations
    .map(({ path, method }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    .toSorted();
  const mounted = routes.map(({ path, method }) => `${method} /rest${path.replaceAll(/:\w+/g, '{}')}`).toSorted();
  expect(written).toEqual(mounted);
  expect(document['openapi']).toBe('3.1.0');
});

test('goodwill and fees say whose currency they are in: of the order at the counter, of the base in the platform', () => {
  const described = [
    ...text.matchAll(/"adjustment(?:Positive|Negative|_positive|_negative)":\{"description":"([^"]*)"/g),
  ].map(([, said]) => said!);
  expect(described.filter((said) => said.endsWith("in the order's currency"))).toHaveLength(4);
  // The platform's two refunds share one shape.
  expect(described.filter((said) => said.endsWith('in the base currency'))).toHaveLength(2);
});

test('what a page fills in by itself is a search that is taken: half a filter is refused', () => {
  const { parameters } = document['components'] as { parameters: Record<string, Record<string, unknown>> };
  const filledIn = Object.values(parameters).filter(
    ({ in: where, example, schema }) =>
      where === 'query' && (example !== undefined || Object(schema).default !== undefined),
  );
  expect(filledIn.map(({ name }) => name)).toEqual(['searchCriteria[page_size]', 'searchCriteria[current_page]']);
});

test('what is carried out later is described once, for all routes that write', () => {
  const later = Object.entries(all).filter(isLater);
  expect(later.map(([path]) => path)).toEqual(['/rest/async/V1/{route}', '/rest/async/bulk/V1/{route}']);
  for (const [, { post }] of later)
    expect(Object.keys(post!.responses)).toEqual(['202', '400', '401', '404', 'default']);
});

test('every reference leads somewhere, and every named shape is referred to', () => {
  const lookUp = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
  expect(references.filter((reference) => !reference.startsWith('#/') || lookUp(reference) === undefined)).toEqual([]);

  const named = Object.keys(lookUp('#/components/schemas') ?? {}).map((name) => `#/components/schemas/${name}`);
  expect(named.filter((reference) => !references.includes(reference))).toEqual([]);
});

test('no shape is only a reference, least of all to itself', () => {
  const { schemas } = document['components'] as { schemas: Record<string, object> };
  expect(Object.entries(schemas).filter(([, schema]) => '$ref' in schema)).toEqual([]);
});

test('an operation has a name of its own, a summary, its variables and an answer', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { path, operation } of operations) {
    expect(operation.summary).not.toBe('');
    expect(operation.summary).not.toMatch(/\.$/);
    const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const described = operation.parameters.filter((one) => one.in === 'path' && one.required).map(({ name }) => name);
    expect({ path, described: described.toSorted() }).toEqual({ path, described: variables.toSorted() });
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', 'default']));
  }
});

test('every write that has a caller takes an Idempotency-Key, and tells a replay by a header', () => {
  const keyed = operations.filter(({ operation }) =>
    operation.parameters.some((one) => '$ref' in one && one.$ref === '#/components/parameters/IdempotencyKey'),
  );
  const writes = operations.filter(
    ({ method, operation }) => /^(post|put)$/.test(method) && operation.security.length > 0,
  );
  expect(keyed.map(({ path }) => path)).toEqual(writes.map(({ path }) => path));
  for (const { operation } of keyed) {
    expect(operation.responses['200']).toMatchObject({ headers: { 'Idempotent-Replayed': expect.any(Object) } });
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['409', '422']));
  }
});

test('a path with two names for its variable has the one of the route that reads', () => {
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/rest/V1/orders/{id}', '/rest/V1/categories/{categoryId}']),
  );
  expect(Object.keys(paths['/rest/V1/orders/{id}'] ?? {}).toSorted()).toEqual(['get', 'put']);
});

test('an answer says when to come back only where it is sent: with every 503, and with a key in use', () => {
  for (const { path, method, operation } of operations) {
    const described = Object.entries(operation.responses).filter(
      ([, answer]) => 'headers' in answer && 'Retry-After' in Object(answer.headers),
    );
    const sent = Object.entries(operation.responses).filter(
      ([status, answer]) => status === '503' || JSON.stringify(answer).includes('"outcome":"idempotency_key_in_use"'),
    );
    expect({ path, method, described: described.map(([status]) => status) }).toEqual({
      path,
      method,
      described: sent.map(([status]) => status),
    });
  }
});

test('a body is described, not just announced', () => {
  for (const { path, operation } of operations) {
    const schema = operation.requestBody?.content['application/json'].schema;
    if (schema) expect({ path, schema }).toEqual({ path, schema: { $ref: expect.any(String) } });
  }
});

test('what contains itself is described once and refers to itself', () => {
  const item = z.object({ sku: z.string(), parentItem: z.lazy((): z.ZodType => item).optional() });
  const [one, other] = (['/V1/one', '/V1/other'] as const).map((path) =>
    route({
      method: 'POST',
      path,
      acl: 'anonymous',
      summary: 'Takes an item',
      body: z.object({ item, note: path === '/V1/one' ? z.string() : z.int() }),
      response: item,
      handle: async ({ body }) => body.item,
    }),
  );
  const { components } = openApiOf([one!, other!], { title: 'x', version: '1' });
  expect((components as { schemas: object }).schemas).toMatchObject({
    PostOneAnswer: {
      properties: { sku: { type: 'string' }, parentItem: { $ref: '#/components/schemas/PostOneAnswer' } },
    },
    PostOneRequest0: { properties: { parent_item: { $ref: '#/components/schemas/PostOneRequest0' } } },
    PostOtherRequest0: { properties: { parent_item: { $ref: '#/components/schemas/PostOtherRequest0' } } },
  });
});

test('`fields` is declared on each route whose answer it shortens, and on no other', async () => {
  const declared = new Set(
    operations.flatMap(({ operation }) =>
      operation.parameters.some((one) => '$ref' in one && one.$ref === '#/components/parameters/Fields')
        ? [operation.operationId]
        : [],
    ),
  );
  const shortened: { name: string; isShortened: boolean }[] = [];
  for (const one of routes) {
    const [first] = examplesOf(one);
    // What is empty, or a text, is answered whole anyway.
    if (!isJson(first?.response) && !(Array.isArray(first?.response) && first.response.length > 0)) continue;
    const written = async (fields?: string) => (await write(one, first.response, fields)).join('');
    const [whole, kept] = [await written(), await written('no_such_key')];
    shortened.push({ name: operationIdOf(one), isShortened: whole !== kept && !one.isStreamed });
  }
  expect(shortened.filter(({ isShortened }) => isShortened).length).toBeGreaterThan(200);
  const answersText = routes.filter(({ path }) => /coupons$|labels?$/.test(path)).map(operationIdOf);
  expect(answersText.filter((name) => /^get/.test(name) && declared.has(name))).toEqual([]);
  expect(shortened.filter(({ name, isShortened }) => isShortened !== declared.has(name))).toEqual([]);
});

describe('a refusal with a code', () => {
  const codes = new Set(routes.flatMap((one) => outcomesOf(one).flatMap(({ code }) => code ?? [])));
  const { schemas } = document['components'] as { schemas: Record<string, { properties?: object }> };

  test('is a union of what each code carries, told apart by the code, where all refusals of a status have one', () => {
    const { post } = all['/rest/V1/pos/rma']!;
    expect(post!.responses['409']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            required: ['message', 'parameters'],
            properties: {
              parameters: {
                oneOf: expect.arrayContaining([{ $ref: '#/components/schemas/GatewayUncertain' }]),
                discriminator: {
                  propertyName: 'outcome',
                  mapping: { gateway_uncertain: '#/components/schemas/GatewayUncertain' },
                },
              },
            },
          },
        },
      },
    });
    expect(schemas['GatewayUncertain']).toMatchObject({
      properties: {
        outcome: { enum: ['gateway_uncertain'] },
        refund_attempt_id: { type: 'integer' },
        return_id: { type: ['integer', 'null'] },
      },
      required: ['outcome', 'refund_attempt_id', 'refund_attempt_state', 'return_id'],
    });
  });

  test('carries what is said of it, and nothing is said of a code that no route has', () => {
    expect(Object.keys(parametersByCode).filter((code) => !codes.has(code))).toEqual([]);
  });
});

describe('what is sent and what is answered', () => {
  test('are two shapes where they differ, and each says what it requires', () => {
    const { schemas } = document['components'] as { schemas: Record<string, { required?: string[] }> };
    expect(schemas['Receipt']!.required!.length).toBeGreaterThan(schemas['ReceiptInput']!.required?.length ?? 0);
    const inputs = Object.keys(schemas).filter((name) => name.endsWith('Input'));
    expect(inputs.length).toBeGreaterThan(20);
    expect(inputs.filter((name) => !(name.replace(/Input$/, '') in schemas))).toEqual([]);
    expect(text).not.toMatch(/"(?:readOnly|writeOnly)"/);
  });

  test('a JSON text says what is in it by a name', () => {
    const inside = [
      ...text.matchAll(
        /"contentSchema":(\{"\$ref":"#\/components\/schemas\/(\w+)"|\{[^}]*"items":\{"\$ref":"#\/components\/schemas\/(\w+)")/g,
      ),
    ];
    const named = new Set(inside.map(([, , whole, row]) => String(whole ?? row)));
    expect([...named]).toEqual(
      expect.arrayContaining([
        ...['GlobalConfig', 'TerminalConfig', 'Permissions', 'PreviewedReturnLine', 'ProcessedReturnLine'],
        ...['ReceivedReturnLine', 'RequestedReturnLine', 'ResolvedReturnLine'],
      ]),
    );
  });
});

describe('the Bruno collection', () => {
  const collection = brunoCollection(document);
  test('has a request for every operation of the document, with its path and its first example', () => {
    const requests = [...collection].filter(([, file]) => file.includes('type: http'));
    expect(requests.length).toBe(Object.values(all).flatMap((methods) => Object.keys(methods)).length);
    const sale = collection.get('sell/placeOrder.bru') ?? '';
    expect(sale).toContain('post {\n  url: {{api}}/V1/orders\n  body: json\n  auth: inherit\n}');
    expect(sale).toContain('Idempotency-Key: {{$guid}}');
    expect(JSON.parse(/body:json \{\n([\s\S]*?)\n\}\n/.exec(sale)?.[1] ?? '')).toHaveProperty('entity.items');
    const read = collection.get('sell/getOrder.bru') ?? '';
    expect(read).toMatch(/url: \{\{api\}\}\/V1\/orders\/:id\n/);
    expect(read).toMatch(/params:path \{\n {2}id: \d+\n\}/);
  });

  /** In the order in which a person sends them from top to bottom. */
  const seqOf = (file = '') => Number(/seq: (\d+)/.exec(file)?.[1]);
  const inOrder = [...collection]
    .filter(([, file]) => file.includes('type: http'))
    .toSorted(([one, file], [other, another]) => {
      const folders = [one, other].map((path) => seqOf(collection.get(`${path.split('/')[0]}/folder.bru`)));
      return folders[0]! - folders[1]! || seqOf(file) - seqOf(another);
    });

  test('signs in first, keeps the tokens for the requests behind, and signs out last', () => {
    const [administrator, customer] = inOrder.map(([, file]) => file);
    expect(administrator).toContain('url: {{api}}/V1/integration/admin/token');
    expect(administrator).toContain(`if (res.getStatus() === 200) bru.setVar('adminToken', res.getBody());`);
    expect(customer).toContain('url: {{api}}/V1/integration/customer/token');
    expect(customer).toContain(`bru.setVar('customerToken', res.getBody());`);
    expect(inOrder.at(-1)?.[1]).toContain('/V1/integration/customer/revoke-customer-token');
    const asked = new Set(
      inOrder.flatMap(([, file]) => [...file.matchAll(/token: \{\{(\w+)\}\}/g)]).map(([, name]) => name),
    );
    expect(asked).toEqual(new Set(['adminToken', 'customerToken']));
    expect(collection.get('collection.bru')).toContain('`adminToken` and `customerToken` are kept by');
  });

  test('sends by the register’s token what that opens, and the rest by an administrator’s', () => {
    expect(collection.get('return/settleReturn.bru')).toContain('auth: inherit');
    expect(collection.get('credit/creditWallet.bru')).toContain('token: {{adminToken}}');
    expect(collection.get('platform-carts/getOwnCart.bru')).toContain('token: {{customerToken}}');
  });

  test('leaves no gap in a path, and fills in the rows of a query as the example has them', () => {
    const gaps = inOrder.filter(([, file]) => /params:path \{\n(?: {2}\w+: .*\n)*? {2}\w+: *\n/.test(file));
    expect(gaps.map(([path]) => path)).toEqual([]);
    expect(collection.get('platform-inventory/areProductsSalable.bru')).toContain('skus[]: PLATE-WHITE');
  });

  test('comes as a zip file, the same each time', () => {
    const files = Object.entries(unzipSync(zipOf(collection)));
    expect(new Map(files.map(([path, bytes]) => [path, strFromU8(bytes)]))).toEqual(collection);
    expect(zipOf(collection).equals(zipOf(brunoCollection(document)))).toBe(true);
  });
});
