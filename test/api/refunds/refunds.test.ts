import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { replayHeader } from '../../../api/http/within.ts';
import { expectedLegs } from '../../../api/wire/outcomes.ts';
import { verify } from '../../../books/verify/verify.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { amount, formatAmount, zero, pieces } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { StillRunning } from '../../../providers/temporal/workflows.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aCustomerWithCredit, aGiftCard, cardBalance, walletOf, withPoints } from '../../support/builders/credit.ts';
import { anOrder, aPostedOrder, type WantedOrder } from '../../support/builders/order.ts';
import { anItem, aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { seed } from '../../support/seed.ts';
import { aStandIn } from '../../support/stand-in.ts';
import { api, locationId, opensAShop, preview } from './previewed-refunds.ts';

describe('preview equals settlement', () => {
  opensAShop();

  const { memosOf, theOrder, fork } = booksOf(() => api.orm);

  test.each(['original', 'store_credit'])(
    'a settle with store credit that acted on a preview of channel %s finds no difference',
    async (channel) => {
      const customerId = await aCustomerWithCredit(api.orm, '1000');
      const credits = [{ credit_type: 'store_credit', amount: '20' }];
      const { returnId, orderId, orderItemId } = await aReturn(api.orm, {
        locationId,
        order: { customerId, credits, currency: 'CAD', rate: '1.36', storeId: 2 },
        refundMethod: 'store_credit',
      });
      await initialiseReturn(api.orm.em, { returnId, canRefundThrough: () => false });
      const items = JSON.stringify([{ order_item_id: orderItemId, qty: 1 }]);
      const shown = (await preview({ orderId, items, channel })).body;
      const returned = shown.legs.filter((leg: { direction: string }) => leg.direction === 'returned');
      const given = shown.legs.reduce((sum: number, leg: { amount: number }) => sum + leg.amount, shown.handback);
      expect(given).toBeCloseTo(shown.refund_total, 4);
      expect(returned).toHaveLength(1);
      expect(shown.handback === 0).toBe(channel === 'store_credit');

      await bookSettlement(fork(), {
        returnId,
        method: 'store_credit',
        options: plainSettlement,
        requestId: `s-${returnId}`,
        expectedLegs: expectedLegs.parse(shown.legs) ?? [],
      });

      const settled = (await api.call('GET', `/V1/pos/rma/${returnId}`, { token: api.tokens.register })).body;
      expect(settled).toMatchObject({ status: 'closed', refund_legs: returned, refund_difference: null });
    },
  );

  /** Of the one memo of an order, and of the order's own books. */
  async function totalsOf(orderId: number) {
    const [memo] = await memosOf(orderId, 'grand_total', 'base_grand_total');
    const order = await theOrder(orderId, 'total_refunded', 'base_total_refunded');
    return {
      ...{ memo: Number(memo?.grand_total), base_memo: Number(memo?.base_grand_total) },
      ...{ refunded: Number(order.total_refunded), base_refunded: Number(order.base_total_refunded) },
    };
  }

  test('a settlement equals its preview, for any price, tax, quantity and adjustment', async () => {
    const cents = fc.integer({ min: 1, max: 99_999 });
    await fc.assert(
      fc.asyncProperty(
        cents,
        fc.integer({ min: 0, max: 2_000 }),
        fc.integer({ min: 1, max: 5 }),
        // In cents, as finely as a register may ask.
        fc.integer({ min: 0, max: 500 }),
        fc.nat(),
        async (price, tax, qty, goodwill, pick) => {
          const lines = [{ sku: 'PLATE', qty, price: (price / 100).toFixed(2), tax: (tax / 100).toFixed(2) }];
          const asked = 1 + (pick % qty);
          const rma = await aReturn(api.orm, {
            locationId,
            refundMethod: 'cash',
            order: { lines, method: 'checkmo' },
            item: { qtyRequested: pieces(asked) },
          });
          const promised = await preview({
            orderId: rma.orderId,
            items: JSON.stringify([{ order_item_id: rma.orderItemId, qty: asked }]),
            adjustmentNegative: Math.min(goodwill, price) / 100,
          });
          await initialiseReturn(api.orm.em, { returnId: rma.returnId, canRefundThrough: () => false });
          const options = {
            adjustmentPositive: amount(0),
            adjustmentNegative: amount(Math.min(goodwill, price) * 100),
            shippingAmount: null,
            notifyCustomer: false,
          };
          await bookSettlement(api.orm.em, {
            returnId: rma.returnId,
            method: 'cash',
            options,
            requestId: `p-${rma.returnId}`,
          });

          const booked = await api.call('GET', `/V1/pos/rma/${rma.returnId}`, { token: api.tokens.register });
          expect(booked.body.base_refund_total).toBe(promised.body.base_refund_total);
          expect(booked.body.base_handback).toBe(promised.body.base_handback);
          expect(await totalsOf(rma.orderId)).toEqual({
            memo: promised.body.refund_total,
            base_memo: promised.body.base_refund_total,
            refunded: promised.body.refund_total,
            base_refunded: promised.body.base_refund_total,
          });
        },
      ),
      { seed, numRuns: 15 },
    );
  });
});

describe('preview refund credits', () => {
  let api: TestApi;
  let locationId: number;
  beforeAll(async () => {
    api = await testApi();
    ({ locationId } = await aShop(fork()));
    // Whatever is drawn, the shelves hold it.
    await fillShelves();
  });
  afterAll(async () => {
    expect(await verify(fork())).toEqual([]);
    await api.close();
  });

  const { fork, total, fillShelves } = booksOf(() => api.orm);

  const preview = async (orderId: number, orderItemId: number, qty: number, adjustmentNegative: number) => {
    const items = JSON.stringify([{ order_item_id: orderItemId, qty }]);
    const body = { orderId, items, adjustmentNegative };
    return (await api.call('POST', '/V1/pos/refunds/preview', { token: api.tokens.register, body })).body;
  };

  async function settled(orderId: number, orderItemId: number, qty: number, fee: number) {
    const item = { ...anItem(orderItemId), qtyRequested: pieces(qty) };
    const { returnId } = await createReturn(api.orm.em, {
      orderId,
      customerId: null,
      locationId,
      items: [item],
      comment: null,
      isAutoApproved: true,
      refundMethod: 'cash',
      posSaleId: null,
    });
    await initialiseReturn(api.orm.em, { returnId, canRefundThrough: () => false });
    const options = {
      adjustmentPositive: zero,
      adjustmentNegative: amount(fee * 100),
      shippingAmount: null,
      notifyCustomer: false,
    };
    await bookSettlement(api.orm.em, { returnId, method: 'cash', options, requestId: `p-${returnId}` });
    return (await api.call('GET', `/V1/pos/rma/${returnId}`, { token: api.tokens.register })).body;
  }

  const aSale = fc.record({
    price: fc.integer({ min: 100, max: 9_999 }),
    tax: fc.integer({ min: 0, max: 900 }),
    qty: fc.integer({ min: 1, max: 4 }),
    isCanadian: fc.boolean(),
    /** Thousandths of the order that store credit and a gift card pay. */
    credit: fc.constantFrom(0, 1, 250, 333, 500, 700),
    card: fc.constantFrom(0, 1, 125, 300),
    points: fc.constantFrom(0, 0, 101, 500),
    fee: fc.integer({ min: 0, max: 90 }),
  });

  interface Sale {
    price: number;
    tax: number;
    qty: number;
    isCanadian: boolean;
    credit: number;
    card: number;
    points: number;
    fee: number;
  }

  async function sold({ price, tax, qty, isCanadian, credit, card, points }: Sale) {
    const customerId = await aCustomerWithCredit(api.orm, '1000');
    const code = await aGiftCard(api.orm, '1000');
    if (points > 0) await withPoints(api.orm, customerId, points);
    const inCanada = { currency: 'CAD', rate: '1.36', storeId: 2 };
    const order: WantedOrder = {
      customerId,
      lines: [
        {
          sku: 'PLATE',
          qty,
          price: (price / 100).toFixed(2),
          tax: (tax / 100).toFixed(2),
          discount: (points / 100).toFixed(2),
        },
      ],
      ...(isCanadian ? inCanada : {}),
    };
    const total = (await aPostedOrder(api.orm.em, order)).columns.grandTotal ?? zero;
    const part = (thousandths: number) => formatAmount(amount(Math.floor((total * thousandths) / 1_000 / 100) * 100));
    const wanted = [
      { credit_type: 'store_credit', amount: part(credit) },
      { credit_type: 'gift_card', code, amount: part(card) },
      // A little less than they are worth: whatever the rate rounds, they must suffice.
      { credit_type: 'reward_points', points, amount: (points / 101).toFixed(2), applies_as: 'discount' },
    ];
    const credits = wanted.filter((one) => Number(one.amount) >= 0.02);
    return { ...(await anOrder(api.orm.em, { ...order, credits })), code, customerId };
  }

  test('each settlement equals its preview, and at the end all credit is back', async () => {
    await fc.assert(
      fc.asyncProperty(aSale, fc.nat(), async (sale, pick) => {
        fc.pre(sale.points / 100 < (sale.price * sale.qty) / 100);
        const { orderId, itemIds, customerId, code } = await sold(sale);
        const first = 1 + (pick % sale.qty);
        const parts = first < sale.qty ? [first, sale.qty - first] : [first];
        for (const qty of parts) {
          const promised = await preview(orderId, itemIds[0]!, qty, sale.fee / 100);
          if (promised.message !== undefined) {
            // A fee above what is left after the points: refused here, and with the same sentence at the settlement.
            await expect(settled(orderId, itemIds[0]!, qty, sale.fee)).rejects.toThrow(promised.message);
            return;
          }
          const booked = await settled(orderId, itemIds[0]!, qty, sale.fee);
          expect(booked).toMatchObject({
            base_refund_total: promised.base_refund_total,
            base_handback: promised.base_handback,
            refund_legs: promised.legs,
          });
          const tender = promised.legs.filter(({ applies_as: use }: { applies_as: string }) => use === 'tender');
          const credited = tender.reduce((sum: number, leg: { base_amount: number }) => sum + leg.base_amount, 0);
          expect(promised.base_refund_total - promised.base_handback).toBeCloseTo(credited, 4);
          expect(promised.base_handback).toBeGreaterThanOrEqual(0);
          expect(promised.lines[0].base_credit_share).toBeCloseTo(credited, 4);
        }
        if (sale.fee > 0) return;
        expect([await walletOf(api.orm, customerId), await cardBalance(api.orm, code)]).toEqual([
          '1000.0000',
          '1000.0000',
        ]);
        const spent = await total('order_credit', 'points', { order_id: orderId });
        expect(await total('order_credit', 'points_returned', { order_id: orderId })).toBe(spent);
      }),
      {
        seed,
        numRuns: 12,
        examples: [
          [{ price: 5_000, tax: 400, qty: 2, isCanadian: true, credit: 700, card: 300, points: 0, fee: 0 }, 0],
        ],
      },
    );
  });
});

describe('preview refund', () => {
  opensAShop();

  const { memosOf, theOrder, fork } = booksOf(() => api.orm);

  test('one of two mugs gives back its row and its tax', async () => {
    const order = await anOrder(fork());
    const answer = await preview({
      orderId: order.orderId,
      items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]),
    });
    expect(answer.body).toEqual({
      order_id: order.orderId,
      channel: 'original',
      currency_code: 'USD',
      base_refund_total: 54,
      refund_total: 54,
      base_handback: 54,
      handback: 54,
      base_returnable_max: 108,
      returnable_max: 108,
      legs: [],
      lines: [{ order_item_id: order.itemIds[0], qty: 1, base_row_total: 50, base_credit_share: 0 }],
      tender_lines: [
        {
          ...{ line_id: 1, method: 'cash', payment_method: 'checkmo', payment_id: null, source: 'order_payment' },
          ...{ paid: 108, base_paid: 108, refunded: 0, base_refunded: 0, available: 108, base_available: 108 },
          ...{ proposed: 54, base_proposed: 54, state: 'proposed' },
        },
      ],
    });
  });

  test('a line that is named twice is previewed once, with both', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const one = { order_item_id: itemIds[0], qty: 1 };
    const asked = (...items: object[]) => preview({ orderId, items: JSON.stringify(items) });
    const [twice, both] = [await asked(one, one), await asked({ ...one, qty: 2 })];
    expect(twice.body).toEqual(both.body);
    expect(twice.body).toMatchObject({ refund_total: 108, lines: [{ order_item_id: itemIds[0], qty: 2 }] });
    expect(await asked(one, one, one)).toMatchObject({ status: 400 });
  });

  test('the channel is repeated; goodwill is added and a fee subtracted, ex tax', async () => {
    const order = await anOrder(fork());
    const answer = await preview({
      orderId: order.orderId,
      items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]),
      channel: 'store_credit',
      adjustmentPositive: 3,
      adjustmentNegative: 1,
      shippingAmount: 0,
    });
    expect(answer.body).toMatchObject({ channel: 'store_credit', refund_total: 56, handback: 0, base_handback: 0 });
    expect(answer.body.legs).toEqual([
      {
        kind: 'store_credit',
        provider_code: 'store_credit',
        applies_as: 'tender',
        direction: 'issued',
        base_amount: 56,
        amount: 56,
      },
    ]);
  });

  test('channel store_credit is refused where no provider has store credit, and original is not', async () => {
    const order = await anOrder(fork());
    const off = { path: 'vendor_store_credit/general/enabled', value: '0' };
    const asked = { orderId: order.orderId, items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]) };
    await setConfigValue(fork(), secretBox, off);
    try {
      expect(await preview({ ...asked, channel: 'store_credit' })).toMatchObject({
        status: 400,
        body: { message: 'No provider is installed for credit type %1.', parameters: ['store_credit'] },
      });
      expect((await preview({ ...asked, channel: 'original' })).body.handback).toBe(54);
    } finally {
      await setConfigValue(fork(), secretBox, { ...off, value: null });
    }
  });

  test('amounts come in the order’s currency: 13.60 CAD less is 10 USD less', async () => {
    const order = await anOrder(fork(), {
      storeId: 2,
      currency: 'CAD',
      rate: '1.36',
      lines: [{ sku: 'MUG', qty: 2, price: '50' }],
    });
    const answer = await preview({
      orderId: order.orderId,
      items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]),
      adjustmentNegative: '13.60',
    });
    expect(answer.body).toMatchObject({ currency_code: 'CAD', base_refund_total: 40, refund_total: 54.4 });
  });

  test('the amount that can still be refunded is exact in the order’s own currency', async () => {
    const wanted = { storeId: 2, currency: 'CAD', rate: '1.35', method: 'provider_a', lastTransId: 'pay_9' };
    const order = await anOrder(fork(), { ...wanted, lines: [{ sku: 'MUG', qty: 3, price: '12.64' }] });
    const items = JSON.stringify([{ order_item_id: order.itemIds[0], qty: 3 }]);
    expect((await preview({ orderId: order.orderId, items })).body).toMatchObject({
      refund_total: 51.18,
      base_returnable_max: 37.92,
      returnable_max: 51.18,
    });

    const { orderId, orderItemId, returnId } = await aReturn(api.orm, {
      locationId,
      order: { ...wanted, lines: [{ sku: 'MUG', qty: 2, price: '37.93' }] },
    });
    await initialiseReturn(api.orm.em, { returnId, canRefundThrough: () => true });
    const rest = await preview({ orderId, items: JSON.stringify([{ order_item_id: orderItemId, qty: 1 }]) });
    expect(rest.body).toMatchObject({ refund_total: 51.21, base_returnable_max: 37.93, returnable_max: 51.21 });
  });

  test.each([
    ['an unknown order', { orderId: 999_999, items: '[{"order_item_id":1,"qty":1}]' }, 404],
    ['no items', { items: '[]' }, 400],
    ['more than is left', { items: [{ qty: 3 }] }, 400],
    ['less than none', { items: [{ qty: -1 }] }, 400],
    ['a line of another order', { items: [{ order_item_id: 999_999, qty: 1 }] }, 400],
    ['rows that are no text of rows', { items: JSON.stringify('[{"order_item_id":1,"qty":1}]') }, 400],
    ['a fee above the refund', { items: [{ qty: 1 }], adjustmentNegative: 60 }, 400],
    ['a fee below nothing', { items: [{ qty: 1 }], adjustmentNegative: -1 }, 400],
    ['goodwill below nothing', { items: [{ qty: 1 }], adjustmentPositive: -1 }, 400],
    ['goodwill above what was paid', { items: [{ qty: 2 }], adjustmentPositive: 1 }, 400],
    ['shipping below nothing', { items: [{ qty: 1 }], shippingAmount: -1 }, 400],
    ['an unknown channel', { items: [{ qty: 1 }], channel: 'cash' }, 400],
  ])('a preview of %s is refused', async (_case, body, status) => {
    const order = await anOrder(fork());
    const items = Array.isArray(body.items)
      ? JSON.stringify(body.items.map((row) => ({ order_item_id: order.itemIds[0], ...row })))
      : body.items;
    expect((await preview({ orderId: order.orderId, ...body, items })).status).toBe(status);
  });

  test('a preview writes nothing', async () => {
    const order = await anOrder(fork());
    const before = await theOrder(order.orderId, 'xmin');
    await preview({ orderId: order.orderId, items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 2 }]) });
    expect(await theOrder(order.orderId, 'xmin')).toEqual(before);
    expect(await memosOf(order.orderId)).toEqual([]);
  });

  test.each([
    ['adjustmentNegative', 1.005],
    ['adjustmentPositive', 2.505],
    ['shippingAmount', 3.333],
  ])('an %s of %d is refused: it is finer than a cent', async (field, value) => {
    const order = await anOrder(fork(), { shipping: '10' });
    const answer = await preview({
      orderId: order.orderId,
      items: JSON.stringify([{ order_item_id: order.itemIds[0], qty: 1 }]),
      // A zero would let all of the shipping come back.
      shippingAmount: 0.01,
      [field]: value,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message: 'The amount %1 cannot be booked: %2 has %3 decimals.',
        parameters: [String(value), 'USD', 2],
      },
    });
  });
});

