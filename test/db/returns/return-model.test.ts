import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { verify } from '../../../books/verify/verify.ts';
import { createCreditSpender } from '../../../db/credits/spend-credits.ts';
import { createInvoice } from '../../../db/platform/invoices/invoices.ts';
import { createOrder } from '../../../db/platform/place-order.ts';
import type { PostedOrder } from '../../../db/platform/orders/posted-order.ts';
import { createShipment } from '../../../db/platform/shipments/shipments.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { bookSettlement, startGatewaySettlement } from '../../../db/returns/settle-return.ts';
import { cancelRefund, closeReturn } from '../../../db/returns/close-return.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { markFollowed } from '../../../db/returns/followed.ts';
import { lockReturn, type OperationOnReturn } from '../../../db/returns/lock-return.ts';
import { receiveReturn } from '../../../db/returns/receive-return.ts';
import { resolveReturn, setReturnStatus } from '../../../db/returns/resolve-return.ts';
import { databaseNow } from '../../../db/support/database-now.ts';
import { transact } from '../../../db/support/transact.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { PosError } from '../../../domain/errors.ts';
import { formatAmount, scale, toWire, zero, coinOf, quantity, type Amount } from '../../../domain/money.ts';
import type { RefundableOrder } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { asOrder, postedSale } from '../../domain/platform/credit-memos/any-posted-sale.ts';
import { booksOf } from '../../support/books.ts';
import { waiting } from '../../support/books/held.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { refusedTooLate, tooLate } from '../../support/builders/return-requests.ts';
import { anItem, aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { opensAShop, orm } from '../../support/order-book.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { seed } from '../../support/seed.ts';
import { waitUntil } from '../../support/wait-until.ts';
import * as model from './return-model.ts';
import type { Outcome, ReturnModel } from './return-model.ts';
import { firstId } from '../../support/first-id.ts';

describe('operations', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const books = booksOf(() => orm);
  const { fork, theReturn, itemsOf, attemptsOf, wordsOf, auditOf, movementsOf, find, howMany } = books;

  /** By the database's clock. */
  const momentIn = async (seconds: number) =>
    new Date((await databaseNow(fork())).getTime() + seconds * 1_000).toISOString();

  let keys = 0;
  const aKey = () => `operation-${++keys}`;

  const canRefundThrough = () => true;
  const requested = async () => (await aRequestedReturn(orm)).returnId;
  const approved = async () => {
    const returnId = await requested();
    await setReturnStatus(orm.em, { returnId, status: 'approved' });
    return returnId;
  };
  const parked = async () => {
    const { returnId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
    await initialiseReturn(orm.em, { returnId, canRefundThrough: () => false });
    return returnId;
  };
  const firstItem = async (returnId: number) => (await itemsOf(returnId, 'entity_id'))[0]!.entity_id;

  type Ask = (asked: OperationOnReturn) => Promise<{ status: string }>;
  const close: Ask = (asked) => closeReturn(orm.em, { ...asked, comment: 'She keeps it' });
  const settle: Ask = (asked) => bookSettlement(orm.em, { ...asked, method: 'cash', options: plainSettlement });
  /** Each verb on a return that is ready for it, what it makes of that, and what moves the return on afterwards. */
  const verbs: Record<string, { before: () => Promise<number>; ask: Ask; to: string; then?: Ask }> = {
    'an approval': {
      before: requested,
      ask: (asked) => setReturnStatus(orm.em, { ...asked, status: 'approved', comment: 'Fine by me' }),
      to: 'approved',
      then: close,
    },
    'goods taken in': {
      before: approved,
      ask: async (asked) => {
        const seen = { inspection: null, condition: null, qtyReceived: null, returnToStock: null };
        const lines = [{ rmaItemId: await firstItem(asked.returnId), ...seen }];
        return receiveReturn(orm.em, { ...asked, locationId, lines });
      },
      to: 'items_received',
      then: settle,
    },
    'a resolution': {
      before: parked,
      ask: async (asked) => {
        const line = { rmaItemId: await firstItem(asked.returnId), mode: 'refund', refundMethod: 'cash' } as const;
        return resolveReturn(orm.em, { ...asked, resolutions: [line], canRefundThrough });
      },
      to: 'resolved',
    },
    'a settlement in cash': { before: parked, ask: settle, to: 'closed' },
    'a refund that is cancelled': {
      before: parked,
      ask: (asked) => cancelRefund(orm.em, { ...asked, comment: 'She wants to think' }),
      to: 'received',
      then: settle,
    },
    'a close': { before: parked, ask: close, to: 'closed' },
  };

  /** Everything that a verb may write. */
  const tracesOf = async (returnId: number) => ({
    rma: await theReturn(returnId, 'status', 'refund_method', 'credit_memo_id', 'followed_at'),
    items: await itemsOf(returnId, 'status', 'qty_approved', 'qty_received', 'resolution_mode'),
    told: await wordsOf(returnId, 'comment'),
    audited: await auditOf('return', returnId, 'new_value'),
    moved: await movementsOf(returnId, 'kind', 'quantity'),
    attempts: await attemptsOf(returnId, 'state'),
    memos: await howMany('sales_creditmemo'),
    operations: await howMany('sale_return_operation'),
  });

  describe.each(Object.entries(verbs))('%s', (_verb, { before, ask, to }) => {
    test('that comes when nobody waits any more is refused, and nothing is written', async () => {
      const returnId = await before();
      const traces = await tracesOf(returnId);

      await expect(ask({ returnId, operationKey: aKey(), ...tooLate() })).rejects.toMatchObject(refusedTooLate);

      expect(await tracesOf(returnId)).toEqual(traces);
    });

    test('that is done is answered under its key, whenever it comes again, and done once', async () => {
      const returnId = await before();
      const operationKey = aKey();

      const answers = await eightAtOnce(() => ask({ returnId, operationKey }));
      const traces = await tracesOf(returnId);

      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => to));
      expect(await ask({ returnId, operationKey, ...tooLate() })).toMatchObject({ status: to });
      expect(await tracesOf(returnId)).toEqual(traces);
      expect(
        await find('sale_return_operation', { return_id: returnId }, 'operation_key', 'refund_attempt_id'),
      ).toEqual([{ operation_key: operationKey, refund_attempt_id: null }]);
    });

    test('is of a return that is followed until it is over', async () => {
      const returnId = await before();
      const followed = async () => (await theReturn(returnId, 'followed_at')).followed_at !== null;
      await markFollowed(fork(), returnId);
      expect(await followed()).toBe(true);

      await ask({ returnId, operationKey: aKey() });

      expect(await followed()).toBe(to !== 'closed' && to !== 'resolved');
    });
  });

  /** Those that leave a return open. */
  const followedUp = Object.entries(verbs).flatMap(([verb, { then, ...rest }]) =>
    then === undefined ? [] : [[verb, { ...rest, then }] as const],
  );

  test.each(followedUp)(
    '%s that is done is not done again once the return has moved on',
    async (_verb, { before, ask, then }) => {
      const returnId = await before();
      const operationKey = aKey();
      await ask({ returnId, operationKey });
      const { status } = await then({ returnId, operationKey: aKey() });
      const traces = await tracesOf(returnId);

      expect(await ask({ returnId, operationKey, ...tooLate() })).toMatchObject({ status });
      expect(await tracesOf(returnId)).toEqual(traces);
    },
  );

  test('a refund is not cancelled under another key once its return is over', async () => {
    const returnId = await parked();
    await verbs['a refund that is cancelled']!.ask({ returnId, operationKey: aKey() });
    await settle({ returnId, operationKey: aKey() });

    const refusal = { status: 400, parameters: ['closed'] };
    await expect(cancelRefund(orm.em, { returnId, operationKey: aKey() })).rejects.toMatchObject(refusal);
  });

  test('a request that waited for the lock until it was too late is refused: the wait counts', async () => {
    const returnId = await parked();
    const traces = await tracesOf(returnId);
    const beginBefore = await momentIn(1);

    const asked = await transact(orm.em, async (tx) => {
      await lockReturn(tx, returnId);
      const answer = close({ returnId, operationKey: aKey(), beginBefore }).then(
        () => 'closed',
        (error: unknown) => error,
      );
      await waitUntil('it waits for the lock', async () => (await waiting(books)) === 1);
      await waitUntil('nobody waits any more', async () => (await momentIn(0)) > beginBefore);
      return [answer];
    });

    expect(await asked[0]).toMatchObject(refusedTooLate);
    expect(await tracesOf(returnId)).toEqual(traces);
  });
});

