import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkflowNotFoundError } from '@temporalio/client';
import { startHousekeeping } from '../../../worker/schedules.ts';
import { withoutTable } from '../../support/books/without-table.ts';
import { booksOf } from '../../support/books.ts';
import { aRequestedReturn } from '../../support/builders/return.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { housekeeper, lookNow } from '../../support/housekeeping.ts';
import { recordHistory } from '../../support/record-history.ts';
import { waitUntil } from '../../support/wait-until.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
});
afterAll(async () => {
  await housekeeper(flow).terminate('the test is over');
  await flow.close();
});

const books = booksOf(() => flow.api.orm);
const events = async () => (await housekeeper(flow).fetchHistory()).events ?? [];
/** The text of its page. */
const details = async () => {
  const { definition, currentDetails } = await housekeeper(flow).query<{
    definition?: unknown;
    currentDetails: string;
  }>('__temporal_workflow_metadata');
  expect(definition).toBeDefined();
  return currentDetails;
};
const runId = async () => (await housekeeper(flow).describe()).runId;
const isRunning = async (id: string) => (await flow.client.workflow.getHandle(id).describe()).status.name === 'RUNNING';
const restart = async (input: Parameters<typeof lookNow>[2]) => {
  await housekeeper(flow)
    .terminate('to start anew')
    .catch(() => undefined);
  return lookNow(flow, {}, input);
};

test('an idle minute costs six events at most', async () => {
  await restart({ everyMs: 50 });
  const isLook = (event: object) => Boolean(Reflect.get(event, 'timerFiredEventAttributes'));
  await waitUntil('it has looked a few times', async () => (await events()).filter(isLook).length > 5);

  const looks = (await events()).flatMap((event, at) => (isLook(event) ? [at] : []));
  expect(looks.at(-1)! - looks.at(-2)!).toBeLessThanOrEqual(6);
});

test('after a day a new run goes on from the progress of the last one', async () => {
  await restart({ everyMs: 50, renewAfterMs: 1 });
  const ended: string[] = [];
  await waitUntil('a new run goes on', async () => {
    const query = `WorkflowId = '${housekeeper(flow).workflowId}' AND ExecutionStatus = 'ContinuedAsNew'`;
    for await (const run of flow.client.workflow.list({ query })) ended.push(run.runId);
    return ended.length > 0;
  });

  expect(await isRunning(housekeeper(flow).workflowId)).toBe(true);
  const [begun] = (await housekeeper(flow).fetchHistory()).events ?? [];
  const [input] = begun?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  expect(JSON.parse(String(input?.data))).toEqual({
    lostUntil: expect.any(String),
    lookedForLostAt: expect.any(Number),
    comparedAt: expect.any(Number),
    everyMs: 50,
  });
  await recordHistory(flow.client, housekeeper(flow).workflowId, 'housekeeping-renewed', ended[0]);
});

test('a part that fails stops no other, and the page says which one it was', async () => {
  await restart({});
  const { returnId } = await aRequestedReturn(flow.api.orm);
  const looked = await withoutTable(books, 'bulk', () => lookNow(flow));

  expect(looked).toMatchObject({ counts: { returns: 1 }, failed: ['bulks'] });
  expect(await isRunning(`return-${returnId}`)).toBe(true);
  expect((await lookNow(flow)).failed).toEqual([]);
});

test('paused it looks only when asked, and goes on when it is resumed', async () => {
  await restart({ everyMs: 50 });
  await housekeeper(flow).signal('pause');
  const { returnId } = await aRequestedReturn(flow.api.orm);
  await waitUntil('the page says so', async () => (await details()).includes('Paused'));
  await expect(isRunning(`return-${returnId}`)).rejects.toThrow(WorkflowNotFoundError);
  await lookNow(flow);
  expect(await isRunning(`return-${returnId}`)).toBe(true);

  await housekeeper(flow).signal('resume');
  await waitUntil('the page says so', async () => (await details()).includes('Looks each minute'));
});

test('started by each worker, it is one; terminated, the hourly schedule brings it back', async () => {
  await Promise.all([1, 2].map(() => startHousekeeping(flow.client, flow)));
  const first = await runId();
  await startHousekeeping(flow.client, flow);
  expect(await runId()).toBe(first);

  await housekeeper(flow).terminate('an operator was in a hurry');
  const start = (times: number) =>
    flow.client.workflow.execute('startHousekeeping', {
      taskQueue: flow.taskQueue,
      workflowId: `start-${times}-${flow.taskQueue}`,
      args: [housekeeper(flow).workflowId],
    });
  expect(await start(1)).toBe(true);
  expect(await start(2)).toBe(false);
  await waitUntil('it runs', () => isRunning(housekeeper(flow).workflowId));
  await recordHistory(flow.client, `start-1-${flow.taskQueue}`, 'start-housekeeping');
});
