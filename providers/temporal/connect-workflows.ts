import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection, isGrpcServiceError, WithStartWorkflowOperation } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure, WorkflowNotFoundError } from '@temporalio/common';
import { noSuchEntity, PosError, unavailable } from '../../domain/errors.ts';
import { isRefused } from '../../domain/outcome.ts';
import { beginWithinSeconds } from '../../domain/patience.ts';
import { diskIsFull, workflowsAway } from '../../domain/refusals/platform.ts';
import type { Log } from '../log.ts';
import { required, type Settings } from '../settings.ts';
import { traceInterceptors } from './carry-trace.ts';
import { repeatsThatEnd, temporalConnectionOptions } from './connection.ts';
import { createPlaces } from './places.ts';
import { StillRunning, type Question, type Workflows, type WorkflowStart } from './workflows.ts';

/** The client's errors when a workflow does not answer, and the refusal that a register gets for each. */

const grpc = {
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unavailable: 14,
} as const;

/** Status codes of a run that ended meanwhile, or could not accept the update at that moment. */
const passing: readonly (number | undefined)[] = [grpc.notFound, grpc.failedPrecondition, grpc.aborted];

/** The run has ended or is ending, or the server is not ready for an update: the next run takes it. */
const isWentBy = (error: unknown) =>
  ['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'].includes(failureIn(error)?.type ?? '') ||
  passing.includes(codeOf(error));

/** Ten requests of one run at the same time, or the server is under load: a place is free as soon as one is answered. */
const isCrowded = (error: unknown) => codeOf(error) === grpc.resourceExhausted;

/**
 * The run has had its 2,000 requests, though it renews before: requests arrived faster than it could. Each further one
 * makes the server drop those that are pending, so what an earlier try began is open.
 */
const isFull = (error: unknown) => isRefusedWith(error, /total number of distinct updates/i);

/**
 * The request reached the run, and the run ended or its step was not recorded: what it began may be committed. Of all
 * other refusals the server itself says that nothing was done.
 */
const mayHaveBegun = (error: unknown) =>
  failureIn(error)?.type === 'AcceptedUpdateCompletedWorkflow' ||
  isRefusedWith(error, /unexpected workflow task failure/i);

/** The workflow of a signal does not run. */
const isNotThere = (error: unknown) => codeOf(error) === grpc.notFound;

/**
 * What a failed update means. Only where the server says so was nothing done; a missed deadline, a lost connection and
 * a step that ran out of time leave that open.
 */
export function asRefusal(error: unknown): unknown {
  if (error instanceof StillRunning) return error;
  const failure = failureIn(error);
  if (failure?.type === 'PosError') return new PosError({ status: 400, message: failure.message });
  if (mayHaveBegun(error)) return new StillRunning({ cause: error });
  if (isFull(error)) return new StillRunning({ cause: error, message: fullRun });
  if (isRefusedWith(error, /workflow task in failed state/i))
    return unavailable('The workflow of this record has stopped on a fault, and nothing was done. Call an operator.');
  if (isRefusedWith(error, /workflow is paused/i))
    return unavailable('An operator has paused the workflow of this record. Nothing was done.');
  if (isWentBy(error)) return unavailable('The workflow service is busy. Try again in a moment.');
  if (isCrowded(error)) return tooManyAtOnce();
  // An older worker has no handler for it: workers are deployed before APIs.
  if (failure !== undefined && /no handler/i.test(failure.message))
    return unavailable('The workflow service does not know this request yet. Try again in a moment.');
  // PostgreSQL undid the step: nothing was written, and only more space helps.
  if (failure?.type === 'DatabaseTrouble' && failure.message.startsWith('full:')) return diskIsFull();
  const code = codeOf(error);
  const isOpen = isTimeOut(error) || code === grpc.deadlineExceeded || code === grpc.unavailable;
  if (isOpen || failure?.type === 'DatabaseTrouble') return new StillRunning({ cause: error });
  return error;
}