describe('return model', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
    await fillShelves();
  });

  interface Real {
    returnId: number;
    itemId: number;
    orderId: number;
  }

  const { memosOf, itemsOf, theOrder, theReturn, find, movementsOf, fork, howMany, fillShelves } = booksOf(() => orm);

  async function aReturnToPlayWith(): Promise<Real> {
    const { returnId, orderId } = await aRequestedReturn(orm);
    const [item] = await itemsOf(returnId, 'entity_id');
    return { returnId, itemId: item!.entity_id, orderId };
  }

  const orRefused = (work: Promise<{ status: Outcome }>): Promise<Outcome> =>
    work.then(
      ({ status }) => status,
      (error: unknown) => {
        if (error instanceof PosError) return `refused ${error.status}` as const;
        throw error;
      },
    );

  /** Each as the shop does it, and as the model has it. */
  class Act implements fc.AsyncCommand<ReturnModel, Real> {
    readonly name: string;
    readonly does: (real: Real) => Promise<Outcome>;
    readonly expects: (now: ReturnModel) => Outcome;

    constructor(name: string, does: Act['does'], expects: Act['expects']) {
      this.name = name;
      this.does = does;
      this.expects = expects;
    }

    check = () => true;

    async run(now: ReturnModel, real: Real): Promise<void> {
      const expected = this.expects(now);
      expect(await this.does(real)).toBe(expected);
      await expectRows(now, real);
    }

    toString = () => this.name;
  }

  const openOf = (returnId: number) => ({ return_id: returnId, state: ['started', 'uncertain'] });

  /** What is in the tables is what the model says, after every step. */
  async function expectRows(now: ReturnModel, { returnId, orderId }: Real): Promise<void> {
    const moved = await movementsOf(returnId, 'kind');
    expect({
      status: (await theReturn(returnId, 'status')).status,
      memos: (await memosOf(orderId)).length,
      open_attempts: await howMany('refund_attempt', openOf(returnId)),
      keeps_money: Number((await theOrder(orderId, 'base_pending_refund')).base_pending_refund) > 0,
      movements: moved.map(({ kind }) => String(kind)).toSorted((one, other) => (one < other ? 1 : -1)),
    }).toEqual({
      status: now.status,
      memos: now.memos,
      open_attempts: now.attempt ? 1 : 0,
      keeps_money: now.attempt !== undefined,
      movements: { out: [], in: ['received'], back: ['received', 'closed'] }[now.goods],
    });
  }

  const openAttempt = async ({ returnId }: Real): Promise<number | undefined> => {
    const [open] = await find('refund_attempt', openOf(returnId), 'attempt_id');
    return open?.attempt_id;
  };

  class Claim implements fc.AsyncCommand<ReturnModel, Real> {
    check = ({ attempt }: Readonly<ReturnModel>) => attempt !== undefined;

    async run(now: ReturnModel, real: Real): Promise<void> {
      const attemptId = (await openAttempt(real))!;
      const claimed = await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
      expect(claimed !== undefined).toBe(model.claim(now));
    }

    toString = () => 'claim the call';
  }

  class Find implements fc.AsyncCommand<ReturnModel, Real> {
    readonly evidence: 'refunded' | 'not_refunded' | 'unknown';

    constructor(evidence: Find['evidence']) {
      this.evidence = evidence;
    }

    check = ({ attempt }: Readonly<ReturnModel>) => attempt !== undefined;

    async run(now: ReturnModel, real: Real): Promise<void> {
      const attemptId = (await openAttempt(real))!;
      const say = (evidence: Find['evidence']) =>
        recordFinding(orm.em, { attemptId, finding: { evidence, isFinal: true }, now: new Date() });

      const expected = model.find(now, this.evidence);
      expect((await say(this.evidence)).state).toBe(expected);
      // The second finding, of any kind, is told the state as it is.
      if (expected !== 'uncertain') expect((await say('refunded')).state).toBe(expected);
      await expectRows(now, real);
    }

    toString = () => `the gateway says ${this.evidence}`;
  }

  const decide = (to: 'approved' | 'rejected' | 'denied') =>
    new Act(
      to,
      ({ returnId }) => orRefused(setReturnStatus(orm.em, { returnId, status: to })),
      (now) => model.decide(now, to),
    );

  const receive = () =>
    new Act(
      'receive',
      ({ returnId, itemId }) =>
        orRefused(
          receiveReturn(orm.em, {
            returnId,
            locationId,
            lines: [
              { rmaItemId: itemId, inspection: 'pristine', condition: null, qtyReceived: null, returnToStock: true },
            ],
          }),
        ),
      model.receive,
    );

  const settleInCash = () =>
    new Act(
      'settle in cash',
      ({ returnId }) =>
        orRefused(bookSettlement(orm.em, { returnId, method: 'cash', options: plainSettlement, requestId: 'model' })),
      model.settleInCash,
    );

  const settleThroughGateway = () =>
    new Act(
      'settle through the gateway',
      ({ returnId }) =>
        orRefused(startGatewaySettlement(orm.em, { returnId, options: plainSettlement, canRefundThrough: () => true })),
      model.settleThroughGateway,
    );

  const cancel = () =>
    new Act('cancel the refund', ({ returnId }) => orRefused(cancelRefund(orm.em, { returnId })), model.cancelRefund);

  const close = () => new Act('close', ({ returnId }) => orRefused(closeReturn(orm.em, { returnId })), model.close);

  const setUpFor = (real: Real) => () => ({
    model: { status: 'pending', attempt: undefined, memos: 0, goods: 'out' } satisfies ReturnModel as ReturnModel,
    real,
  });

  test.each([
    ['was not called, and the refund failed', []],
    ['may have refunded, and the refund is in doubt', [new Claim()]],
  ])('where nobody knows of a refund whose call was claimed or not, the gateway %s', async (_is, claims) => {
    const real = await aReturnToPlayWith();
    const life = [decide('approved'), receive(), settleThroughGateway(), ...claims, new Find('unknown')];
    await fc.asyncModelRun(setUpFor(real), [...life, cancel(), close()]);
    expect((await find('refund_attempt', { return_id: real.returnId }, 'state')).map(({ state }) => state)).toEqual([
      claims.length === 0 ? 'failed' : 'uncertain',
    ]);
  });

  /** Random lives of returns and of their refund attempts, each step beside the model. */
  test('any life of a return is as the interface tells it, and leaves the books right', async () => {
    // Approval and arrival weigh more, or few lives would come to the money.
    const likely = [decide('approved'), receive(), settleThroughGateway(), new Claim()].map((command) =>
      fc.constant(command),
    );
    const commands = fc.commands(
      [
        ...likely,
        ...likely,
        fc.constantFrom(decide('rejected'), decide('denied')),
        fc.constantFrom(settleInCash(), cancel(), close()),
        fc.constantFrom(new Find('refunded'), new Find('not_refunded'), new Find('unknown')),
      ],
      { maxCommands: 14 },
    );

    await fc.assert(
      fc.asyncProperty(commands, async (acts) => {
        await fc.asyncModelRun(setUpFor(await aReturnToPlayWith()), acts);
      }),
      { seed, numRuns: 20 },
    );

    expect(await verify(fork())).toEqual([]);
  });
});

