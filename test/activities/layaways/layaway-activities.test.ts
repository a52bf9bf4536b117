import { beforeAll, expect, test } from '@jest/globals';
import { createLayawayActivities, type LayawayActivities } from '../../../activities/layaways.ts';
import { money } from '../../../domain/money.ts';
import { aSealedCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { aShop } from '../../support/builders/shop.ts';
import { secrets } from '../../support/fakes.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { atOnce } from '../../support/rivals.ts';

const orm = useDatabase();
let activities: LayawayActivities;
const logged: unknown[] = [];

beforeAll(async () => {
  await aShop(fork());
  const say = () => undefined;
  activities = createLayawayActivities({
    orm,
    providers: { secrets },
    log: { info: say, warn: say, error: (facts: object) => void logged.push(facts) },
  });
});

const { memosOf, moneyInOf, fork, change, booksHold } = booksOf(() => orm);
const inTurn = async <Answer>(work: () => Promise<Answer>) => [await work(), await work()];
const paid = (answer: unknown) => Reflect.get(Object(answer), 'balanceOwed');

test.each([
  ['twice', inTurn],
  ['eight at once', <Answer>(work: () => Promise<Answer>) => atOnce(8, work)],
])('%s a step is done once, and answered alike', async (_how, run) => {
  const { orderId } = await aLayaway(fork());
  const payment = aPayment(orderId, '40');
  const wanted = aSealedCancellation(orderId, 20);

  const captured = await run(() => activities.capturePayment(payment));
  expect(new Set(captured.map(paid))).toEqual(new Set([money('68')]));
  const cancelled = await run(() => activities.cancelLayaway(wanted));
  expect(cancelled.every((answer) => Reflect.get(answer, 'status') === 'cancelled')).toBe(true);
  await run(() => activities.flagStale({ orderId }));

  expect(await moneyInOf(orderId)).toHaveLength(1);
  expect(await memosOf(orderId)).toHaveLength(1);
  await booksHold();
});

test('an overdue layaway is flagged by eight timers and jobs once', async () => {
  const { orderId } = await aLayaway(fork(), { expiresAt: new Date(Date.now() - 60_000) });
  const flagged = await atOnce(8, () => activities.flagStale({ orderId }));
  const batches = await atOnce(8, () => activities.flagStaleBatch({ after: orderId - 1, limit: 500 }));
  expect([flagged.filter(Boolean).length, batches.flat()]).toEqual([1, []]);
});

test('a refusal is a value, a fault is thrown', async () => {
  expect(await activities.capturePayment(aPayment(999_999, '1'))).toMatchObject({ refused: { status: 404 } });
  expect(await activities.followLayaway({ orderId: 999_999 })).toMatchObject({ refused: { status: 404 } });
  await expect(activities.lookAtLayaway({ orderId: Number.NaN })).rejects.toThrow();
});

test('an order that cannot be cancelled is logged with its id, and the call succeeds', async () => {
  const { orderId } = await aLayaway(fork());
  await change('sales_order_item', { order_id: orderId }, { qty_invoiced: 0, qty_canceled: 2 });
  await change('sales_invoice', { order_id: orderId }, { state: 3 });

  expect(await activities.cancelLayaway(aSealedCancellation(orderId, 0))).toMatchObject({ status: 'cancelled' });

  expect(logged).toEqual([{ 'order.id': orderId, error: 'nothing of the order is left to cancel' }]);
});
