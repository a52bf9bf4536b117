import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { unavailable } from '../../../domain/errors.ts';
import { reasonSealedFor } from '../../../domain/layaways/sealed-reason.ts';
import { StillRunning } from '../../../providers/temporal/workflows.ts';
import type { CancelRequest } from '../../../workflows/layaways/messages.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { aStandIn } from '../../support/stand-in.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';

/** What a register hears: the workflow is stood in for, so that it can be late or away. */
let api: TestApi;
let orderId: number;
const standIn = aStandIn<CancelRequest>();
const carryOut = ({ sealedReason, ...others }: CancelRequest) => {
  const reason = sealedReason === null ? null : api.providers.secrets.open(sealedReason, reasonSealedFor);
  return cancelLayaway(api.orm.em, { orderId, ...others, reason });
};
const late = () => new StillRunning();

beforeAll(async () => {
  api = await testApi({ workflows: standIn.workflows });
  await aShop(fork());
});
beforeEach(async () => {
  standIn.asked.length = 0;
  standIn.answer = carryOut;
  ({ orderId } = await aLayaway(fork()));
  await capturePayment(api.orm.em, aPayment(orderId, '40'));
});
afterAll(() => api.close());

const cancel = (body: unknown, id: number | string = orderId) =>
  api.call('POST', `/V1/pos/layaways/${id}/cancel`, { token: api.tokens.register, body });
const { cancellationsOf, fork, entriesOf } = booksOf(() => api.orm);

test('the answer says what to hand back and how; what a person wrote does not travel', async () => {
  const { status, body } = await cancel({ feePercent: 20, reason: 'Ann moved away' });

  expect([status, body]).toEqual([
    200,
    {
      order_id: orderId,
      order_increment_id: expect.any(String),
      total_captured: 40,
      balance_owed: 0,
      status: 'cancelled',
      expires_at: expect.any(String),
      cancellation_fee: 8,
      refund_amount: 32,
      refund_method: 'cash',
      credit_memo_increment_id: expect.any(String),
      credit_legs: [],
    },
  ]);
  expect(standIn.asked).toEqual([
    {
      feePercent: 200_000,
      sealedReason: expect.stringMatching(/^v1:[\da-f]{8}:/),
      operationKey: expect.any(String),
      beginBefore: expect.stringMatching(/^\d{4}-/),
      by: expect.any(String),
      requestId: expect.any(String),
      actor: { apiUser: { type: 'integration', id: expect.any(Number) } },
    },
  ]);
  expect(await cancellationsOf(orderId, 'reason')).toEqual([{ reason: 'Ann moved away' }]);
});

test('credit that was spent on it is answered leg by leg', async () => {
  const customerId = await aCustomer(fork());
  await addEntry(fork(), anEntry(customerId, { amount: '100' }));
  ({ orderId } = await aLayaway(fork(), {
    customerId,
    credits: [{ credit_type: 'store_credit', amount: 30 }],
  }));
  expect((await cancel({ feePercent: 10, reason: '' })).body).toMatchObject({
    total_captured: 0,
    cancellation_fee: 3,
    refund_amount: 0,
    credit_legs: [
      {
        kind: 'store_credit',
        provider_code: 'store_credit',
        applies_as: 'tender',
        direction: 'returned',
        base_amount: 27,
        amount: 27,
      },
    ],
  });
  const returned = (await entriesOf(customerId, 'delta', 'api_user_type', 'api_user_id')).at(-1);
  expect(returned).toMatchObject({ delta: '27.0000', api_user_type: 'integration' });
  expect(returned?.api_user_id).toBeGreaterThan(0);
});

describe('the fee', () => {
  test.each(['-0.0000001', '-1', '100.0000001', '100.00000000000003', '101', '"100.01"', '1e3'])(
    'of %s percent is outside its bounds',
    async (feePercent) => {
      expect(await cancel(`{"feePercent": ${feePercent}, "reason": "x"}`)).toMatchObject({
        status: 400,
        body: { message: 'Layaway cancellation fee percent must be between 0 and 100' },
      });
      expect(standIn.asked).toEqual([]);
    },
  );

  test.each(['"NaN"', '"ten"', '[]', '{}', '""', '" 5"', '"0x5"'])('%s is no number', async (feePercent) => {
    const { status, body } = await cancel(`{"feePercent": ${feePercent}, "reason": "x"}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining('The "float" type was expected')]);
  });

  test.each([
    ['0', 0, 40],
    ['-0', 0, 40],
    ['100', 40, 0],
    ['"12.5"', 5, 35],
    ['33.333333333333336', 13.33, 26.67],
    ['1e-7', 0, 40],
  ])('of %s percent keeps %d, and %d is handed back', async (feePercent, fee, refund) => {
    expect((await cancel(`{"feePercent": ${feePercent}, "reason": "x"}`)).body).toMatchObject({
      cancellation_fee: fee,
      refund_amount: refund,
      credit_memo_increment_id: expect.any(String),
    });
  });

  test('is required', async () => {
    expect((await cancel({ reason: 'x' })).body).toMatchObject({ parameters: { fieldName: 'feePercent' } });
  });
});

describe('refused', () => {
  test('an unknown order', async () => {
    expect((await cancel({ feePercent: 0, reason: 'x' }, 999_999)).status).toBe(404);
  });

  test('an order that is not a layaway', async () => {
    const sale = await anOrder(fork());
    expect(await cancel({ feePercent: 0, reason: 'x' }, sale.orderId)).toMatchObject({
      status: 400,
      body: { message: 'The order is not a layaway.' },
    });
  });

  test('a second time, from the row, even when workflows are away', async () => {
    await cancel({ feePercent: 0, reason: 'x' });
    standIn.answer = () => Promise.reject(unavailable('away'));
    expect(await cancel({ feePercent: 0, reason: 'x' })).toMatchObject({
      status: 400,
      body: { message: 'The layaway is already cancelled.' },
    });
    expect(standIn.asked).toHaveLength(1);
  });

  test('one paid in full', async () => {
    await capturePayment(api.orm.em, aPayment(orderId, '68'));
    expect(await cancel({ feePercent: 0, reason: 'x' })).toMatchObject({
      status: 400,
      body: { message: 'The layaway is already paid in full.' },
    });
  });

  test('a reason with a card number in it', async () => {
    expect((await cancel({ feePercent: 0, reason: 'card 4111 1111 1111 1111' })).status).toBe(400);
  });
});

const notBegun = {
  status: 503,
  body: { message: 'The request waited too long, and nothing was done. Try again later.' },
};

describe('no answer of the workflow', () => {
  test('in time, but the row shows it cancelled by this request: answered', async () => {
    standIn.answer = async (request) => {
      await carryOut(request);
      throw late();
    };
    expect(await cancel({ feePercent: 10, reason: 'x' })).toMatchObject({ status: 200, body: { refund_amount: 36 } });
  });

  test('in time, and another request cancelled it: that does not answer this request', async () => {
    standIn.answer = async () => {
      await cancelLayaway(api.orm.em, aCancellation(orderId, 0));
      throw late();
    };
    expect(await cancel({ feePercent: 10, reason: 'x' })).toMatchObject(notBegun);
  });

  test('at all: 503 with the time to come back', async () => {
    standIn.answer = () => Promise.reject(unavailable('away'));
    const { status, headers } = await cancel({ feePercent: 0, reason: 'x' });
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  });
});
