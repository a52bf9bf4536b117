import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { booksOf } from '../../support/books.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { housekeeper, lookNow } from '../../support/housekeeping.ts';
import { waitUntil } from '../../support/wait-until.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow({ reconcileAfterSeconds: 0 });
});
afterAll(async () => {
  await housekeeper(flow).terminate('the test is over');
  await flow.close();
});

const { theAttempt } = booksOf(() => flow.api.orm);

/** A question whose workflow is open, as an operator finds it. */
async function aQuestion() {
  const { attemptId } = await aRefundAttempt(flow.api.orm, { locationId: flow.shop.locationId });
  await lookNow(flow);
  const run = flow.client.workflow.getHandle(`refund-attempt-${attemptId}`);
  const page = async () => {
    const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return currentDetails;
  };
  await waitUntil('the page asks', async () => (await page()).includes('Did the customer get'));
  return { attemptId, run, page };
}

/** As the Temporal page sends what a person typed: the bytes as they are. */
const signalBytes = (workflowId: string, data: string, encoding = 'json/plain') =>
  flow.client.workflowService.signalWorkflowExecution({
    namespace: 'pos',
    workflowExecution: { workflowId },
    signalName: 'resolve',
    input: { payloads: [{ metadata: { encoding: Buffer.from(encoding) }, data: Buffer.from(data) }] },
  });

test.each([
  ['a word', '"Refunded"', '"Refunded"'],
  ['a wrong resolution', '{"resolution":"Refunded","staffName":"Olga"}', 'Refunded'],
  ['no name', '{"resolution":"refunded"}', 'refunded'],
  ['nothing', 'null', 'null'],
  ['a text that is no JSON', 'Refunded', 'Refunded'],
])('a signal with %s: the page says that it was not understood, and how to answer', async (_case, sent, shown) => {
  const { attemptId, run, page } = await aQuestion();
  await signalBytes(run.workflowId, sent);

  await waitUntil('the page says so', async () => (await page()).includes('not understood'));
  expect(await page()).toContain(shown);
  expect(await theAttempt(attemptId, 'state')).toEqual({ state: 'uncertain' });

  await run.signal('resolve', { resolution: 'refunded', staffName: 'Olga', note: '' });
  expect(await run.result()).toBe('booked');
});

test('an update that cannot be read is refused at once', async () => {
  const { run, page } = await aQuestion();
  const update = run.executeUpdate('resolve', { args: ['Refunded'] });

  await expect(update).rejects.toThrow(WorkflowUpdateFailedError);
  expect(await page()).not.toContain('not understood');
  await run.terminate('the test is over');
});
