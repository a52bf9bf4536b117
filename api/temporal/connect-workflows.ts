import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { noSuchEntity, PosError } from '../../domain/errors.ts';
import { isRefused } from '../../domain/outcome.ts';
import { longestAnswerSeconds } from '../../domain/refunds/answer-time.ts';
import type { Log } from '../../providers/log.ts';
import { required, type Settings } from '../../providers/settings.ts';
import { temporalConnectionOptions } from '../../providers/temporal-connection.ts';
import { asRefusal, isNotThere, isWorthAskingAgain } from './workflow-failures.ts';
import type { WorkflowStart, Question, Workflows } from './workflows.ts';

const tellDeadlineMs = 5_000;
const reachDeadlineMs = 300;

/** A workflow run may end while it is asked, and so may its successor; after so many tries it is a fault. */
const sendAttempts = 5;
const pauseMs = 100;

/**
 * The client of the workflows. It connects at first use, and again when the connection is lost. So a process starts
 * while Temporal is away, and serves what needs no workflow.
 */
export async function connectWorkflows({
  settings,
  log,
}: {
  settings: Settings;
  log: Log;
}): Promise<{ workflows: Workflows; close(): Promise<void> }> {
  const connection = Connection.lazy({
    ...temporalConnectionOptions(settings, required(settings, 'TEMPORAL_ADDRESS')),
    connectTimeout: '2s',
  });
  const client = new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE });
  return {
    workflows: createWorkflows({
      client,
      taskQueue: settings.TEMPORAL_TASK_QUEUE,
      log,
      gatewayTimeoutSeconds: settings.GATEWAY_TIMEOUT_SECONDS,
    }),
    close: () => connection.close(),
  };
}

export interface WorkflowsParts {
  client: Client;
  taskQueue: string;
  log: Pick<Log, 'warn'>;
  /** A gateway's timeout for a refund: the cashier then sees the outcome, not a timeout of ours. */
  gatewayTimeoutSeconds: number;
}

export function createWorkflows({ client, taskQueue, log, gatewayTimeoutSeconds }: WorkflowsParts): Workflows {
  const patienceMs = longestAnswerSeconds(gatewayTimeoutSeconds) * 1000;

  const isReachable = async () => {
    try {
      await client.withDeadline(Date.now() + reachDeadlineMs, () => client.workflowService.getSystemInfo({}));
      return true;
    } catch {
      return false;
    }
  };

  const send = <Answer, Request, Input>(question: Question<Answer, Request, Input>): Promise<Answer> =>
    client.withDeadline(Date.now() + (question.deadlineMs ?? patienceMs), () =>
      client.workflow.executeUpdateWithStart(question.update, {
        args: [question.request],
        // A repeated update id would always get the first outcome, even for a register that reuses its request id.
        updateId: `${question.requestId}.${randomBytes(4).toString('hex')}`,
        startWorkflowOperation: new WithStartWorkflowOperation(question.workflow, {
          workflowId: question.id,
          taskQueue,
          args: [question.input],
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          ...(question.summary === undefined ? {} : { staticSummary: question.summary }),
          ...(question.searchAttributes === undefined ? {} : { typedSearchAttributes: [...question.searchAttributes] }),
        }),
      }),
    );

  /** The run ended meanwhile, or could not accept the update at that moment: it is asked again, with growing pauses. */
  const sendUntilTaken = async <Answer, Request, Input>(
    question: Question<Answer, Request, Input>,
  ): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(question);
      } catch (error) {
        if (attempt === sendAttempts || !isWorthAskingAgain(error)) throw error;
        log.warn(
          { workflow: question.id, request: question.requestId, error },
          'a workflow could not take a request; it is sent again',
        );
        await pause(attempt * pauseMs);
      }
    }
  };

  const start = async <Input>({ workflow, id, input, summary, searchAttributes, signal }: WorkflowStart<Input>) => {
    const options = {
      workflowId: id,
      taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      ...(summary === undefined ? {} : { staticSummary: summary }),
      ...(searchAttributes === undefined ? {} : { typedSearchAttributes: [...searchAttributes] }),
    } as const;
    if (signal === undefined) await client.workflow.start(workflow, options);
    else await client.workflow.signalWithStart(workflow, { ...options, signal, signalArgs: [] });
  };

  return {
    isReachable,

    async ask(question) {
      const answer = await sendUntilTaken(question).catch(async (error: unknown) => {
        throw await asRefusal(error, isReachable);
      });
      if (isRefused(answer)) throw new PosError(answer.refused);
      return answer;
    },

    async start(life) {
      try {
        await client.withDeadline(Date.now() + tellDeadlineMs, () => start(life));
      } catch (error) {
        throw await asRefusal(error, isReachable);
      }
    },

    async signal(signal, id, ...args) {
      try {
        await client.withDeadline(Date.now() + tellDeadlineMs, () =>
          client.workflow.getHandle(id).signal(signal, ...args),
        );
      } catch (error) {
        if (isNotThere(error)) throw noSuchEntity('workflowId', id);
        throw await asRefusal(error, isReachable);
      }
    },
  };
}
