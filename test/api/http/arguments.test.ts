import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { route } from '../../../api/http/route.ts';
import { growing, idParam, integer, jsonText, payload, quantity, text } from '../../../api/wire/schemas.ts';
import { testApi, type TestApi } from '../../support/api.ts';

const line = payload({ orderItemId: integer, qty: quantity.optional(), note: text(20).nullish() });

const echo = (path: `/V1/${string}`, body: z.ZodType, method: 'POST' | 'PUT' = 'POST') =>
  route({
    method,
    path,
    acl: 'anonymous',
    summary: 'Answers what it understood',
    body,
    response: z.unknown(),
    handle: async ({ body: understood }) => understood,
  });

const routes = [
  echo('/V1/orders', z.object({ orderId: integer, locationId: integer, comment: text(255).optional() })),
  echo('/V1/orders/:orderId', z.object({ orderId: integer, comment: text(255).optional() }), 'PUT'),
  echo('/V1/lines', z.object({ line: line.optional(), lines: z.array(line).max(3).optional() })),
  echo(
    '/V1/documents',
    z.object({ receipt: growing({ saleId: text(64), lines: z.array(growing({ sku: text(64) })).optional() }) }),
  ),
  echo('/V1/many', z.object({ lines: z.array(line).max(1_000) })),
  echo('/V1/longer', z.object({ numbers: z.array(integer).max(25_000) })),
  echo('/V1/texts', z.object({ items: jsonText(z.array(line)) })),
  route({
    method: 'GET',
    path: '/V1/orders/:orderId',
    acl: 'anonymous',
    summary: 'Answers what it understood',
    params: z.object({ orderId: idParam }),
    query: z.object({ limit: integer.default(200), storeId: integer.optional() }),
    response: z.unknown(),
    handle: async ({ params, query }) => ({ params, query }),
  }),
];

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ routes });
});
afterAll(() => api.close());

const post = async (path: string, body: unknown) => {
  const { status, body: answer } = await api.call('POST', path, { body });
  return { status, ...answer };
};
const refused = async (path: string, body: unknown) => {
  const { status, ...answer } = await post(path, body);
  expect(status).toBe(400);
  return answer;
};

describe('arguments', () => {
  test('missing arguments are named in camelCase, several at once', async () => {
    expect([
      await refused('/V1/orders', {}),
      await refused('/V1/orders', { order_id: 1 }),
      await refused('/V1/orders', { order_id: null, location_id: 2 }),
      await refused('/V1/lines', { lines: [{ order_item_id: 1 }, {}] }),
    ]).toMatchInlineSnapshot(`
[
  {
    "errors": [
      {
        "message": ""%fieldName" is required. Enter and try again.",
        "parameters": {
          "fieldName": "orderId",
        },
      },
      {
        "message": ""%fieldName" is required. Enter and try again.",
        "parameters": {
          "fieldName": "locationId",
        },
      },
    ],
    "message": "One or more input exceptions have occurred.",
  },
  {
    "message": ""%fieldName" is required. Enter and try again.",
    "parameters": {
      "fieldName": "locationId",
    },
  },
  {
    "message": ""%fieldName" is required. Enter and try again.",
    "parameters": {
      "fieldName": "orderId",
    },
  },
  {
    "message": ""%fieldName" is required. Enter and try again.",
    "parameters": {
      "fieldName": "orderItemId",
    },
  },
]
`);
  });

  test('a value of the wrong type is reported before missing ones', async () => {
    expect(await refused('/V1/orders', { location_id: 'x' })).toMatchObject({
      message: expect.stringContaining('The "x" value\'s type is invalid.'),
    });
  });

  test('either spelling is taken; of both, camelCase', async () => {
    expect(await post('/V1/orders', { order_id: 1, orderId: 2, location_id: 3 })).toMatchObject({
      orderId: 2,
      locationId: 3,
    });
    expect(await post('/V1/lines', { line: { order_item_id: 1, orderItemId: 2 } })).toMatchObject({
      line: { orderItemId: 2 },
    });
  });

  test('the path wins over the query, the query over the body', async () => {
    const put = (path: string) => api.call('PUT', path, { body: { order_id: 1, comment: 'from the body' } });
    expect((await put('/V1/orders/7?orderId=8&comment=from+the+query')).body).toEqual({
      orderId: 7,
      comment: 'from the query',
    });
  });

  test('unknown keys at the top are ignored, nested ones refused', async () => {
    expect(await post('/V1/orders', { order_id: 1, location_id: 2, extra: 3 })).toEqual({
      status: 200,
      orderId: 1,
      locationId: 2,
    });
    expect(await refused('/V1/lines', { line: { order_item_id: 1, extra: 3 } })).toMatchInlineSnapshot(`
{
  "message": "The "%fieldName" field is not known here. Correct its name and try again.",
  "parameters": {
    "fieldName": "extra",
  },
}
`);
  });

  test('a document that grows by version drops unknown keys', async () => {
    const receipt = { sale_id: 'S', novelty: 1, lines: [{ sku: 'MUG', novelty: 2 }] };
    expect(await post('/V1/documents', { receipt })).toEqual({
      status: 200,
      receipt: { saleId: 'S', lines: [{ sku: 'MUG' }] },
    });
  });

  test('null inside an object is absent, unless the key takes null', async () => {
    expect(await post('/V1/lines', { line: { order_item_id: 1, qty: null, note: null } })).toEqual({
      status: 200,
      line: { orderItemId: 1, note: null },
    });
  });

  test('a path’s id is a whole number; one beyond the largest does not exist', async () => {
    const { call } = api;
    expect((await call('GET', '/V1/orders/0')).body.params).toEqual({ orderId: 0 });
    expect((await call('GET', '/V1/orders/-1')).body.params).toEqual({ orderId: -1 });
    expect((await call('GET', '/V1/orders/9223372036854775808')).body.params).toEqual({ orderId: 2_147_483_647 });
    expect(await call('GET', '/V1/orders/abc')).toMatchObject({
      status: 400,
      body: { message: `The "abc" value's type is invalid. The "int" type was expected. Verify and try again.` },
    });
    expect((await call('GET', '/V1/orders/1%0a')).status).toBe(400);
  });

  test('a query has defaults and either spelling', async () => {
    expect((await api.call('GET', '/V1/orders/1')).body.query).toEqual({ limit: 200 });
    expect((await api.call('GET', '/V1/orders/1?limit=5&store_id=2')).body.query).toEqual({ limit: 5, storeId: 2 });
    expect((await api.call('GET', '/V1/orders/1?limit=5&limit=6')).body.query).toEqual({ limit: 6 });
  });
});

