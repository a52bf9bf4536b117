import { expect, test } from 'vitest';
import { aPayment } from '../../support/builders/layaway.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { booksOf } from '../../support/books.ts';
import { recordHistory } from '../../support/record-history.ts';
import { eightAtOnce, atOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  opensAShop,
  flow,
  register,
  handle,
  followed,
  ended,
  view,
  statusOf,
  timers,
  payPatiently,
  sweep,
  standings,
} from './layaways-with-workflows.ts';
import { minutesAgo } from '../../support/moments.ts';

opensAShop();

const { memosOf, theOrder, find, storyOf, change, remove, booksHold } = booksOf(() => flow.api.orm);

test('placed, paid in parts, settled on the platform: a life of at most ten events and eight a payment', async () => {
  const { orderId, incrementId } = await register.place();
  await followed(orderId);

  const deposit = await register.pay(orderId, 40, { reference: 'T-1' });
  expect(deposit).toMatchObject({
    status: 200,
    body: {
      order_id: orderId,
      order_increment_id: incrementId,
      total_captured: 40,
      balance_owed: 68,
      status: 'open',
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    },
  });
  expect((await register.pay(orderId, 100)).body).toMatchObject({ total_captured: 108, status: 'ready_to_settle' });
  expect((await register.pay(orderId, 5)).body).toMatchObject({ total_captured: 108, balance_owed: 0 });
  const { typedSearchAttributes } = await handle(orderId).describe();
  expect(JSON.stringify(typedSearchAttributes)).toContain('ready_to_settle');

  expect((await register.settle(orderId)).body).toBe(true);
  expect(await ended(orderId)).toBe('ready_to_settle');
  expect(await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-paid-and-settled')).toBeLessThanOrEqual(
    10 + 8 * 3 + 6,
  );
  expect(await statusOf(orderId)).toBe('ready_to_settle');
  expect((await register.cancel(orderId)).status).toBe(400);
  expect((await register.pay(orderId, 1)).body).toMatchObject({ total_captured: 108, status: 'ready_to_settle' });
});

test('cancelled with a fee: the answer, the rows, and a repeat', async () => {
  const { orderId, incrementId } = await register.place();
  await register.pay(orderId, 40);

  const cancelled = await register.cancel(orderId, 20, { reason: 'Ann moved away' });

  const [memo] = await memosOf(orderId, 'increment_id');
  expect([cancelled.status, cancelled.body]).toEqual([
    200,
    {
      order_id: orderId,
      order_increment_id: incrementId,
      total_captured: 40,
      balance_owed: 0,
      status: 'cancelled',
      expires_at: expect.any(String),
      cancellation_fee: 8,
      refund_amount: 32,
      refund_method: 'cash',
      credit_memo_increment_id: Reflect.get(memo!, 'increment_id'),
      credit_legs: [],
    },
  ]);
  expect(await register.order(orderId)).toMatchObject({ state: 'canceled', total_refunded: 32 });
  expect(await register.cancel(orderId, 20)).toMatchObject({
    status: 400,
    body: { message: 'The layaway is already cancelled.' },
  });
  expect(await ended(orderId)).toBe('cancelled');
  await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-cancelled');
  const history = await handle(orderId).fetchHistory();
  expect(JSON.stringify(history)).not.toContain('moved away');
});

test('refused beneath the route: the workflow goes on, and cancels when the fee is right', async () => {
  const { orderId } = await register.place();
  await followed(orderId);
  const request = { ...aPayment(orderId, '-1'), by: 'nobody', requestId: 'none' };

  expect(await handle(orderId).executeUpdate('capture', { args: [request] })).toEqual({
    refused: { status: 400, message: 'Layaway capture amount must be positive' },
  });

  expect((await register.cancel(orderId)).body).toMatchObject({ refund_amount: 0, credit_memo_increment_id: null });
  expect(await ended(orderId)).toBe('cancelled');
  await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-refused-then-cancelled');
});

test('the day it expires: the timer flags it, it can still be paid in part and cancelled', async () => {
  const { orderId } = await register.place(new Date(Date.now() + 6_000));
  expect(await statusOf(orderId)).toBe('open');

  await waitUntil('it is overdue', async () => (await statusOf(orderId)) === 'stale');
  expect((await register.pay(orderId, 10)).body).toMatchObject({ status: 'stale', balance_owed: 98 });
  expect((await register.cancel(orderId, 50)).body).toMatchObject({ status: 'cancelled', refund_amount: 5 });

  expect(await ended(orderId)).toBe('cancelled');
  await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-expired-by-timer');
});

test('a later expiry, saved with the order, sets the timer anew', async () => {
  const { orderId } = await register.place(new Date(Date.now() + 60_000));
  await followed(orderId);
  const later = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 86_400_000);

  await register.call('POST', '/V1/orders', {
    entity: { entity_id: orderId, extension_attributes: { pos_layaway_expires_at: later.toISOString() } },
  });

  await waitUntil('the workflow has heard', async () => (await view(orderId)).expiresAt === later.toISOString());
  const { pos_layaway_expires_at: expires } = await theOrder(orderId, 'pos_layaway_expires_at');
  expect(Date.parse(expires)).toBeGreaterThan(Date.now());
  await register.cancel(orderId);
  expect(await ended(orderId)).toBe('cancelled');
  await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-expiry-moved');
});

