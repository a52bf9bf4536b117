import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createLayawayActivities, type LayawayActivities } from '../../../activities/layaways/layaway-activities.ts';
import { verify } from '../../../books/verify/verify.ts';
import { money } from '../../../domain/money/amount.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let activities: LayawayActivities;
const logged: unknown[] = [];

beforeAll(async () => {
  orm = await testDatabase();
  await aShop(orm.em.fork());
  const say = () => undefined;
  activities = createLayawayActivities({
    orm,
    log: { info: say, warn: say, error: (facts: object) => void logged.push(facts) },
  });
});
afterAll(() => orm.close());

const query = (sql: string, values: unknown[]) => orm.em.fork().execute(sql, values);
const times = <Answer>(count: number, work: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, work));
const inTurn = async <Answer>(work: () => Promise<Answer>) => [await work(), await work()];
const booksHold = async () => expect(await verify(orm.em.fork(), { lookAgainAfterMs: 1 })).toEqual([]);
const paid = (answer: unknown) => Reflect.get(Object(answer), 'balanceOwed');

test.each([
  ['twice', inTurn],
  ['eight at once', <Answer>(work: () => Promise<Answer>) => times(8, work)],
])('%s a step is done once, and answered alike', async (_how, run) => {
  const { orderId } = await aLayaway(orm.em.fork());
  const payment = aPayment(orderId, '40');
  const wanted = aCancellation(orderId, 20);

  const captured = await run(() => activities.capturePayment(payment));
  expect(new Set(captured.map(paid))).toEqual(new Set([money('68')]));
  const cancelled = await run(() => activities.cancelLayaway(wanted));
  expect(cancelled.every((answer) => Reflect.get(answer, 'status') === 'cancelled')).toBe(true);
  await run(() => activities.flagStale({ orderId }));

  expect(await query(`select 1 from sales_money_in where order_id = ?`, [orderId])).toHaveLength(1);
  expect(await query(`select 1 from sales_creditmemo where order_id = ?`, [orderId])).toHaveLength(1);
  await booksHold();
});

test('an overdue layaway is flagged by eight timers and jobs once', async () => {
  const { orderId } = await aLayaway(orm.em.fork(), { expiresAt: new Date(Date.now() - 60_000) });
  const flagged = await times(8, () => activities.flagStale({ orderId }));
  const batches = await times(8, () => activities.flagStaleBatch({ after: orderId - 1, limit: 500 }));
  expect([flagged.filter(Boolean).length, batches.flat()]).toEqual([1, []]);
});

test('a refusal is a value, a fault is thrown', async () => {
  expect(await activities.capturePayment(aPayment(999_999, '1'))).toMatchObject({ refused: { status: 404 } });
  expect(await activities.followLayaway({ orderId: 999_999 })).toMatchObject({ refused: { status: 404 } });
  await expect(activities.lookAtLayaway({ orderId: Number.NaN })).rejects.toThrow();
});

test('an order that cannot be cancelled is logged with its id, and the call succeeds', async () => {
  const { orderId } = await aLayaway(orm.em.fork());
  await query(`update sales_order_item set qty_invoiced = 0, qty_canceled = qty_ordered where order_id = ?`, [orderId]);
  await query(`update sales_invoice set state = 3 where order_id = ?`, [orderId]);

  expect(await activities.cancelLayaway(aCancellation(orderId, 0))).toMatchObject({ status: 'cancelled' });

  expect(logged).toEqual([{ 'order.id': orderId, error: 'nothing of the order is left to cancel' }]);
});
