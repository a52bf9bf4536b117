import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { replayHeader } from '../../../api/http/within.ts';
import { route } from '../../../api/http/route.ts';
import { refusalOf } from '../../../api/wire/refusal-of.ts';
import {
  flag,
  growing,
  idParam,
  integer,
  isoDate,
  jsonText,
  money,
  payload,
  percent,
  quantity,
  rate,
  recordId,
  stockDate,
  storedMoney,
  text,
} from '../../../api/wire/schemas.ts';
import type { Workflows } from '../../../providers/temporal/workflows.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { loseLastAnswer } from '../../support/books/lost-answer.ts';
import { aLayaway } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';

describe('arguments', () => {
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

  const api = useApi({ routes });

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
      expect((await call('GET', '/V1/orders/9223372036854775808')).body.params).toEqual({
        orderId: Number.MAX_SAFE_INTEGER,
      });
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
});

describe('cut off', () => {
  /** Requests with a key whose process is cut off after a commit and before the answer, and that are sent again. */
  let api: TestApi;
  let locationId: number;
  let cutsOff: boolean;

  /** The worker does what it is told; this process dies before it hears so. */
  const cutOff = (own: Workflows): Workflows => ({
    ...own,
    async ask(question) {
      const answer = await own.ask(question);
      if (cutsOff) throw new Error('cut off between the commit and the answer');
      return answer;
    },
  });

  beforeAll(async () => {
    api = await testApi({ workflows: cutOff, expectsFaults: true });
    ({ locationId } = await aShop(fork()));
  });
  beforeEach(() => {
    cutsOff = false;
  });
  afterAll(() => api.close());

  const books = booksOf(() => api.orm);
  const { memosOf, moneyInOf, returnsOf, cancellationsOf, fork, change, howMany } = books;

  /** Sends a request until it is answered: the first time it is cut off. Then once more. */
  async function sendTwice(path: string, body: unknown) {
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => api.call('POST', path, { token: api.tokens.register, body, headers });
    cutsOff = true;
    const cut = await send();
    cutsOff = false;
    const first = await send();
    const replay = await send();
    expect(cut.status).toBe(500);
    expect([first.status, replay.status]).toEqual([200, 200]);
    expect(replay.body).toEqual(first.body);
    expect(replay.headers.get(replayHeader)).toBe('true');
    return first;
  }

  test('a payment of a layaway without a reference is booked once', async () => {
    const { orderId } = await aLayaway(fork());
    const { body } = await sendTwice(`/V1/pos/layaways/${orderId}/payments`, { amount: 40, paymentMethod: 'cash' });
    expect(body).toMatchObject({ total_captured: 40, balance_owed: 68 });
    expect(await moneyInOf(orderId)).toHaveLength(1);
  });

  test('two payments with keys of their own are two', async () => {
    const { orderId } = await aLayaway(fork());
    await sendTwice(`/V1/pos/layaways/${orderId}/payments`, { amount: 40, paymentMethod: 'cash' });
    const { body } = await sendTwice(`/V1/pos/layaways/${orderId}/payments`, { amount: 40, paymentMethod: 'cash' });
    expect(body).toMatchObject({ total_captured: 80 });
  });

  test('a layaway is cancelled once, and the register learns what to hand back', async () => {
    const { orderId } = await aLayaway(fork());
    const { body } = await sendTwice(`/V1/pos/layaways/${orderId}/cancel`, { feePercent: 0, reason: '' });
    expect(body).toMatchObject({ order_id: orderId, status: 'cancelled' });
    expect(await cancellationsOf(orderId)).toHaveLength(1);
  });

  test('a return without a sale id is made once, and is new to a register that lost the answer', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const items = JSON.stringify([{ order_item_id: itemIds[0], qty_requested: 1 }]);
    const { body } = await sendTwice('/V1/pos/rma', { orderId, items });
    expect(body).toMatchObject({ order_id: orderId, reused: false });
    expect(await returnsOf(orderId)).toHaveLength(1);
  });

  test('a collapsed return is run once, whatever the request ids of its repeats', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const items = JSON.stringify([{ order_item_id: itemIds[0], qty: 1 }]);
    const { body } = await sendTwice('/V1/pos/rma/process', { orderId, items, resolution: 'refund' });
    expect(body).toMatchObject({ success: true });
    expect(await memosOf(orderId)).toHaveLength(1);
  });

  test('a comment on a return is written once, though its answer was lost', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const items = JSON.stringify([{ order_item_id: itemIds[0], qty_requested: 1 }]);
    const created = await api.call('POST', '/V1/pos/rma', { token: api.tokens.register, body: { orderId, items } });
    const headers = { 'idempotency-key': randomUUID() };
    const comment = () =>
      api.call('POST', `/V1/pos/rma/${created.body.id}/comment`, {
        token: api.tokens.register,
        body: { comment: 'Box was open' },
        headers,
      });
    await comment();
    await loseLastAnswer(books);
    expect((await comment()).status).toBe(200);
    expect(await howMany('sale_return_comment', { comment: 'Box was open' })).toBe(1);
  });

  test('while the refund of a create is uncertain every repeat gets the 409 of the first call', async () => {
    const { returnId, orderId, attemptId } = await aRefundAttempt(api.orm, { locationId });
    await change(
      'sale_return',
      { return_id: returnId },
      { is_ready: true, pos_sale_id: 'uncertain', requested_refund_method: 'original_payment' },
    );
    const body = { orderId, items: JSON.stringify([{ order_item_id: 1, qty_requested: 1 }]), posSaleId: 'uncertain' };
    const create = (headers = {}) => api.call('POST', '/V1/pos/rma', { token: api.tokens.register, body, headers });
    const uncertain = {
      status: 409,
      body: {
        parameters: {
          outcome: 'gateway_uncertain',
          refund_attempt_id: attemptId,
          refund_attempt_state: 'uncertain',
          return_id: returnId,
        },
      },
    };
    const headers = { 'idempotency-key': randomUUID() };
    expect(await create()).toMatchObject(uncertain);
    expect(await create(headers)).toMatchObject(uncertain);

    await change('refund_attempt', { attempt_id: attemptId }, { state: 'failed' });
    expect(await create(headers)).toMatchObject({ status: 200, body: { reused: true } });
  });
});

