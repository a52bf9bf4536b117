import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkflowNotFoundError } from '@temporalio/client';
import { markFollowed } from '../../../db/returns/followed.ts';
import { posOrderId, posReturnId, posStatus } from '../../../workflows/support/search-attributes.ts';
import { booksOf } from '../../support/books.ts';
import { aRefundAttempt, aRequestedReturn } from '../../support/builders/return.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { housekeeper, lookNow } from '../../support/housekeeping.ts';
import { aLayawayRegister } from '../../support/layaway-register.ts';
import { waitUntil } from '../../support/wait-until.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
  // A new life looks at everything; from now on it looks as each minute.
  await lookNow(flow);
});
afterAll(async () => {
  await housekeeper(flow).terminate('the test is over');
  await flow.close();
});

const { fork, change, theReturn, theOrder } = booksOf(() => flow.api.orm);
const handle = (id: string) => flow.client.workflow.getHandle(id);
const isRunning = async (id: string) => {
  try {
    return (await handle(id).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
};
/** As its workflow leaves it once it has read the row. */
const aFollowedReturn = async () => {
  const { returnId, orderId } = await aRequestedReturn(flow.api.orm);
  await markFollowed(fork(), returnId);
  return { returnId, orderId, id: `return-${returnId}` };
};
const startReturn = ({ returnId, orderId, id }: { returnId: number; orderId: number; id: string }, options = {}) =>
  flow.client.workflow.start('returnWorkflow', {
    workflowId: id,
    taskQueue: flow.taskQueue,
    args: [{ rmaId: returnId }],
    typedSearchAttributes: [
      { key: posReturnId, value: returnId },
      { key: posOrderId, value: orderId },
    ],
    ...options,
  });
/** Temporal's list is a moment late. */
const untilTakenUp = (id: string) =>
  waitUntil(`${id} runs again`, async () => {
    await lookNow(flow, { everything: true });
    return isRunning(id);
  });

test('a return whose workflow was terminated is followed again', async () => {
  const rma = await aFollowedReturn();
  await startReturn(rma);
  await handle(rma.id).terminate('an operator was in a hurry');
  expect((await lookNow(flow)).counts).not.toHaveProperty('returns');

  await untilTakenUp(rma.id);
  const { typedSearchAttributes, staticSummary } = await describe(rma.id);
  expect([typedSearchAttributes.get(posReturnId), typedSearchAttributes.get(posOrderId)]).toEqual([
    rma.returnId,
    rma.orderId,
  ]);
  expect(staticSummary).toMatch(/^Return \d{9} · order \d{9}$/);
});
const describe = async (id: string) => {
  const { typedSearchAttributes, raw } = await handle(id).describe();
  const { summary } = raw.executionConfig?.userMetadata ?? {};
  return { typedSearchAttributes, staticSummary: JSON.parse(String(summary?.data)) as string };
};

test('a return whose workflow ran out of time is followed again', async () => {
  const rma = await aFollowedReturn();
  await startReturn(rma, { workflowRunTimeout: '1 second' });
  await waitUntil('its time is over', async () => (await handle(rma.id).describe()).status.name === 'TIMED_OUT');

  await untilTakenUp(rma.id);
});

test('a layaway whose workflow was cancelled is followed again', async () => {
  const { orderId } = await aLayawayRegister(flow).place();
  const id = `layaway-${orderId}`;
  await waitUntil('it is followed', async () => {
    const { pos_layaway_followed_at: at } = await theOrder(orderId, 'pos_layaway_followed_at');
    return at !== null;
  });
  await handle(id).cancel();
  await waitUntil('it has ended', async () => !(await isRunning(id)));
  await change('sales_order', { entity_id: orderId }, { created_at: new Date(Date.now() - 120_000) });

  await untilTakenUp(id);
  expect((await handle(id).describe()).typedSearchAttributes.get(posOrderId)).toBe(orderId);
  await waitUntil('its state is shown', async () => {
    const { typedSearchAttributes } = await handle(id).describe();
    return typedSearchAttributes.get(posStatus) === 'open';
  });
});

test('a doubt whose workflow failed is asked about again', async () => {
  const { attemptId } = await aRefundAttempt(flow.api.orm, { locationId: flow.shop.locationId });
  const id = `refund-attempt-${attemptId}`;
  await change('refund_attempt', { attempt_id: attemptId }, { state: 'failed' });
  await handle(id)
    .result()
    .catch(() => undefined);
  await flow.client.workflow.start('refundAttemptWorkflow', {
    workflowId: id,
    taskQueue: flow.taskQueue,
    args: [{ attemptId: attemptId + 1 }],
  });
  await expect(handle(id).result()).rejects.toThrow('Workflow execution failed');
  await change('refund_attempt', { attempt_id: attemptId }, { state: 'uncertain' });

  await untilTakenUp(id);
});

test('a return that ended beside its workflow: the workflow is told and ends', async () => {
  const rma = await aFollowedReturn();
  await startReturn(rma);
  await waitUntil('it has read the row', async () => {
    const { status } = await handle(rma.id).query<{ status: string }>('state');
    return status === 'pending';
  });
  await change('sale_return', { return_id: rma.returnId }, { status: 'denied' });

  expect((await lookNow(flow)).counts).toMatchObject({ 'ended returns': 1 });
  await waitUntil('it has ended', async () => !(await isRunning(rma.id)));
});

test('a return that ended, and so did its workflow without knowing it: the row says so', async () => {
  const rma = await aFollowedReturn();
  await change('sale_return', { return_id: rma.returnId }, { status: 'denied' });
  await lookNow(flow);

  expect(await theReturn(rma.returnId, 'followed_at')).toEqual({ followed_at: null });
  expect(await isRunning(rma.id)).toBe(false);
});

test('a workflow whose return is over, whatever the row says of it, is told by the comparison', async () => {
  const rma = await aFollowedReturn();
  await startReturn(rma);
  await waitUntil('it has read the row', async () => {
    const { status } = await handle(rma.id).query<{ status: string }>('state');
    return status === 'pending';
  });
  await change('sale_return', { return_id: rma.returnId }, { status: 'denied', followed_at: null });

  await waitUntil('it has ended', async () => {
    await lookNow(flow, { everything: true });
    return !(await isRunning(rma.id));
  });
});
