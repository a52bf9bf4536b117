import { Client, Connection, type WorkflowClient } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkflows } from '../../../providers/temporal/connect-workflows.ts';
import { StillRunning, type Question } from '../../../providers/temporal/workflows.ts';
import type { Command } from '../../../domain/command.ts';
import type { Outcome } from '../../../domain/outcome.ts';
import {
  createUpdate,
  refreshSignal,
  type ReturnAnswer,
  type ReturnInput,
} from '../../../workflows/returns/messages.ts';
import { aCommand } from '../../support/builders/return-requests.ts';
import { silent } from '../../support/fakes.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await Connection.connect({ address: process.env['TEST_TEMPORAL'] ?? '' });
});
afterAll(() => connection.close());

const question: Question<Outcome<ReturnAnswer>, Command, ReturnInput> = {
  update: createUpdate,
  workflow: 'returnWorkflow',
  id: 'return-1',
  input: { rmaId: 1 },
  request: aCommand(),
  operationKey: 'press-1',
  patienceMs: 7_000,
};

type Sent = Parameters<WorkflowClient['executeUpdateWithStart']>[1];
type Answering = (tries: number) => unknown;

const ended = () => new WorkflowNotFoundError('workflow execution already completed', 'return-1', undefined);

/** A client whose updates are answered so: an error is thrown. */
function workflowsThat(answer: Answering, client = new Client({ connection, namespace: 'pos' })) {
  const sent: Sent[] = [];
  client.workflow.executeUpdateWithStart = async (_update: unknown, options: Sent) => {
    sent.push(options);
    const said = answer(sent.length);
    if (said instanceof Error) throw said;
    // oxlint-disable-next-line typescript/no-explicit-any
    return said as any;
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
    asked: () => sent.length,
    updateIds: () => sent.map(({ updateId }) => updateId),
  };
}

/** Runs end under them, so many times. */
const workflowsWhere = (runsEnd: number) =>
  workflowsThat((tries) => (tries <= runsEnd ? ended() : { status: 'closed' }));

test('a press whose run ended under it is sent again, and answered', async () => {
  const { workflows, asked } = workflowsWhere(2);
  await expect(workflows.ask(question)).resolves.toEqual({ status: 'closed' });
  expect(asked()).toBe(3);
});

test('each try has an update id of its own, which begins with the operation: a repeat is not told the first outcome', async () => {
  const { workflows, updateIds } = workflowsWhere(2);
  await workflows.ask(question);
  expect(updateIds()).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^press-1\.[0-9a-f]{8}$/)));
  expect(new Set(updateIds()).size).toBe(3);
});

test('a request during which one run after another ends is asked to come again, not answered with a fault', async () => {
  const { workflows, asked } = workflowsWhere(100);
  await expect(workflows.ask(question)).rejects.toMatchObject({ status: 503 });
  expect(asked()).toBe(5);
});

test('a press waits as long as its caller does', async () => {
  const { workflows, waited } = workflowsWhere(0);
  await workflows.ask({ ...question, patienceMs: 90_000 });
  expect(waited()).toBeGreaterThan(80_000);
  expect(waited()).toBeLessThanOrEqual(90_000);
});

test('a step that could not ask the database leaves open what became of the press: the row tells', async () => {
  const { workflows } = workflowsThat(() => ApplicationFailure.create({ type: 'DatabaseTrouble', message: 'lost' }));
  await expect(workflows.ask(question)).rejects.toBeInstanceOf(StillRunning);
});

test('a press that an older worker does not know is asked to come again', async () => {
  const { workflows } = workflowsThat(() => ApplicationFailure.create({ message: 'No handler for update: create' }));
  await expect(workflows.ask(question)).rejects.toMatchObject({
    status: 503,
    message: 'The workflow service does not know this request yet. Try again in a moment.',
  });
});

test('a refusal of the workflow is the refusal of the press', async () => {
  const refusal = { status: 400, message: 'A return in status "%1" cannot be settled.', parameters: ['pending'] };
  const { workflows } = workflowsThat(() => ({ refused: refusal }));
  await expect(workflows.ask(question)).rejects.toMatchObject({ refusal });
});

test('while Temporal is away nothing is sent, and the press is asked to come again', async () => {
  const nowhere = Connection.lazy({ address: '127.0.0.1:1', connectTimeout: '1 second' });
  const { workflows, asked } = workflowsThat(
    () => ({ status: 'closed' }),
    new Client({ connection: nowhere, namespace: 'pos' }),
  );
  await expect(workflows.ask(question)).rejects.toMatchObject({
    status: 503,
    message: 'The workflow service cannot be reached. Try again in a moment.',
  });
  expect(await workflows.isReachable()).toBe(false);
  expect(asked()).toBe(0);
  await nowhere.close();
});

test('a signal to a workflow that is not there is a 404', async () => {
  const { workflows } = workflowsWhere(0);
  await expect(workflows.signal(refreshSignal, 'return-of-nobody')).rejects.toMatchObject({ status: 404 });
});
