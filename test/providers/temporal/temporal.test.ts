import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection, type WorkflowClient } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import type { Command } from '../../../domain/command.ts';
import type { Outcome } from '../../../domain/outcome.ts';
import { createWorkflows } from '../../../providers/temporal/connect-workflows.ts';
import { repeatsThatEnd } from '../../../providers/temporal/connection.ts';
import { openQuestions } from '../../../providers/temporal/open-questions.ts';
import {
  lackOf,
  prepareNamespace,
  readNamespace,
  searchAttributes,
} from '../../../providers/temporal/prepare-namespace.ts';
import { type Question, StillRunning } from '../../../providers/temporal/workflows.ts';
import {
  createUpdate,
  refreshSignal,
  type ReturnAnswer,
  type ReturnInput,
} from '../../../workflows/returns/messages.ts';
import * as everyKey from '../../../workflows/support/search-attributes.ts';
import { aCommand } from '../../support/builders/return-requests.ts';
import { silent } from '../../support/fakes.ts';
import { twiceAtOnce } from '../../support/rivals.ts';

describe('connect workflows', () => {
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

  test('the tries of one press have one update id, so that it is carried out once; a repeat has its own, so that it is answered anew', async () => {
    const { workflows, updateIds } = workflowsWhere(2);
    await workflows.ask(question);
    await workflows.ask(question);

    const ids = updateIds();
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^press-1\.[0-9a-f]{8}$/)));
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(new Set(ids).size).toBe(2);
  });

  test('a request during which one run after another ends is asked to come again, not answered with a fault', async () => {
    const { workflows, asked } = workflowsWhere(100);
    await expect(workflows.ask(question)).rejects.toMatchObject({ status: 503 });
    expect(asked()).toBe(5);
  });

  /** As the client throws what the server says of an update with a start. */
  const refusedWith = (code: number, reason: string) =>
    Object.assign(new Error(reason), { code, details: 'Update-with-Start could not be executed.', metadata: {} });
  const crowded = refusedWith(8, 'limit on number of concurrent in-flight updates has been reached (10)');
  const full = refusedWith(
    9,
    'The limit on the total number of distinct updates in this workflow has been reached (2000).',
  );

  test('a press in a crowd is sent again until there is room for it', async () => {
    const { workflows, asked } = workflowsThat((tries) => (tries === 1 ? crowded : { status: 'closed' }));
    await expect(workflows.ask(question)).resolves.toEqual({ status: 'closed' });
    expect(asked()).toBe(2);
  });

  test('a press that finds no room is told so, and not that the service is away', async () => {
    const { workflows } = workflowsThat(() => crowded);
    await expect(workflows.ask({ ...question, patienceMs: 500 })).rejects.toMatchObject({
      status: 503,
      message: 'Too many requests for this record at the same time. Nothing was done; try again in a moment.',
    });
  });

  test('a press to a run that has reached its limit goes to the next run', async () => {
    const { workflows } = workflowsThat((tries) => (tries === 1 ? full : { status: 'closed' }));
    await expect(workflows.ask(question)).resolves.toEqual({ status: 'closed' });
  });

  test('a run that stays at its limit is no passing trouble, and what became of the press is open', async () => {
    const { workflows } = workflowsThat(() => full);
    const asked = workflows.ask({ ...question, patienceMs: 500 });
    await expect(asked).rejects.toBeInstanceOf(StillRunning);
    await expect(asked).rejects.toThrow('The workflow of this record takes no more requests. Read the record before');
  });

  test.each([
    [
      'whose workflow fails',
      'due to Workflow Task in failed state.',
      'has stopped on a fault, and nothing was done. Call',
    ],
    [
      'that an operator paused',
      'Workflow is paused. Cannot update the workflow.',
      'An operator has paused the workflow',
    ],
  ])('a press to a record %s is told that', async (_case, reason, message) => {
    const { workflows } = workflowsThat(() => refusedWith(9, reason));
    await expect(workflows.ask(question)).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining(message),
    });
  });

  test('a press whose step was not recorded may have been booked: the row tells', async () => {
    const { workflows } = workflowsThat((tries) =>
      tries === 1 ? refusedWith(9, 'due to unexpected workflow task failure.') : crowded,
    );
    await expect(workflows.ask({ ...question, patienceMs: 500 })).rejects.toBeInstanceOf(StillRunning);
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

  test('a client that ends while it repeats a call ends the call, and repeats no more', async () => {
    const { interceptors, end } = repeatsThatEnd();
    const nowhere = Connection.lazy({ address: '127.0.0.1:1', interceptors });
    const tries: number[] = [];
    const call = nowhere.healthService.check({}).catch((error: unknown) => error);
    // The first call of another client has failed by then, so this one waits for its next try.
    await Connection.connect({ address: '127.0.0.1:1', connectTimeout: '1 second' }).catch(() => tries.push(1));
    await end();
    await nowhere.close();
    expect(tries).toEqual([1]);
    expect(await call).toMatchObject({ code: 14 });
  });

  test('a signal to a workflow that is not there is a 404', async () => {
    const { workflows } = workflowsWhere(0);
    await expect(workflows.signal(refreshSignal, 'return-of-nobody')).rejects.toMatchObject({ status: 404 });
  });
});

