import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { unavailable } from '../../../domain/errors.ts';
import { StillRunning } from '../../../providers/temporal/workflows.ts';
import type { CaptureRequest } from '../../../workflows/layaways/messages.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { aStandIn } from '../../support/stand-in.ts';

/** What a register hears: the workflow is stood in for, so that it can be late or away. */
let api: TestApi;
let orderId: number;
const { moneyInOf, fork, storyOf } = booksOf(() => api.orm);

const standIn = aStandIn<CaptureRequest>();

const book = (request: CaptureRequest) => capturePayment(api.orm.em, { orderId, ...request });
const late = () => new StillRunning();

beforeAll(async () => {
  api = await testApi({ workflows: standIn.workflows });
  await aShop(fork());
});
beforeEach(async () => {
  standIn.asked.length = 0;
  standIn.answer = book;
  ({ orderId } = await aLayaway(fork()));
});
afterAll(() => api.close());

const pay = (body: unknown, id: number | string = orderId) =>
  api.call('POST', `/V1/pos/layaways/${id}/payments`, { token: api.tokens.register, body });
const written = async () => [
  ...(await moneyInOf(orderId)),
  ...(await storyOf(orderId)).filter((comment) => comment.startsWith('Layaway')),
];

test('a payment is answered with the present state of the layaway', async () => {
  const { status, body, headers } = await pay({ amount: 40, paymentMethod: 'cash', reference: 'T-1' });
  expect(headers.get(replayHeader)).toBeNull();
  expect([status, body]).toEqual([
    200,
    {
      order_id: orderId,
      order_increment_id: expect.any(String),
      total_captured: 40,
      balance_owed: 68,
      status: 'open',
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    },
  ]);
  expect(standIn.asked).toEqual([
    {
      ...{ amount: 400_000, paymentMethod: 'cash', reference: 'T-1' },
      ...{ operationKey: expect.stringMatching(/^[\da-f-]{36}$/), beginBefore: expect.stringMatching(/^\d{4}-/) },
      ...{ by: expect.any(String), requestId: expect.any(String) },
    },
  ]);
});

describe('an invalid amount', () => {
  test.each([['0'], ['-0'], ['-0.0'], ['-5'], ['0.0049'], ['0.00001'], ['1e-7'], ['"0"'], ['"-3.5"']])(
    '%s: not positive, nothing written, nobody asked',
    async (amount) => {
      expect(await pay(`{"amount": ${amount}, "paymentMethod": "cash"}`)).toMatchObject({
        status: 400,
        body: { message: 'Layaway capture amount must be positive' },
      });
      expect(standIn.asked).toEqual([]);
      expect(await written()).toEqual([]);
    },
  );

  test.each([
    ['10.00001', 'five decimals'],
    ['"NaN"', 'no number'],
    ['"ten"', 'a word'],
    ['"1e1"', 'an exponent'],
    ['" 10"', 'a blank before it'],
    ['"0x10"', 'another base'],
    ['"10,00"', 'a comma'],
    ['""', 'nothing'],
    ['1e20', 'huge'],
    ['9007199254740993', 'beyond all counting'],
    ['[10]', 'a list'],
    ['{}', 'an object'],
  ])('%s (%s): no number of ours', async (amount) => {
    const { status, body } = await pay(`{"amount": ${amount}, "paymentMethod": "cash"}`);
    expect(status).toBe(400);
    expect(body.message).toMatch(/The "float" type was expected\. Verify and try again\./);
    expect(await written()).toEqual([]);
  });

  test.each(['1e309', 'NaN', 'Infinity', '.5', '0x10'])('%s: no JSON, or none that counts', async (amount) => {
    expect((await pay(`{"amount": ${amount}, "paymentMethod": "cash"}`)).status).toBe(400);
    expect(await written()).toEqual([]);
  });

  test.each([
    [{ paymentMethod: 'cash' }, 'amount'],
    [{ amount: null, paymentMethod: 'cash' }, 'amount'],
    [{ amount: 10 }, 'paymentMethod'],
    [{ amount: 10, paymentMethod: '  ' }, 'paymentMethod'],
  ])('%j: %s is required', async (body, fieldName) => {
    expect(await pay(body)).toMatchObject({
      status: 400,
      body: { message: '"%fieldName" is required. Enter and try again.', parameters: { fieldName } },
    });
  });
});