describe('a word that nobody heard in time', () => {
  /** The workflow is stood in for, so that it can be late. */
  let api: TestApi;
  let locationId: number;
  const standIn = aStandIn<unknown>();
  beforeAll(async () => {
    api = await testApi({ workflows: standIn.workflows });
    ({ locationId } = await aShop(api.orm.em.fork()));
  });
  afterAll(() => api.close());

  const ask = (attemptId: number, verb: string, body?: object) =>
    api.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/${verb}`, {
      token: api.tokens.register,
      ...(body ? { body } : {}),
    });
  const word = { resolution: 'not_refunded', staffName: 'Ada', note: 'not in the portal' };

  test('is told so: the state as it was would look like an answer, and the word may be carried out later', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    standIn.answer = () => Promise.reject(new StillRunning());

    expect(await ask(attemptId, 'resolve', word)).toMatchObject({
      status: 503,
      body: { message: 'The work is still going on. Read the record again in a moment.' },
    });
    // To ask the gateway moves nothing: what is known stays true.
    expect(await ask(attemptId, 'reconcile')).toMatchObject({ status: 200, body: { state: 'uncertain' } });
  });

  test('and was carried out all the same: the answer is what it did', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    standIn.answer = async () => {
      await recordFinding(api.orm.em, { attemptId, finding: { evidence: 'refunded' }, now: new Date() });
      throw new StillRunning();
    };

    expect(await ask(attemptId, 'resolve', { ...word, resolution: 'refunded' })).toMatchObject({
      status: 200,
      body: { state: 'booked' },
    });
  });
});

describe('refund attempts', () => {
  /**
   * What of refund attempts needs no workflow: reads, decided attempts, refusals. The rest is in
   * test/workflows/refunds.
   */
  const api = useApi();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(api.orm.em.fork()));
  });

  const call = (method: string, path: string, body?: object) =>
    api.call(method, `/V1/pos/rma/refund-attempts/${path}`, { token: api.tokens.register, ...(body ? { body } : {}) });
  const word = { resolution: 'refunded', staffName: 'Ada', note: '' };

  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

  test('an attempt has every key of the interface; an unknown value is null', async () => {
    const { attemptId, orderId, returnId } = await aRefundAttempt(api.orm, { locationId });
    const uncertain = {
      attempt_id: attemptId,
      order_id: orderId,
      return_id: returnId,
      payment_method: 'provider_a',
      channel: 'original',
      state: 'uncertain',
      base_amount: 54,
      credit_memo_id: null,
      credit_memo_increment_id: null,
      gateway_outcome: null,
      gateway_reference: null,
      message: null,
      resolved_by: null,
      resolution_note: null,
      decided_at: null,
      effective_at: null,
      created_at: moment,
      updated_at: moment,
    };
    expect((await call('GET', `${attemptId}`)).body).toEqual(uncertain);

    const finding = {
      evidence: 'refunded' as const,
      gatewayOutcome: 'approved',
      gatewayReference: `re_${attemptId}`,
      message: 'Seen in the portal.',
      resolvedBy: 'Ada',
      resolutionNote: 'statement of May',
    };
    await recordFinding(api.orm.em, { attemptId, finding, now: new Date() });

    const booked = await call('GET', `${attemptId}`);
    expect(booked.body).toEqual({
      ...uncertain,
      state: 'booked',
      credit_memo_id: expect.any(Number),
      credit_memo_increment_id: expect.any(String),
      gateway_outcome: 'approved',
      gateway_reference: `re_${attemptId}`,
      message: 'Seen in the portal.',
      resolved_by: 'Ada',
      resolution_note: 'statement of May',
      decided_at: moment,
      effective_at: booked.body.decided_at,
    });
    const again = [
      await call('POST', `${attemptId}/reconcile`),
      await call('POST', `${attemptId}/resolve`, { ...word, resolution: 'not_refunded' }),
    ];
    for (const { body, headers } of again) expect([body, headers.get(replayHeader)]).toEqual([booked.body, 'true']);
    const rma = await api.call('GET', `/V1/pos/rma/${returnId}`, { token: api.tokens.register });
    expect(rma.body).toMatchObject({ refund_attempt_id: attemptId, refund_attempt_state: 'booked', status: 'closed' });
  });

  test('an unknown attempt is 404, on every route', async () => {
    const answers = [
      await call('GET', '999999'),
      await call('POST', '999999/reconcile'),
      await call('POST', '999999/resolve', word),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test.each([
    ['without a resolution', { resolution: undefined }],
    ['with an unknown one', { resolution: 'uncertain' }],
    ['without a name', { staffName: undefined }],
    ['in nobody’s name', { staffName: ' ' }],
    ['with a card number in the note', { note: 'card 4111 1111 1111 1111' }],
  ])('a word %s is refused, and the attempt is as it was', async (_case, more) => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    expect((await call('POST', `${attemptId}/resolve`, { ...word, ...more })).status).toBe(400);
    expect((await call('GET', `${attemptId}`)).body).toMatchObject({ state: 'uncertain', resolved_by: null });
  });
});
