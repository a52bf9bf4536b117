import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/within.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { locations } from '../../../db/locations/locations.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { unavailable } from '../../../domain/errors.ts';
import { reasonSealedFor } from '../../../domain/layaways.ts';
import { StillRunning } from '../../../providers/temporal/workflows.ts';
import type { CancelRequest, CaptureRequest } from '../../../workflows/layaways/messages.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aReceipt, aTerminal, secretBox, secretKey } from '../../support/builders/counter.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { aStandIn } from '../../support/stand-in.ts';

describe('cancel layaway', () => {
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
});

describe('capture layaway payment', () => {
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
});

describe('date layaway', () => {
  let api: TestApi;
  let locationId: number;
  let terminalId: number;
  beforeAll(async () => {
    api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
    ({ locationId } = await aShop(fork()));
    ({ terminalId } = await aTerminal(fork(), { locationId }));
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const { theOrder, fork, change } = booksOf(() => api.orm);
  const days = (layawayExpiryDays: number | null) =>
    locations.save(fork(), { id: locationId, draft: { layawayExpiryDays } });
  const shopDays = (value: string | null) =>
    setConfigValue(fork(), secretBox, { path: 'vendor_pos_terminal/layaway/expiry_days', value });

  async function place(given: Record<string, unknown> = {}, { isReceiptSent = true, isLayaway = true } = {}) {
    const attributes = isLayaway ? { pos_layaway_status: 'open', ...given } : given;
    const state = isLayaway ? { state: 'pending_payment', status: 'pending_payment' } : {};
    const saleId = randomUUID();
    const token = api.tokens.register;
    const receipt = aReceipt(terminalId, { sale_id: saleId, location_id: locationId });
    if (isReceiptSent) await api.call('POST', '/V1/pos/receipts', { token, body: { receipt } });
    const { body } = await api.call('POST', '/V1/orders', {
      token,
      body: {
        entity: {
          ...aPostedSale(),
          ...state,
          extension_attributes: { pos_sale_id: saleId, ...attributes },
        },
      },
    });
    return Number(body.entity_id);
  }

  async function daysLeft(orderId: number): Promise<number | null> {
    const order = await theOrder(orderId, 'pos_layaway_expires_at', 'created_at');
    const [placed, expires] = [order.created_at, order.pos_layaway_expires_at];
    return expires === null ? null : Math.floor((Date.parse(expires) - Date.parse(placed)) / 86_400_000);
  }

  test('a layaway that was posted without a moment expires after the days of its location, else of the shop', async () => {
    expect(await daysLeft(await place())).toBe(30);
    await shopDays('45');
    expect(await daysLeft(await place())).toBe(45);
    await days(60);
    expect(await daysLeft(await place())).toBe(60);
    expect(await daysLeft(await place({}, { isReceiptSent: false }))).toBe(45);
    await saveTerminal(fork(), terminalId, { configOverrides: { layaway_expiry_days: 14 } });
    expect(await daysLeft(await place())).toBe(14);
    await saveTerminal(fork(), terminalId, { configOverrides: {} });
    await days(null);
    await shopDays(null);
  });

  test('zero days are no window: the layaway never expires, nor does a later save date it', async () => {
    await days(0);
    const orderId = await place();
    expect(await daysLeft(orderId)).toBeNull();
    await change('sales_order', { entity_id: orderId }, { pos_layaway_followed_at: new Date() });
    await days(60);
    const saved = await api.call('POST', '/V1/orders', {
      token: api.tokens.register,
      body: { entity: { entity_id: orderId, extension_attributes: { pos_layaway_status: 'open' } } },
    });
    expect([saved.status, await daysLeft(orderId)]).toEqual([200, null]);
    await days(null);
  });

  test('a moment that was posted stays, at placement and when the order is saved again', async () => {
    // A whole second: a part of one is rounded where it is stored.
    const posted = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3 * 86_400_000).toISOString();
    const orderId = await place({ pos_layaway_expires_at: posted });
    const stored = (await theOrder(orderId, 'pos_layaway_expires_at')).pos_layaway_expires_at;
    expect(Date.parse(String(stored))).toBe(Date.parse(posted));
    await api.call('POST', '/V1/orders', {
      token: api.tokens.register,
      body: { entity: { entity_id: orderId, extension_attributes: { pos_layaway_status: 'open' } } },
    });
    expect((await theOrder(orderId, 'pos_layaway_expires_at')).pos_layaway_expires_at).toBe(stored);
  });

  test('an order that is not a layaway gets no date', async () => {
    expect(await daysLeft(await place({}, { isLayaway: false }))).toBeNull();
  });
});