describe('rows that come as JSON text', () => {
  test('are read like any others', async () => {
    expect(await post('/V1/texts', { items: '[{"order_item_id":1,"qty":"2"}]' })).toEqual({
      status: 200,
      items: [{ orderItemId: 1, qty: 20_000 }],
    });
  });

  test('are refused for what they are', async () => {
    expect([
      await refused('/V1/texts', { items: [] }),
      await refused('/V1/texts', { items: '[{' }),
      await refused('/V1/texts', { items: '"[]"' }),
      await refused('/V1/texts', { items: '[{"order_item_id":"x"}]' }),
      await refused('/V1/texts', { items: '[{"order_item_id":1,"odd":1}]' }),
      await refused('/V1/texts', { items: '[{}]' }),
      await refused('/V1/texts', { items: '[{"order_item_id":1,"note":"\\u0000"}]' }),
    ]).toMatchInlineSnapshot(`
[
  {
    "message": "The "array" value's type is invalid. The "string" type was expected. Verify and try again.",
  },
  {
    "message": "The "[{" value's type is invalid. The "array" type was expected. Verify and try again.",
  },
  {
    "message": "The "[]" value's type is invalid. The "array" type was expected. Verify and try again.",
  },
  {
    "message": "Error occurred during "order_item_id" processing. The "x" value's type is invalid. The "int" type was expected. Verify and try again.",
  },
  {
    "message": "The "%fieldName" field is not known here. Correct its name and try again.",
    "parameters": {
      "fieldName": "odd",
    },
  },
  {
    "message": ""%fieldName" is required. Enter and try again.",
    "parameters": {
      "fieldName": "orderItemId",
    },
  },
  {
    "message": "The "[{"order_item_id":1,"note":"\\u0000"}]" value's type is invalid. The "array" type was expected. Verify and try again.",
  },
]
`);
  });
});

test('a list that no list of the route may reach is not gone through, and of missing values a hundred are named', async () => {
  const many = Array.from({ length: 20_001 }, () => ({}));
  const tooMany = { message: 'Maximum items of type "%type" is %max', parameters: { type: 'lines', max: 20_000 } };
  expect(await refused('/V1/lines', { lines: many })).toEqual(tooMany);
  const keyed = { lines: Object.fromEntries(many.map((one, at) => [at, one])) };
  const token = api.tokens.register;
  expect(await api.call('POST', '/V1/lines', { token, body: keyed })).toMatchObject({ status: 400, body: tooMany });
  expect(await refused('/V1/lines', { lines: many.slice(0, 9) })).toMatchObject({ parameters: { max: 3 } });
  expect((await refused('/V1/many', { lines: many.slice(0, 500) })).errors).toHaveLength(100);
  expect((await post('/V1/longer', { numbers: Array.from({ length: 22_000 }, () => 1) })).status).toBe(200);
});