const tooManyAtOnce = () =>
  unavailable('Too many requests for this record at the same time. Nothing was done; try again in a moment.');

const fullRun =
  'The workflow of this record takes no more requests. Read the record before you send it again; if it stays so, call an operator.';

/** The same for a start or a signal, which nobody waits for the end of. */
function asRefusedStart(error: unknown): unknown {
  const refusal = asRefusal(error);
  return refusal instanceof StillRunning || isCrowded(error) ? workflowsAway() : refusal;
}

/** The transport's own code, however deep the client wrapped it; for a missing run the client keeps only the kind. */
function codeOf(error: unknown): number | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof WorkflowNotFoundError) return grpc.notFound;
    if (isGrpcServiceError(cause)) return cause.code;
  }
  return undefined;
}

/** The server's reason is only in its text. */
const isRefusedWith = (error: unknown, reason: RegExp) => causesOf(error).some(({ message }) => reason.test(message));

const isTimeOut = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) => cause instanceof TimeoutFailure || cause.name === 'WorkflowUpdateRPCTimeoutOrCancelledError',
  );

/** The workflow's failure, however deep the client wrapped it. */
const failureIn = (error: unknown): ApplicationFailure | undefined =>
  causesOf(error).find((cause) => cause instanceof ApplicationFailure);

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause);
  return causes;
}

const tellDeadlineMs = 5_000;

/** Two tries: a busy machine may miss the first, and a caller learns within a second that nobody answers. */
const probesMs = [300, 700] as const;
/** An answer of Temporal counts for so long. */
const rememberedMs = 1_000;

/** A workflow run may end while it is asked, and so may its successor; after so many tries it is a fault. */
const sendAttempts = 5;
const firstPauseMs = 100;
/**
 * Each refused request of a crowd makes the server drop what the run has just received, so it is repeated as seldom as
 * the client itself does.
 */
const crowdPauseMs = (attempt: number) => 1_000 * 1.7 ** attempt * (0.8 + randomInt(400) / 1_000);

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
  const repeats = repeatsThatEnd();
  const connection = Connection.lazy({
    ...temporalConnectionOptions(settings, required(settings, 'TEMPORAL_ADDRESS')),
    connectTimeout: '2s',
    interceptors: repeats.interceptors,
  });
  const client = new Client({
    ...{ connection, namespace: settings.TEMPORAL_NAMESPACE },
    interceptors: traceInterceptors(),
  });
  return {
    workflows: createWorkflows({ client, taskQueue: settings.TEMPORAL_TASK_QUEUE, log }),
    async close() {
      await repeats.end();
      await connection.close();
    },
  };
}

export interface WorkflowsParts {
  client: Client;
  taskQueue: string;
  log: Pick<Log, 'warn'>;
}