describe('open questions', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await Connection.connect({ address: process.env['TEST_TEMPORAL'] ?? '' });
  });
  afterAll(() => connection.close());

  test('the address opens the list of refunds in doubt, by a query that Temporal understands', async () => {
    const page = new URL(openQuestions('http://temporal.example/', 'pos'));
    expect(page.origin + page.pathname).toBe('http://temporal.example/namespaces/pos/workflows');

    const query = page.searchParams.get('query') ?? '';
    expect(query).toContain("PosRefundState = 'uncertain'");
    const { count } = await new Client({ connection, namespace: 'pos' }).workflow.count(query);
    expect(count).toBeGreaterThanOrEqual(0);
  });
});

describe('prepare namespace', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await Connection.connect({ address: process.env['TEST_TEMPORAL'] ?? '' });
  });
  afterAll(() => connection.close());

  const newName = () => `prepared-${randomUUID()}`;

  const withDays = (namespace: string, days: number) =>
    connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(`${days} days`),
    });

  const days = async (namespace: string) => {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    return tsToMs(config?.workflowExecutionRetentionTtl) / 86_400_000;
  };

  test('a server that has nothing gets the namespace, its search attributes and thirty days; then nothing is missing', async () => {
    const namespace = newName();
    expect(lackOf(await readNamespace(connection, namespace), namespace)).toEqual({
      part: 'namespace',
      says: `"${namespace}" does not exist`,
    });

    const made = await prepareNamespace(connection, namespace);

    expect(made).toEqual([
      'the namespace, with 30 days of closed workflows',
      `the search attributes ${Object.keys(searchAttributes).join(', ')}`,
    ]);
    expect(await readNamespace(connection, namespace)).toEqual({ keptDays: 30, missing: [] });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes).toSorted()).toEqual(Object.keys(searchAttributes).toSorted());
    expect(await prepareNamespace(connection, namespace)).toEqual([]);
  });

  test('closed workflows that were kept for three days are kept for thirty; ninety stay ninety', async () => {
    const [short, long] = [newName(), newName()];
    await withDays(short, 3);
    await withDays(long, 90);

    expect(await prepareNamespace(connection, short)).toContain('30 days of closed workflows');
    await prepareNamespace(connection, long);

    expect([await days(short), await days(long)]).toEqual([30, 90]);
  });

  test('two who prepare a server at once are both content', async () => {
    const namespace = newName();

    await twiceAtOnce(() => prepareNamespace(connection, namespace));

    expect(await readNamespace(connection, namespace)).toEqual({ keptDays: 30, missing: [] });
  });

  test('the server of npm start keeps closed workflows as long', async () => {
    expect(await days('pos')).toBe(30);
  });

  test('what is made is what workflows write, each of its type', () => {
    const written = Object.values(everyKey).map(({ name, type }) => [name, type]);
    const made = Object.entries(searchAttributes).map(([name, type]) => [name, type.toUpperCase()]);
    expect(Object.fromEntries(made)).toEqual(Object.fromEntries(written));
  });
});