describe('a reference', () => {
  test.each(['x'.repeat(256), 'x'.repeat(10_240)])('of that length is refused', async (reference) => {
    expect((await pay({ amount: 10, paymentMethod: 'cash', reference })).status).toBe(400);
    expect(await written()).toEqual([]);
  });

  test.each(['"\\u0000"', '"T\\u0000-1"', '"\\ud800"'])('%s that nothing can keep is refused', async (reference) => {
    expect(await pay(`{"amount": 10, "paymentMethod": "cash", "reference": ${reference}}`)).toMatchObject({
      status: 400,
      body: { message: 'Decoding error.' },
    });
    expect(await written()).toEqual([]);
  });

  test.each([null, '', '  '])('%j is not a reference: each call is a payment', async (reference) => {
    await pay({ amount: 10, paymentMethod: 'cash', reference });
    expect((await pay({ amount: 10, paymentMethod: 'cash', reference })).body).toMatchObject({ total_captured: 20 });
  });

  test('a number is the text of it', async () => {
    await pay({ amount: 10, paymentMethod: 'cash', reference: 12 });
    expect((await pay({ amount: 10, paymentMethod: 'cash', reference: '12' })).body).toMatchObject({
      total_captured: 10,
    });
    expect((await pay({ amount: 10, paymentMethod: 'cash', reference: '123' })).body).toMatchObject({
      total_captured: 20,
    });
  });

  test('the order has already is answered from the row, without a workflow, in whatever state', async () => {
    await pay({ amount: 40, paymentMethod: 'cash', reference: 'T-1' });
    standIn.answer = () => Promise.reject(unavailable('away'));
    const again = await pay({ amount: 99, paymentMethod: 'cash', reference: 'T-1' });
    expect(again.headers.get(replayHeader)).toBe('true');
    expect(again).toMatchObject({
      status: 200,
      body: { total_captured: 40 },
    });
    await cancelLayaway(api.orm.em, aCancellation(orderId, 0));
    expect(await pay({ amount: 40, paymentMethod: 'cash', reference: 'T-1' })).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    });
    expect(standIn.asked).toHaveLength(1);
  });
});

describe('refused', () => {
  test('an unknown order, even with other errors', async () => {
    for (const id of [999_999, 0, -1, '99999999999999999999'])
      expect(await pay({ amount: -1, paymentMethod: 'cash' }, id)).toMatchObject({
        status: 404,
        body: { message: "The entity that was requested doesn't exist. Verify the entity and try again." },
      });
    expect((await pay({ amount: 1, paymentMethod: 'cash' }, 'abc')).status).toBe(400);
  });

  test('an order that is not a layaway', async () => {
    const sale = await anOrder(fork());
    expect(await pay({ amount: 10, paymentMethod: 'cash' }, sale.orderId)).toMatchObject({
      status: 400,
      body: { message: 'The order is not a layaway.' },
    });
  });

  test('a cancelled layaway, before any workflow is asked', async () => {
    await cancelLayaway(api.orm.em, aCancellation(orderId, 0));
    expect(await pay({ amount: 10, paymentMethod: 'cash' })).toMatchObject({
      status: 400,
      body: { message: 'The layaway is already cancelled.' },
    });
    expect(standIn.asked).toEqual([]);
  });
});

test('more than is owed is booked up to it; when nothing is owed, nothing is booked', async () => {
  expect((await pay({ amount: 108.01, paymentMethod: 'cash' })).body).toMatchObject({
    total_captured: 108,
    balance_owed: 0,
    status: 'ready_to_settle',
  });
  expect(await pay({ amount: 10, paymentMethod: 'cash' })).toMatchObject({
    status: 200,
    body: { total_captured: 108, status: 'ready_to_settle' },
  });
});

describe('no answer of the workflow', () => {
  test('in time, but the row shows the payment: answered from the row', async () => {
    standIn.answer = async (request) => {
      await book(request);
      throw late();
    };
    expect(await pay({ amount: 10, paymentMethod: 'cash' })).toMatchObject({
      status: 200,
      body: { total_captured: 10 },
    });
  });

  test('in time, and nothing booked: 503, and the same reference is not taken twice', async () => {
    standIn.answer = () => Promise.reject(late());
    const body = { amount: 10, paymentMethod: 'cash', reference: 'T-1' };
    expect(await pay(body)).toMatchObject({
      status: 503,
      body: { message: 'The request waited too long, and nothing was done. Try again later.' },
    });
    await capturePayment(api.orm.em, aPayment(orderId, '10', { reference: 'T-1' }));
    expect(await pay(body)).toMatchObject({ status: 200, body: { total_captured: 10 } });
  });

  test('at all: 503 with the time to come back, and nothing is booked', async () => {
    standIn.answer = () => Promise.reject(unavailable('away'));
    const { status, headers } = await pay({ amount: 10, paymentMethod: 'cash' });
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await written()).toEqual([]);
  });
});