export function createWorkflows({ client, taskQueue, log }: WorkflowsParts): Workflows {
  let answeredAt = -Infinity;
  const inPlace = createPlaces();

  const probe = async (withinMs: number) => {
    try {
      await client.withDeadline(Date.now() + withinMs, () => client.workflowService.getSystemInfo({}));
      answeredAt = performance.now();
      return true;
    } catch {
      return false;
    }
  };

  const isReachable = async () => {
    for (const withinMs of probesMs) if (await probe(withinMs)) return true;
    return false;
  };

  const hasNamespace = async () => {
    const { namespace } = client.options;
    try {
      await client.withDeadline(Date.now() + rememberedMs, () =>
        client.workflowService.describeNamespace({ namespace }),
      );
      return true;
    } catch (error) {
      // A key may be forbidden to look; whether Temporal answers at all is another question.
      return codeOf(error) !== grpc.notFound;
    }
  };

  const refuseWhileAway = async () => {
    if (performance.now() - answeredAt < rememberedMs || (await isReachable())) return;
    throw workflowsAway();
  };

  const optionsOf = <Input>({ id, input, summary, searchAttributes }: WorkflowStart<Input>) => ({
    workflowId: id,
    taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    ...(summary === undefined ? {} : { staticSummary: summary }),
    ...(searchAttributes === undefined ? {} : { typedSearchAttributes: [...searchAttributes] }),
  });

  const send = <Answer, Request, Input>(
    question: Question<Answer, Request, Input>,
    { updateId, until }: { updateId: string; until: number },
  ): Promise<Answer> =>
    client.withDeadline(until, () =>
      client.workflow.executeUpdateWithStart(question.update, {
        args: [question.request],
        updateId,
        startWorkflowOperation: new WithStartWorkflowOperation(question.workflow, optionsOf(question)),
      }),
    );

  /**
   * The run ended meanwhile, or could not accept the update at that moment: it is asked again, with growing pauses. In
   * a crowd that goes on for as long as the caller waits.
   */
  const sendUntilTaken = async <Answer, Request, Input>(
    question: Question<Answer, Request, Input>,
    until: number,
  ): Promise<Answer> => {
    // One for each press: a repeated id would always get the first outcome, even where another one is due by now.
    const updateId = `${question.operationKey}.${randomBytes(4).toString('hex')}`;
    let begun: unknown;
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(question, { updateId, until });
      } catch (error) {
        if (mayHaveBegun(error)) begun = error;
        const isPassing = isCrowded(error) || isFull(error);
        const pauseMs = isPassing ? crowdPauseMs(attempt) : attempt * firstPauseMs;
        const isLast = isPassing ? Date.now() + pauseMs >= until : attempt >= sendAttempts || !isWentBy(error);
        if (isLast) throw isPassing || isWentBy(error) ? (begun ?? error) : error;
        log.warn(
          { workflow: question.id, operation: question.operationKey, error },
          'a workflow could not take a request; it is sent again',
        );
        await pause(pauseMs);
      }
    }
  };

  const start = async <Input>({ workflow, signal, ...life }: WorkflowStart<Input>) => {
    const options = optionsOf({ workflow, ...life });
    if (signal === undefined) await client.workflow.start(workflow, options);
    else await client.workflow.signalWithStart(workflow, { ...options, signal, signalArgs: [] });
  };

  return {
    isReachable,
    hasNamespace,
    refuseWhileAway,

    async ask(question) {
      await refuseWhileAway();
      const { id, patienceMs } = question;
      const until = Date.now() + patienceMs;
      const sent = inPlace(id, beginWithinSeconds * 1_000, () =>
        atMost(until - Date.now(), sendUntilTaken(question, until)),
      );
      const taken = await sent.catch((error: unknown) => {
        throw asRefusal(error);
      });
      if (taken === undefined) throw tooManyAtOnce();
      const { answer } = taken;
      answeredAt = performance.now();
      if (isRefused(answer)) throw new PosError(answer.refused);
      return answer;
    },

    async start(life) {
      try {
        await atMost(
          tellDeadlineMs,
          client.withDeadline(Date.now() + tellDeadlineMs, () => start(life)),
        );
      } catch (error) {
        throw asRefusedStart(error);
      }
    },

    async signal(signal, id, ...args) {
      try {
        const sent = client.withDeadline(Date.now() + tellDeadlineMs, () =>
          client.workflow.getHandle(id).signal(signal, ...args),
        );
        await atMost(tellDeadlineMs, sent);
      } catch (error) {
        if (isNotThere(error)) throw noSuchEntity('workflowId', id);
        throw asRefusedStart(error);
      }
    },
  };
}

/**
 * `StillRunning` after this time, whatever the client does: while a server is silent, its deadlines overrun by seconds.
 */
async function atMost<Answer>(ms: number, work: Promise<Answer>): Promise<Answer> {
  const answered = new AbortController();
  const late = pause(ms, undefined, { signal: answered.signal }).then(() => {
    throw new StillRunning();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    answered.abort();
  }
}