describe('what was paid', () => {
  /** POS_RUNS asks for more. */
  const runs = Number(process.env['POS_RUNS'] ?? 25);

  opensAShop();

  const { fork, fillShelves, theOrder, linesOf, returnsOf, creditsOf, booksHold } = booksOf(() => orm);

  /** What a register posts of the sale, with figures in both currencies. */
  const postedOf = (sold: RefundableOrder, customerId: number, creditPercent: number): PostedOrder => {
    const { base, order } = sold;
    const credit = scale(order.totalPaid, creditPercent, 100, coinOf(sold.orderCurrencyCode));
    const sum = (of: (line: RefundableOrder['lines'][number]) => Amount) =>
      sold.lines.reduce<number>((all, line) => all + of(line), 0) as Amount;
    return {
      columns: {
        ...{ state: 'new', status: 'pending', storeId: 1, customerId, customerEmail: 'ann@example.com' },
        ...{ baseCurrencyCode: 'USD', globalCurrencyCode: 'USD', storeCurrencyCode: 'USD' },
        ...{ orderCurrencyCode: sold.orderCurrencyCode, baseToOrderRate: sold.baseToOrderRate },
        ...{ subtotal: sum((line) => line.order.rowInvoiced), baseSubtotal: sum((line) => line.base.rowInvoiced) },
        ...{ taxAmount: order.taxInvoiced, baseTaxAmount: base.taxInvoiced },
        ...{ discountAmount: order.discountAmount, baseDiscountAmount: base.discountAmount },
        ...{ shippingAmount: order.shippingAmount, baseShippingAmount: base.shippingAmount },
        ...{ grandTotal: order.grandTotal, baseGrandTotal: base.grandTotal },
      },
      lines: sold.lines.map((line) => ({
        ...{ sku: 'MUG', name: 'Mug', productType: 'simple', qtyOrdered: line.qtyOrdered },
        ...{ rowTotal: line.order.rowInvoiced, baseRowTotal: line.base.rowInvoiced },
        ...{ taxAmount: line.order.taxInvoiced, baseTaxAmount: line.base.taxInvoiced },
        ...{ discountAmount: line.order.discountInvoiced, baseDiscountAmount: line.base.discountInvoiced },
      })),
      billingAddress: { firstname: 'Ann', lastname: 'Lee', street: ['1 Main St'], city: 'Troy', countryId: 'US' },
      payment: { method: 'provider_a', lastTransId: 'pay_1' },
      ...(credit === zero
        ? {}
        : { extras: { posAppliedCredits: [{ credit_type: 'store_credit', amount: toWire(credit) }] } }),
    };
  };

  async function sell(sold: RefundableOrder, creditPercent: number): Promise<number> {
    const customerId = await aCustomerWithCredit(orm, '100000000');
    const posted = postedOf(sold, customerId, creditPercent);
    const { orderId } = await createOrder(fork(), posted, { hooks: [createCreditSpender()], now: new Date() });
    await createInvoice(fork(), { orderId });
    await createShipment(fork(), { orderId });
    return orderId;
  }

  /** Percent of what is left of each line; and how its money goes back. */
  const oneReturn = fc.record({
    takes: fc.array(fc.constantFrom(0, 0, 40, 100), { minLength: 5, maxLength: 5 }),
    by: fc.constantFrom('cash', 'exchange', 'card', 'card that declines first'),
  });

  async function leftOf(orderId: number, takes?: readonly number[]) {
    const lines = await linesOf(orderId, 'item_id', 'qty_invoiced', 'qty_refunded');
    return lines.flatMap(({ item_id: orderItemId, qty_invoiced: invoiced, qty_refunded: refunded }, at) => {
      const left = Number(invoiced) - Number(refunded);
      const qty = takes === undefined ? left : Math.floor((left * (takes[at] ?? 0)) / 100);
      return qty === 0 ? [] : [{ orderItemId, qty: quantity(qty * 10_000) }];
    });
  }

  const isDeclined = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'declined' } as const;

  async function settleByCard(returnId: number, isDeclinedFirst: boolean): Promise<void> {
    const asked = { returnId, options: plainSettlement, canRefundThrough: () => true };
    const { attempt } = await startGatewaySettlement(orm.em, asked);
    if (attempt === undefined) return;
    const { attemptId } = attempt;
    await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
    const isBooked = { evidence: 'refunded', gatewayReference: `gateway-${attemptId}` } as const;
    const finding = isDeclinedFirst ? isDeclined : isBooked;
    await recordFinding(orm.em, { attemptId, finding, now: new Date() });
    if (isDeclinedFirst) await settleByCard(returnId, false);
  }

  /** Takes goods back and settles; what is booked is what was previewed. */
  async function takeBack(orderId: number, items: Awaited<ReturnType<typeof leftOf>>, by: string): Promise<void> {
    const { refund, handback } = await previewRefund(fork(), { orderId, items, options: plainSettlement });
    const { returnId } = await createReturn(orm.em, {
      ...{ orderId, customerId: null, locationId: firstId, comment: null, isAutoApproved: true, posSaleId: null },
      items: items.map(({ orderItemId, qty }) => ({ ...anItem(orderItemId), qtyRequested: qty })),
      refundMethod: 'cash',
    });
    await initialiseReturn(orm.em, { returnId, canRefundThrough: () => false });
    if (by.startsWith('card')) await settleByCard(returnId, by !== 'card');
    else {
      const method = by === 'cash' ? 'cash' : 'exchange';
      await bookSettlement(orm.em, { returnId, method, options: plainSettlement, requestId: `paid-${returnId}` });
    }
    const booked = (await returnsOf(orderId, 'return_id', 'status', 'base_refund_total', 'base_handback')).at(-1);
    const expected = { base_refund_total: formatAmount(refund.base), base_handback: formatAmount(handback.base) };
    expect(booked).toEqual({ return_id: returnId, status: 'closed', ...expected });
  }

  test(
    'whatever a sale was posted with, its returns give back what came in, as previewed, tender by tender',
    async () => {
      console.log(`seed ${seed}, ${runs} sales`);
      await fillShelves();
      const property = fc.asyncProperty(
        postedSale,
        fc.array(oneReturn, { maxLength: 4 }),
        fc.constantFrom(0, 0, 30, 100),
        async (sale, returns, creditPercent) => {
          const sold = asOrder(sale);
          fc.pre(sold !== undefined);
          // Only goods of nothing with a total of something: such a sale is not placed.
          fc.pre(sold.lines.some((line) => line.order.rowInvoiced !== zero));
          const orderId = await sell(sold, creditPercent);
          const paid = {
            total_paid: formatAmount(sold.order.grandTotal),
            base_total_paid: formatAmount(sold.base.grandTotal),
          };
          expect(await theOrder(orderId, 'total_paid', 'base_total_paid', 'total_due')).toEqual({
            ...paid,
            total_due: '0.0000',
          });
          for (const { takes, by } of returns) {
            const items = await leftOf(orderId, takes);
            if (items.length > 0) await takeBack(orderId, items, by);
          }
          const rest = await leftOf(orderId);
          if (rest.length > 0) await takeBack(orderId, rest, 'cash');
          expect(await theOrder(orderId, 'state', 'total_refunded', 'base_total_refunded')).toEqual({
            state: 'closed',
            total_refunded: paid.total_paid,
            base_total_refunded: paid.base_total_paid,
          });
          const credits = await creditsOf(orderId, 'amount', 'base_amount', 'amount_returned', 'base_returned');
          expect(credits.map((one) => [one.amount_returned, one.base_returned])).toEqual(
            credits.map((one) => [one.amount, one.base_amount]),
          );
        },
      );
      await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
      await booksHold();
    },
    Math.max(60_000, runs * 2_000),
  );
});