describe('values', () => {
  const line = payload({ orderItemId: integer, qty: quantity.optional(), note: text(20).nullish() });
  const remark = payload({ note: text(20).optional() });
  const values = z.object({
    remark: remark.optional(),
    remarks: z.array(remark).optional(),
    money: money.optional(),
    storedMoney: storedMoney.optional(),
    quantity: quantity.optional(),
    percent: percent.optional(),
    rate: rate.optional(),
    flag: flag.optional(),
    integer: integer.optional(),
    recordId: recordId.optional(),
    text: text(5).optional(),
    stockDate: stockDate.optional(),
    isoDate: isoDate.optional(),
    method: z.enum(['cash', 'terminal']).optional(),
    count: z.number().min(1).max(9).optional(),
    line: line.optional(),
    lines: z.array(line).max(3).optional(),
  });

  const read = (given: object) => values.parse(given);
  const refusal = (given: object) => {
    const parsed = values.safeParse(given, { reportInput: true });
    return refusalOf(parsed.error!.issues, given).refusal;
  };

  describe('a value is read as the platform reads it', () => {
    test.each([
      ['money', 12.34, 123_400],
      ['money', '12.3400', 123_400],
      ['money', '-0.0001', -1],
      ['money', -0, 0],
      ['money', '5.00000', 50_000],
      ['money', 0.1 + 0.2, 3_000],
      ['money', '59.970000000000006', 599_700],
      ['quantity', 3 * 1.1, 33_000],
      ['storedMoney', 1.23456, 12_346],
      ['storedMoney', '-1.99995', -20_000],
      ['storedMoney', 1e-9, 0],
      ['quantity', '2.50', 25_000],
      ['percent', 8.25, '8.2500'],
      ['percent', '8.33335', '8.3334'],
      ['rate', 1.36, '1.360000000000'],
      ['integer', '10', 10],
      ['integer', 10, 10],
      ['integer', '10.000', 10],
      ['integer', -0, 0],
      ['recordId', 2 ** 31, 2 ** 31],
      ['recordId', '9007199254740991', Number.MAX_SAFE_INTEGER],
      ['flag', true, true],
      ['flag', 'yes', true],
      ['flag', 'ON', true],
      ['flag', '1', true],
      ['flag', 1, true],
      ['flag', 'foo', false],
      ['flag', 2, false],
      ['flag', '', false],
      ['text', 12.5, '12.5'],
      ['text', true, '1'],
      ['text', false, ''],
      ['text', 'é🙂', 'é🙂'],
      ['stockDate', '2026-02-28 10:00:00', new Date('2026-02-28T10:00:00Z')],
      ['stockDate', '2026-02-28', new Date('2026-02-28T00:00:00Z')],
      ['isoDate', '2026-02-28T10:00:00+02:00', new Date('2026-02-28T08:00:00Z')],
      ['remark', { note: 'b' }, { note: 'b' }],
    ])('%s %j is %j', (name, given, understood) => {
      expect(read({ [name]: given })).toEqual({ [name]: understood });
    });
  });

  describe('a value of the wrong kind is refused in the platform’s words', () => {
    test.each([
      ['money', 'x', 'float'],
      ['money', '1e5', 'float'],
      ['money', '12.34567', 'float'],
      ['money', 33.33333, 'float'],
      ['money', 1e-7, 'float'],
      ['money', 'NaN', 'float'],
      ['money', '', 'float'],
      ['money', ' 1', 'float'],
      ['money', '1\n', 'float'],
      ['money', '١٢', 'float'],
      ['money', true, 'float', '1'],
      ['money', '99999999999999999', 'float'],
      ['storedMoney', '1e5', 'float'],
      ['quantity', '99999999999', 'float'],
      ['integer', '2.5', 'int'],
      ['integer', 2_147_483_648, 'int'],
      ['integer', 2 ** 53, 'int'],
      ['money', Infinity, 'float'],
      ['recordId', 2 ** 53, 'int'],
      ['recordId', '9007199254740992', 'int'],
      ['recordId', '9223372036854775808', 'int'],
      ['recordId', 1e21, 'int'],
      ['integer', {}, 'int', 'array'],
      ['flag', {}, 'bool', 'array'],
      ['flag', [1], 'bool', 'array'],
      ['flag', { toString: 1 }, 'bool', 'array'],
      ['text', ['a'], 'string', 'array'],
      ['remark', 'abc', 'object'],
      ['remark', '', 'object'],
      ['remark', 5, 'object'],
      ['remark', false, 'object', ''],
      ['remarks', ['a', { note: 'b' }], 'object', 'a'],
    ])('%s cannot be %j', (name, given, type, shown = String(given as string)) => {
      expect(refusal({ [name]: given })).toEqual({
        status: 400,
        message: `The "${shown}" value's type is invalid. The "${type}" type was expected. Verify and try again.`,
      });
    });

    test.each([
      ['stockDate', '2026-02-30'],
      ['stockDate', 'tomorrow'],
      ['isoDate', '0000-01-01T00:00:00Z'],
      ['isoDate', '2026-01-01T25:00:00Z'],
      ['method', 'Cash'],
    ])('%s cannot be %j', (fieldName, value) => {
      expect(refusal({ [fieldName]: value })).toEqual({
        status: 400,
        message: 'Invalid value of "%value" provided for the %fieldName field.',
        parameters: { fieldName, value },
      });
    });

    test('a value that is too long, too small or too large gets the bound', () => {
      expect([
        refusal({ text: 'abcdef' }),
        refusal({ count: 0 }),
        refusal({ count: 10 }),
        refusal({ lines: Array.from({ length: 4 }, () => ({ order_item_id: 1 })) }),
      ]).toMatchInlineSnapshot(`
[
  {
    "message": "The %fieldName value must not be longer than %maxLength characters.",
    "parameters": {
      "fieldName": "text",
      "maxLength": 5,
    },
    "status": 400,
  },
  {
    "message": "The %fieldName value of "%value" must be greater than or equal to %minValue.",
    "parameters": {
      "fieldName": "count",
      "minValue": 1,
      "value": 0,
    },
    "status": 400,
  },
  {
    "message": "The %fieldName value of "%value" must be less than or equal to %maxValue.",
    "parameters": {
      "fieldName": "count",
      "maxValue": 9,
      "value": 10,
    },
    "status": 400,
  },
  {
    "message": "Maximum items of type "%type" is %max",
    "parameters": {
      "max": 3,
      "type": "lines",
    },
    "status": 400,
  },
]
`);
    });

    test('within objects the path is named, in the caller’s spelling', () => {
      expect([
        refusal({ line: { order_item_id: 'x' } }),
        refusal({ lines: [{ orderItemId: 1 }, { orderItemId: 2, qty: 'much' }] }),
        refusal({ line: ['x'] }),
        refusal({ lines: 'x' }),
        refusal({ line: 'x' }),
        refusal({ lines: ['x', 5] }),
      ]).toMatchInlineSnapshot(`
[
  {
    "message": "Error occurred during "order_item_id" processing. The "x" value's type is invalid. The "int" type was expected. Verify and try again.",
    "status": 400,
  },
  {
    "message": "Error occurred during "qty" processing. The "much" value's type is invalid. The "float" type was expected. Verify and try again.",
    "status": 400,
  },
  {
    "message": "The "array" value's type is invalid. The "object" type was expected. Verify and try again.",
    "status": 400,
  },
  {
    "message": "The "x" value's type is invalid. The "array" type was expected. Verify and try again.",
    "status": 400,
  },
  {
    "message": "The "x" value's type is invalid. The "object" type was expected. Verify and try again.",
    "status": 400,
  },
  {
    "message": "The "x" value's type is invalid. The "object" type was expected. Verify and try again.",
    "status": 400,
  },
]
`);
    });
  });
});
