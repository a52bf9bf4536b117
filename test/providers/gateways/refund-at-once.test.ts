import { expect, test } from 'vitest';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { joined, transact } from '../../../db/support/transact.ts';
import { refundAtOnce } from '../../../providers/gateways/refund-at-once.ts';
import { aReturn } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { silent } from '../../support/fakes.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { activities, gateway, locationId, opensARefundDesk, orm } from '../../activities/refunds/a-refund-desk.ts';

opensARefundDesk();

const { memosOf, find, theReturn } = booksOf(() => orm);
const payment = { paymentMethod: 'provider_a', storeId: 1, paymentReference: 'pay_1' };

const giveBack = (returnId: number, em = orm.em) =>
  refundAtOnce({
    em,
    log: silent,
    gateways: { for: () => Promise.resolve(gateway) },
    payment,
    timeoutSeconds: 5,
    open: (through) => initialiseReturn(orm.em, { returnId, ...through }),
  });

const attemptsOf = (orderId: number) => find('refund_attempt', { order_id: orderId }, 'state', 'call_ended_at');

test('the attempt is committed with its claim before the gateway is called, and the books follow', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId });
  gateway.answer = { evidence: 'refunded', gatewayReference: `gw-once-${returnId}` };
  const seen: object[] = [];
  const refund = gateway.refund.bind(gateway);
  gateway.refund = async (request) => {
    seen.push(...(await find('refund_attempt', { order_id: orderId }, 'state', 'call_started_at')));
    return refund(request);
  };

  expect(await giveBack(returnId)).toMatchObject({ opened: { isReady: false }, recorded: { state: 'booked' } });

  expect(seen).toEqual([{ state: 'started', call_started_at: expect.anything() }]);
  expect(await theReturn(returnId, 'status', 'is_ready')).toEqual({ status: 'closed', is_ready: true });
  expect(await memosOf(orderId)).toHaveLength(1);
});

test('eight at once and once more call the gateway once', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId });
  gateway.answer = { evidence: 'refunded', gatewayReference: `gw-eight-${returnId}` };

  const answers = await eightAtOnce(() => giveBack(returnId));
  expect(answers.filter(({ recorded }) => recorded !== undefined)).toHaveLength(1);
  expect(await giveBack(returnId)).toMatchObject({ opened: { status: 'closed' }, recorded: undefined });
  expect(gateway.asked).toHaveLength(1);
  expect(await memosOf(orderId)).toHaveLength(1);
});

test('an answer that says nothing leaves the attempt started, and its call is over', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId });
  gateway.answer = { evidence: 'unknown', gatewayOutcome: 'timeout' };

  expect(await giveBack(returnId)).toMatchObject({ recorded: { state: 'started' } });
  expect(await attemptsOf(orderId)).toEqual([{ state: 'started', call_ended_at: expect.anything() }]);
});

test('an answer that our own database refuses is no answer: nothing is lost, and it can be looked up at once', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId });
  gateway.answer = { evidence: 'refunded', gatewayReference: `gw-refused-${returnId}` };
  let isCalled = false;
  const refund = gateway.refund.bind(gateway);
  gateway.refund = async (request) => {
    isCalled = true;
    return refund(request);
  };
  // Its transactions fail after the call, as while the order stays locked.
  const em = new Proxy(orm.em, {
    get: (target, key, receiver: unknown) => {
      if (key !== 'fork') return Reflect.get(target, key, receiver) as unknown;
      return (...given: []) => {
        const fork = target.fork(...given);
        if (isCalled) fork.transactional = () => Promise.reject(new Error('canceling statement due to lock timeout'));
        return fork;
      };
    },
  });

  expect(await giveBack(returnId, em)).toMatchObject({ recorded: { state: 'started' } });
  const [attempt] = await attemptsOf(orderId);
  expect(attempt).toEqual({ state: 'started', call_ended_at: expect.anything() });
  expect(await memosOf(orderId)).toEqual([]);
});

test('a transaction that runs again after a deadlock calls for the attempt that it left, and for none that it undid', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId });
  gateway.answer = { evidence: 'refunded', gatewayReference: `gw-deadlock-${returnId}` };
  const undone = new Error('undone');
  const { opened, recorded } = await refundAtOnce({
    ...{ em: orm.em, log: silent, gateways: { for: () => Promise.resolve(gateway) }, payment, timeoutSeconds: 5 },
    open: async (through) => {
      const tryOnce = transact(orm.em, async (tx) => {
        await initialiseReturn(joined(tx), { returnId, ...through });
        throw undone;
      });
      await expect(tryOnce).rejects.toBe(undone);
      return { attempt: undefined };
    },
  });

  expect({ opened, recorded }).toEqual({ opened: { attempt: undefined }, recorded: undefined });
  expect(gateway.asked).toHaveLength(0);
  expect(await attemptsOf(orderId)).toEqual([]);
});

test('who waits for a call has its end: the verdict, an answer that said nothing, or the deadline', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId });
  let answer: () => void = () => undefined;
  const refund = gateway.refund.bind(gateway);
  gateway.answer = { evidence: 'refunded', gatewayReference: `gw-awaited-${returnId}` };
  const isAsked = new Promise<void>((asked) => {
    gateway.refund = async (request) => {
      asked();
      await new Promise<void>((resolve) => (answer = resolve));
      return refund(request);
    };
  });
  const call = giveBack(returnId);
  await isAsked;
  const [attempt] = await find('refund_attempt', { order_id: orderId }, 'attempt_id');
  const waiting = activities.awaitCall({ attemptId: Number(attempt?.attempt_id) });
  answer();
  await call;
  expect(await waiting).toEqual({ state: 'booked' });

  const left = await aReturn(orm, { locationId });
  gateway.refund = refund;
  gateway.answer = { evidence: 'unknown' };
  const { opened } = await giveBack(left.returnId);
  expect(await activities.awaitCall({ attemptId: opened.attempt!.attemptId })).toEqual({ state: 'started' });
});
