import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Client,
  Connection,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { noSuchEntity, PosError, unavailable } from '../../domain/errors.ts';
import { isRefused } from '../../domain/outcome.ts';
import type { Log } from '../../providers/log.ts';
import { longestAnswerSeconds } from '../../domain/refunds/answer-time.ts';
import { required, type Settings } from '../../providers/settings.ts';
import { temporalConnectionOptions } from '../../providers/temporal-connection.ts';
import type { Life, Question, Workflows } from './workflows.ts';

const tellDeadlineMs = 5_000;
const reachDeadlineMs = 300;

/** A run may end under a question, and so may its successor; what lasts longer than these tries is a fault. */
const sendAttempts = 5;
const pauseMs = 100;

/**
 * The line to the workflows. Connects when it is first used, and again when it was lost, so that a process starts and
 * serves what needs no workflow while Temporal is away.
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
  /** How long a gateway may take to answer a refund: a cashier sees what came of it, not the wait's end. */
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
        // A repeated update id would answer the first outcome for ever, even to a register that repeats its request id.
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

  /** The run ended under our question, or could not take it just then: it is asked again, a little later each time. */
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

  const start = async <Input>({ workflow, id, input, summary, searchAttributes, signal }: Life<Input>) => {
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

    async begin(life) {
      try {
        await client.withDeadline(Date.now() + tellDeadlineMs, () => start(life));
      } catch (error) {
        throw await asRefusal(error, isReachable);
      }
    },

    async tell(signal, id, ...args) {
      try {
        await client.withDeadline(Date.now() + tellDeadlineMs, () =>
          client.workflow.getHandle(id).signal(signal, ...args),
        );
      } catch (error) {
        if (codeOf(error) === grpc.notFound) throw noSuchEntity('workflowId', id);
        throw await asRefusal(error, isReachable);
      }
    },
  };
}

const grpc = {
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unavailable: 14,
} as const;

/** Of a run that ended under the question, or could not take it just then. */
const passing: readonly (number | undefined)[] = [grpc.notFound, grpc.failedPrecondition, grpc.aborted];

/**
 * The run has ended or is ending, the server says it is not ready for an update just now, or the update went by it in a
 * crowd: nothing was done then, as the server says itself.
 */
const isWorthAskingAgain = (error: unknown) => isWentBy(failureIn(error)) || passing.includes(codeOf(error));

const isWentBy = (failure: ApplicationFailure | undefined) =>
  ['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'].includes(failure?.type ?? '');

/** A deadline that passed and a server that is away look alike: only asking tells them apart. */
async function asRefusal(error: unknown, isReachable: () => Promise<boolean>): Promise<unknown> {
  const failure = failureIn(error);
  if (failure?.type === 'PosError') return new PosError({ status: 400, message: failure.message });
  // Turned away in a crowd, time and again: nothing was done.
  if (isWentBy(failure)) return unavailable('The workflow service is busy. Try again in a moment.');
  const code = codeOf(error);
  const timedOut = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || code === grpc.deadlineExceeded;
  if (timedOut && (await isReachable())) {
    return new PosError({ status: 504, message: 'The work is still going on. Read the record again in a moment.' });
  }
  if (timedOut || passing.includes(code) || code === grpc.unavailable || code === grpc.resourceExhausted) {
    return unavailable('The workflow service cannot be reached. Try again in a moment.');
  }
  return error;
}

/** The transport's own word, however deep the client wrapped it; of a run that is not there it only keeps the kind. */
function codeOf(error: unknown): number | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof WorkflowNotFoundError) return grpc.notFound;
    if (isGrpcServiceError(cause)) return cause.code;
  }
  return undefined;
}

/** The failure a workflow gave, however deep the client wrapped it. */
function failureIn(error: unknown): ApplicationFailure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure) return cause;
  }
  return undefined;
}
