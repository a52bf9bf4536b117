import { beforeAll, describe, expect, test } from '@jest/globals';
import { createReturnActivities, type ReturnActivities } from '../../../activities/returns.ts';
import { lockOrderRow } from '../../../db/platform/orders/lock-order-row.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { transact } from '../../../db/support/transact.ts';
import { pieces } from '../../../domain/money.ts';
import { isRefused } from '../../../domain/outcome.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { booksOf } from '../../support/books.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem, aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { builtInReturns, noCredits, silent, testSecrets } from '../../support/fakes.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eightAtOnce, outcomesAtOnce } from '../../support/rivals.ts';
import {
  activities,
  aRivalRefund,
  gateways,
  locationId,
  opensACounter,
  orm,
  settle,
} from './returns-beside-a-gateway.ts';

describe('quiet return', () => {
  const orm = useDatabase();
  let activities: ReturnActivities;
  let locationId: number;
  beforeAll(async () => {
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
});

describe('return activities', () => {
  opensACounter();

  const { memosOf, returnsOf, attemptsOf, wordsOf, theReturn, find, fork, shelf, promised, change, insert } = booksOf(
    () => orm,
  );

  test('a return is initialised once, however often and however concurrently it is asked for', async () => {
    const { returnId } = await aReturn(orm, { locationId });
    const floor = await shelf();

    const answers = await eightAtOnce(() => activities.takeUpReturn({ returnId }));
    const again = await activities.takeUpReturn({ returnId });

    expect(new Set(answers.map((answer) => (isRefused(answer) ? 'refused' : answer.attempt?.attemptId))).size).toBe(1);
    expect(again).toMatchObject({ now: { status: 'awaiting_refund' }, attempt: { isClaimed: false } });
    expect(await shelf()).toBe(floor + 1);
    expect(await attemptsOf(returnId)).toHaveLength(1);
  });

  test('a cash settlement books one memo, however often and however concurrently it is asked for', async () => {
    const { returnId, orderId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
    await activities.takeUpReturn({ returnId });

    const answers = await eightAtOnce(() => settle(returnId));
    const again = await settle(returnId);

    expect([...answers, again]).toMatchObject(Array.from({ length: 9 }, () => ({ now: { status: 'closed' } })));
    expect(await memosOf(orderId)).toHaveLength(1);
  });

  test('a reference and what the terminal printed are kept on a refund transaction', async () => {
    const { returnId, orderId } = await aReturn(orm, { locationId, refundMethod: 'terminal' });
    await activities.takeUpReturn({ returnId });
    await insert('sale_return_settle_payload', {
      request_id: 'req-7',
      return_id: returnId,
      raw_payload: 'APPROVED 54.00',
    });

    await settle(returnId, { operationKey: 'req-7', method: 'terminal', reference: 'T-77' });

    expect(
      await find(
        'sales_payment_transaction',
        { order_id: orderId, txn_type: 'refund' },
        'txn_id',
        'txn_type',
        'additional_information',
      ),
    ).toEqual([
      {
        txn_id: 'T-77',
        txn_type: 'refund',
        additional_information: expect.objectContaining({ raw_payload: 'APPROVED 54.00' }),
      },
    ]);
  });

  test('an adjustment is booked as given, ex tax', async () => {
    const { returnId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
    await activities.takeUpReturn({ returnId });
    const options = { ...plainSettlement, adjustmentNegative: 45_000 as never };

    await settle(returnId, { options });

    expect(await theReturn(returnId, 'base_refund_total')).toEqual({ base_refund_total: '49.5000' });
  });

  test('while a refund is uncertain nothing else is settled', async () => {
    const { returnId, orderId } = await aRefundAttempt(orm, { locationId });

    expect(await settle(returnId)).toMatchObject({
      refused: { status: 409, parameters: { outcome: 'gateway_uncertain' } },
    });
    expect(await settle(returnId, { method: 'original_payment' })).toMatchObject({ refused: { status: 409 } });
    expect(await memosOf(orderId)).toHaveLength(0);
  });

  test('when another refund took the order, the settlement names its memo, and the return says why it stays', async () => {
    const { returnId, orderId } = await aReturn(orm, {
      locationId,
      refundMethod: 'cash',
      item: { qtyRequested: pieces(2) },
    });
    await activities.takeUpReturn({ returnId });
    const rival = await aRivalRefund(orderId);

    const answer = await settle(returnId);

    expect(answer).toMatchObject({
      refused: {
        status: 400,
        message: `Nothing is left to refund: credit memo ${rival} took it.`,
        parameters: { outcome: 'nothing_left_to_refund', credit_memo_increment_id: rival },
      },
    });
    expect((await wordsOf(returnId, 'comment')).at(-1)).toEqual({
      comment: `Not settled: Nothing is left to refund: credit memo ${rival} took it.`,
    });
  });

  test('a payment no gateway can give back is refused before an attempt is written', async () => {
    const { returnId } = await aReturn(orm, { locationId, order: { method: 'checkmo' } });
    gateways.isThere = false;
    const answer = await activities.takeUpReturn({ returnId });
    gateways.isThere = true;

    expect(answer).toMatchObject({
      now: { status: 'pending', isReady: false },
      refused: { status: 400, parameters: { outcome: 'refund_from_admin' } },
    });
    expect(await attemptsOf(returnId)).toHaveLength(0);
  });

  test('a payment taken through an order-based interface is refused before an attempt is written', async () => {
    const { returnId } = await aReturn(orm, { locationId, order: { lastTransId: '' } });

    expect(await activities.takeUpReturn({ returnId })).toMatchObject({
      refused: { status: 400, message: expect.stringContaining('Refund the order from the admin') },
    });
    expect(await attemptsOf(returnId)).toHaveLength(0);
  });

  test('damaged goods without a shelf for them hold the return, with nothing moved', async () => {
    await change('pos_location', { location_id: locationId }, { damaged_stock_source_code: null });
    const { returnId } = await aReturn(orm, {
      locationId,
      refundMethod: 'cash',
      item: { inspectedCondition: 'damaged' },
    });

    const answer = await activities.takeUpReturn({ returnId });

    await change('pos_location', { location_id: locationId }, { damaged_stock_source_code: 'damaged' });
    expect(answer).toMatchObject({
      refused: { status: 400, message: expect.stringContaining('no source for damaged goods') },
    });
    expect(await theReturn(returnId, 'status', 'is_ready')).toEqual({ status: 'pending', is_ready: false });
    expect(await settle(returnId)).toMatchObject({
      refused: { status: 409, parameters: { outcome: 'return_not_ready' } },
    });
  });

  test('a return that is held says why, once, however often it is tried', async () => {
    const { returnId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
    await change('sale_return_item', { return_id: returnId }, { target_source_code: 'gone' });

    const answers = await eightAtOnce(() => activities.takeUpReturn({ returnId }));

    expect(answers).toEqual(
      answers.map(() => ({
        now: expect.objectContaining({ status: 'pending', isReady: false }),
        refused: expect.objectContaining({ status: 400, message: 'Source with code "%value" does not exist.' }),
      })),
    );
    expect(await wordsOf(returnId, 'comment', 'status')).toEqual([
      { comment: 'Not ready yet: Source with code "gone" does not exist.', status: 'pending' },
    ]);
  });

  test('eight returns of the last piece at once: one is made', async () => {
    const order = await anOrder(fork(), { lines: [{ sku: 'MUG', qty: 1, price: '50' }] });
    const wanted = {
      orderId: order.orderId,
      customerId: null,
      locationId,
      items: [anItem(order.itemIds[0]!)],
      comment: null,
      isAutoApproved: false,
      refundMethod: null,
      posSaleId: null,
    };

    const { done } = await outcomesAtOnce(8, () => createReturn(orm.em, wanted));

    expect(done).toHaveLength(1);
    expect(await returnsOf(order.orderId)).toHaveLength(1);
  });

  test('goods that were sold but never handed over leave no promise behind', async () => {
    const { returnId, orderId } = await aReturn(orm, {
      locationId,
      refundMethod: 'cash',
      order: { shipped: false },
      item: { qtyRequested: pieces(2) },
    });
    const floor = await shelf();

    await activities.takeUpReturn({ returnId });
    await settle(returnId);

    expect(await shelf()).toBe(floor);
    expect(await promised(orderId)).toBe(0);
  });
});