test('the hourly job flags it and tells its workflow; the minute starts the workflows that are missing', async () => {
  const { orderId } = await register.place();
  await followed(orderId);
  const lost = await register.place();
  await followed(lost.orderId);
  await handle(lost.orderId).terminate('Temporal was away when it was placed');
  const unfollowed = { pos_layaway_followed_at: null, created_at: minutesAgo(60) };
  await change('sales_order', { entity_id: lost.orderId }, unfollowed);
  // By hand, so that no timer knows.
  await change('sales_order', { entity_id: orderId }, { pos_layaway_expires_at: minutesAgo(60) });

  const done = await sweep(`sweep-${orderId}`);
  await sweep(`sweep-${orderId}-again`);

  expect(done).toMatchObject({ stale: 1 });
  expect((await lookNow(flow)).counts).toMatchObject({ layaways: 1 });
  await recordHistory(flow.client, `sweep-${orderId}`, 'expire-layaways');
  await waitUntil('its workflow knows', async () => (await view(orderId)).status === 'stale');
  await followed(lost.orderId);
  expect((await storyOf(orderId)).filter((comment) => comment.includes('overdue'))).toHaveLength(1);
  for (const id of [orderId, lost.orderId]) {
    await register.cancel(id);
    expect(await ended(id)).toBe('cancelled');
  }
  await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-stale-by-job');
});

test('paid in full by collecting credit due: it waits for no day any more, and is never flagged', async () => {
  const pos_layaway_expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const { orderId } = await register.place(null, {
    extension_attributes: { pos_layaway_status: 'open', pos_layaway_expires_at, pos_credit_due: 108 },
  });
  await followed(orderId);
  await register.call('POST', `/V1/pos/orders/${orderId}/due-payments`, { reference: 'D-1', amount: 108 });
  await handle(orderId).signal('refresh');
  await waitUntil('the timer is gone', async () => JSON.stringify(await timers(orderId)) === '[1,1]');
  await handle(orderId).terminate('the test is over');
});

test('overdue from the start: flagged at once', async () => {
  const { orderId } = await register.place(new Date(Date.now() - 60_000));
  await waitUntil('it is overdue', async () => (await statusOf(orderId)) === 'stale');
  await register.cancel(orderId);
  expect(await ended(orderId)).toBe('cancelled');
  await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-overdue-from-the-start');
});

test('terminated by an operator: the next payment rebuilds it from the row', async () => {
  const { orderId } = await register.place();
  await register.pay(orderId, 40, { reference: 'T-1' });
  await handle(orderId).terminate('an operator was in a hurry');

  expect((await register.pay(orderId, 40, { reference: 'T-1' })).body).toMatchObject({ total_captured: 40 });
  expect((await register.pay(orderId, 20, { reference: 'T-2' })).body).toMatchObject({ total_captured: 60 });

  await register.cancel(orderId, 100);
  expect(await ended(orderId)).toBe('cancelled');
  await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-rebuilt');
});

test.each(standings)('started from nothing but the id of a layaway that is %s', async (status, set, expected) => {
  const { orderId } = await register.place();
  await followed(orderId);
  await handle(orderId).terminate('to start from nothing');
  await change('sales_order', { entity_id: orderId }, set);

  await flow.client.workflow.start('layawayWorkflow', {
    taskQueue: flow.taskQueue,
    workflowId: `layaway-${orderId}`,
    args: [{ orderId }],
  });

  await waitUntil('it was looked at', async () => (await view(orderId)).status === status);
  await waitUntil(`it is ${expected}`, async () => (await handle(orderId).describe()).status.name === expected);
  if (expected === 'RUNNING') await handle(orderId).terminate('the test is over');
  await remove('sales_order_status_history', { parent_id: orderId });
  await change('sales_order', { entity_id: orderId }, { pos_layaway_status: null, total_paid: 0, base_total_paid: 0 });
});

test('eight registers at once with one reference, then eight cancellations: one payment, one memo', async () => {
  const { orderId } = await register.place();
  const paid = await eightAtOnce(() => register.pay(orderId, 40, { reference: 'T-1' }));
  expect(paid.map(({ body }) => body.total_captured)).toEqual(Array.from({ length: 8 }, () => 40));

  const answers = await eightAtOnce(() => register.cancel(orderId, 10));

  expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
    200,
    ...Array.from({ length: 7 }, () => 400),
  ]);
  expect(await memosOf(orderId)).toHaveLength(1);
  await booksHold();
});

test.each([2, 50])(
  '%i registers at once: with one reference one payment, with their own as many as fit',
  async (count) => {
    const [one, many] = [await register.place(), await register.place()];
    const same = await atOnce(count, () => payPatiently(one.orderId, 'T-1', 40));
    const each = await atOnce(count, (at) => payPatiently(many.orderId, `T-${at}`));

    expect([...same, ...each].map(({ status }) => status)).toEqual(Array.from({ length: 2 * count }, () => 200));
    expect(new Set(same.map(({ body }) => body.total_captured))).toEqual(new Set([40]));
    const amounts = await find('sales_money_in', { order_id: many.orderId, kind: 'layaway_capture' }, 'amount');
    expect(amounts.map(({ amount }) => Number(amount))).toEqual([43.2, 43.2, 21.6].slice(0, count));
    await booksHold();
  },
  240_000,
);
