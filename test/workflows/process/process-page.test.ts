import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFlow, type Flow } from '../../support/flow.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
});
afterAll(() => flow.close());

test('the page of a run that was refused says why in words, with what they are about', async () => {
  const run = await flow.client.workflow.start('processWorkflow', {
    workflowId: `process-${flow.taskQueue}`,
    taskQueue: flow.taskQueue,
    args: [{ processId: 2_000_000_000 }],
  });
  expect(await run.result()).toBe('refused: Return process with id 2000000000 does not exist');

  const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');

  expect(currentDetails).toBe('This collapsed return: refused: Return process with id 2000000000 does not exist');
});
