import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, Connection } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { createWorkflows } from '../../../providers/temporal/connect-workflows.ts';
import { StillRunning, type Question } from '../../../providers/temporal/workflows.ts';
import { refreshSignal, awaitReadyUpdate, type ReturnAnswer } from '../../../workflows/returns/messages.ts';
import { silent } from '../../support/fakes.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await Connection.connect({ address: process.env['TEST_TEMPORAL'] ?? '' });
});
afterAll(() => connection.close());

const question = {
  update: awaitReadyUpdate,
  workflow: 'returnWorkflow',
  id: 'return-1',
  input: { rmaId: 1 },
  operationKey: 'press-1',
  patienceMs: 7_000,
} as unknown as Question<ReturnAnswer, undefined, unknown>;

/** A client whose updates meet runs that end under them, so many times. */
function workflowsWhere(runsEnd: number) {
  const client = new Client({ connection, namespace: 'pos' });
  let asked = 0;
  client.workflow.executeUpdateWithStart = () => {
    asked++;
    return asked <= runsEnd
      ? Promise.reject(new WorkflowNotFoundError('workflow execution already completed', 'return-1', undefined))
      : // oxlint-disable-next-line typescript/no-explicit-any
        Promise.resolve({ status: 'closed' } as any);
  };
  const waits: number[] = [];
  const withDeadline = client.withDeadline.bind(client);
  client.withDeadline = (deadline, work) => {
    waits.push(Number(deadline) - Date.now());
    return withDeadline(deadline, work);
  };
  return {
    waited: () => Math.max(...waits),
    workflows: createWorkflows({ client, taskQueue: 'nobody', log: silent }),
    asked: () => asked,
  };
}

test('a press whose run ended under it is sent again, and answered', async () => {
  const { workflows, asked } = workflowsWhere(2);
  await expect(workflows.ask(question)).resolves.toEqual({ status: 'closed' });
  expect(asked()).toBe(3);
});

test('a request during which one run after another ends is asked to come again, not answered with a fault', async () => {
  const { workflows, asked } = workflowsWhere(100);
  await expect(workflows.ask(question)).rejects.toMatchObject({ status: 503 });
  expect(asked()).toBe(5);
});

test('a press waits no longer than its caller, even where the client does', async () => {
  const { workflows, waited } = workflowsWhere(0);
  await workflows.ask(question);
  expect(waited()).toBeLessThanOrEqual(question.patienceMs);

  const client = new Client({ connection, namespace: 'pos' });
  client.workflow.executeUpdateWithStart = () => new Promise(() => undefined);
  const silentOnes = createWorkflows({ client, taskQueue: 'nobody', log: silent });
  await expect(silentOnes.ask({ ...question, patienceMs: 10 })).rejects.toThrow(StillRunning);
});

test('every try of a press is the same update; another press is another one', async () => {
  const client = new Client({ connection, namespace: 'pos' });
  const ids: string[] = [];
  client.workflow.executeUpdateWithStart = (_update: unknown, { updateId = '' }: { updateId?: string }) => {
    ids.push(updateId);
    return ids.length % 2 === 1
      ? Promise.reject(new WorkflowNotFoundError('workflow execution already completed', 'return-1', undefined))
      : // oxlint-disable-next-line typescript/no-explicit-any
        Promise.resolve({ status: 'closed' } as any);
  };
  const workflows = createWorkflows({ client, taskQueue: 'nobody', log: silent });
  await workflows.ask(question);
  await workflows.ask(question);

  expect(ids.every((id) => id.startsWith('press-1.'))).toBe(true);
  expect(new Set(ids).size).toBe(2);
});

test('a signal to a workflow that is not there is a 404', async () => {
  const { workflows } = workflowsWhere(0);
  await expect(workflows.signal(refreshSignal, 'return-of-nobody')).rejects.toMatchObject({ status: 404 });
});
