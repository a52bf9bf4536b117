import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { RefundAttempt } from '../../../db/refunds/refund-attempt.entity.ts';
import { lockRefundAttempt } from '../../../db/refunds/refund-attempt.repository.ts';
import { lockReturn, saveReturn } from '../../../db/returns/lock-return.ts';
import { Return } from '../../../db/returns/return.entity.ts';
import { kept, saveRows } from '../../../db/support/kept-rows.ts';
import { transact } from '../../../db/support/transact.ts';
import { money } from '../../../domain/money/amount.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => orm.close());

const { fork } = booksOf(() => orm);

const attempt = () => aRefundAttempt(orm, { locationId });
const entity = (attemptId: number) => fork().findOneOrFail(RefundAttempt, { attemptId });

test('a row is read as the entity would be', async () => {
  const { attemptId } = await attempt();
  const row = await transact(orm.em, (em) => lockRefundAttempt(em, attemptId));
  expect(row).toEqual({ ...(await entity(attemptId)) });
});

test('order, lines, payment and return are read as their entities would be', async () => {
  const { returnId } = await attempt();
  const { order, rma } = await transact(orm.em, (em) => lockReturn(em, returnId));

  const known = await fork().findOneOrFail(Return, { returnId: rma.returnId }, { populate: ['items'] });
  expect(rma).toMatchObject({ status: known.status, createdAt: known.createdAt, isReady: known.isReady });
  expect(rma.items.map(({ entityId, qtyRequested }) => [entityId, qtyRequested])).toEqual(
    known.items.map(({ entityId, qtyRequested }) => [entityId, qtyRequested]),
  );
  expect(order).toMatchObject({ entityId: known.orderId, basePendingRefund: order.basePendingRefund });
  expect(order.payment.method).toBe((await entity((await attempt()).attemptId)).paymentMethod);
  expect(order.lines.length).toBeGreaterThan(0);
});

test('what was changed is written in one statement, money, moments and lists too, and nothing else', async () => {
  const { attemptId } = await attempt();
  const before = await entity(attemptId);
  const at = new Date('2026-03-04T05:06:07.089Z');
  const plan = { ...before.plan, notifyCustomer: true };

  await transact(orm.em, async (em) => {
    const row = await lockRefundAttempt(em, attemptId);
    Object.assign(row, { baseAmount: money('1.2345'), callDeadline: at, message: 'It’s "late".', plan });
    await saveRows(em, [kept(RefundAttempt, [row])]);
  });

  const { updatedAt, ...after } = { ...(await entity(attemptId)) };
  const { updatedAt: _before, ...rest } = { ...before };
  expect(after).toEqual({ ...rest, baseAmount: money('1.2345'), callDeadline: at, message: 'It’s "late".', plan });
  expect(updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
});

test('what was not changed is not written, and what is written is not written again', async () => {
  const { returnId } = await attempt();
  await transact(orm.em, async (em) => {
    // Where a row lies changes each time it is written.
    const places = async () => {
      const [found] = await em.execute<{ rma: string; order: string; payment: string }[]>(
        `select r.ctid::text as rma, o.ctid::text as order, p.ctid::text as payment from sale_return r
         join sales_order o on o.entity_id = r.order_id join sales_order_payment p on p.order_id = o.entity_id
         where r.return_id = ?`,
        [returnId],
      );
      return found!;
    };
    const locked = await lockReturn(em, returnId);
    const before = await places();
    await saveReturn(em, locked);
    expect(await places()).toEqual(before);

    locked.rma.refundDifference = 'a cent';
    locked.order.customerNote = 'seen';
    await saveReturn(em, locked);
    const after = await places();
    expect([after.rma === before.rma, after.order === before.order]).toEqual([false, false]);
    expect(after.payment).toBe(before.payment);
    await saveReturn(em, locked);
    expect(await places()).toEqual(after);
  });
});

test('a moment or a list that says what is there already changes nothing', async () => {
  const { attemptId } = await attempt();
  const { updatedAt: before } = await entity(attemptId);
  await transact(orm.em, async (em) => {
    const row = await lockRefundAttempt(em, attemptId);
    row.createdAt = new Date(row.createdAt);
    row.plan = { ...row.plan, items: [...row.plan.items] };
    await saveRows(em, [kept(RefundAttempt, [row])]);
  });
  expect((await entity(attemptId)).updatedAt).toEqual(before);
});
