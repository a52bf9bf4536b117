import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createReturnActivities, type ReturnActivities } from '../../../activities/returns/return-activities.ts';
import { lockOrderRow } from '../../../db/platform/orders/lock-order-row.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { transact } from '../../../db/support/transact.ts';
import { aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { builtInReturns, noCredits, silent, testSecrets } from '../../support/fakes.ts';

let orm: MikroORM;
let activities: ReturnActivities;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
  activities = createReturnActivities({
    orm,
    providers: {
      secrets: testSecrets,
      credits: noCredits,
      returns: builtInReturns,
      gateways: { for: () => Promise.resolve(undefined) },
    },
    log: silent,
    clock: () => new Date(),
    gatewayTimeoutSeconds: 5,
    reconcileAfterSeconds: 60,
  });
});
afterAll(() => orm.close());

const { fork, change } = booksOf(() => orm);

test('a parked return is read while another register works on its order', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
  await initialiseReturn(orm.em, { returnId, canRefundThrough: () => false });
  const answer = await transact(orm.em, async (tx) => {
    await lockOrderRow(tx, orderId);
    return activities.readReturn({ returnId });
  });
  expect(answer).toMatchObject({ now: { status: 'awaiting_refund', isReady: true, attemptId: null } });
});

test('a refund that was left half-done is found, however ready its return is', async () => {
  const { returnId, attemptId } = await aRefundAttempt(orm, { locationId, state: 'started' });
  await change('sale_return', { return_id: returnId }, { is_ready: true });
  const answer = await activities.takeUpReturn({ returnId });
  expect(answer).toMatchObject({ attempt: { attemptId, isClaimed: true, isLeftOver: true } });
});

test('an unknown order is not locked, and says so', async () => {
  await expect(transact(orm.em, (tx) => lockOrderRow(tx, 999_999))).rejects.toMatchObject({ status: 404 });
});
