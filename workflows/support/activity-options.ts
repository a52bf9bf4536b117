import type { SignalDefinition } from '@temporalio/common';
import {
  condition,
  getExternalWorkflowHandle,
  setWorkflowOptions,
  startChild,
  workflowInfo,
  type ActivityOptions,
  type ChildWorkflowOptions,
  type LocalActivityOptions,
  type Workflow,
} from '@temporalio/workflow';

/** Timeouts and retries by kind of step. Written out in full, so that nothing depends on the SDK's defaults. */

/** One transaction, idempotent by its rows. It runs in the workflow's own worker, without a round trip. */
export const oneTransaction: LocalActivityOptions = {
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '25 seconds',
  localRetryThreshold: '5 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/**
 * One transaction that somebody waits for. It begins within three seconds or never (`beginBefore`), so it is not tried
 * for longer than its caller looks for the result.
 */
export const whileSomebodyWaits: LocalActivityOptions = {
  ...oneTransaction,
  scheduleToCloseTimeout: '7 seconds',
  localRetryThreshold: '8 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '1 second' },
};

/** A transaction that must happen, however long the database is away. */
export const mustHappen: ActivityOptions = {
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/** An outside call that gives the same answer to the same key, while a cashier waits. */
export const outsideCall: ActivityOptions = {
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '2 minutes',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/** One look at everything that can be left over: questions by index, one after another. The next comes in a minute. */
export const lookingAround: LocalActivityOptions = {
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '4 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumAttempts: 2 },
};

/**
 * Starts and tells what a look found. A dead worker is noticed by its silence; the next look finds what is not done.
 */
export const waking: ActivityOptions = {
  summary: 'wake what was found',
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumAttempts: 3 },
};

/** One minute's part of a sweep, idempotent; the next sweep finds what is not done. */
export const sweeping: ActivityOptions = {
  startToCloseTimeout: '3 minutes',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/** A look through all workflows, idempotent; a missing heartbeat reveals a dead worker. */
export const comparing: ActivityOptions = {
  startToCloseTimeout: '30 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 5 },
};

/** Some places of a block, in one transaction; a missing heartbeat reveals a dead worker. */
export const renderingPlaces: ActivityOptions = {
  summary: 'render the next places',
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
};

/** Some operations of a bulk, a transaction each; a worker that dies over them is noticed by its silence. */
export const runningOperations: ActivityOptions = {
  summary: 'carry out the next operations',
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/**
 * Half a minute of deliveries to one endpoint, each claimed by itself; a worker that dies is noticed by its silence.
 */
export const deliveringEvents: ActivityOptions = {
  summary: 'send what is due',
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** Work of a night over many rows, idempotent; given up before the next night. */
export const nightly: ActivityOptions = {
  startToCloseTimeout: '15 minutes',
  scheduleToCloseTimeout: '12 hours',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Work over many rows that a caller waits for, idempotent, batch by batch; a missing heartbeat reveals a dead worker
 * within a minute.
 */
export const batchByBatch: ActivityOptions = {
  ...nightly,
  heartbeatTimeout: '1 minute',
};

/** A look at every table, which writes one line; given up well before the next night. */
export const checkingBooks: ActivityOptions = {
  summary: 'check every rule of the books',
  startToCloseTimeout: '8 hours',
  scheduleToCloseTimeout: '20 hours',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 minute', backoffCoefficient: 2, maximumInterval: '1 hour', maximumAttempts: 3 },
};

/** Mails and PDFs beat every two seconds; a worker that is silent for so long is dead, and another one goes on. */
const silence = '6 seconds';

/** One mail. A refusal by the mail server is not a fault. Given up well before the mail is due again. */
export const sendingMail: ActivityOptions = {
  summary: 'hand the mail over to the mail server',
  startToCloseTimeout: '60 seconds',
  heartbeatTimeout: silence,
  scheduleToCloseTimeout: '30 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** One mail that a customer waits for; the workflow itself retries while the mail is still useful. */
export const sendingUrgentMail: ActivityOptions = {
  summary: 'hand the mail over to the mail server at once',
  startToCloseTimeout: '22 seconds',
  heartbeatTimeout: silence,
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds' },
};

/**
 * One PDF, idempotent; a missing heartbeat reveals a dead worker. The print itself has a limit of its own, so that a
 * browser's cold start does not count against it.
 */
export const printingPdf: ActivityOptions = {
  summary: 'print the receipt',
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: silence,
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds', maximumAttempts: 5 },
};

/**
 * A PDF for a mail, tried again as long as the mail waits for it. Waiting in its queue is allowed: when many ask at
 * once, each gets its PDF, and callers hear that the mail is on its way.
 */
export const printingForMail: ActivityOptions = {
  ...printingPdf,
  summary: 'print the receipt for its mail',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/** A look-up at a gateway, while a cashier waits. */
export const lookUp: ActivityOptions = {
  summary: 'ask the gateway what became of the refund',
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '50 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumAttempts: 2 },
};

/** When no worker takes it within this time, it was provably not called. */
export const longestWaitForAWorker = '20 seconds';

/** Added to the gateway's own timeout, so an activity that Temporal gives up on is past its deadline. */
export const graceSeconds = 5;

interface Start<Of extends Workflow> extends Pick<ChildWorkflowOptions, 'typedSearchAttributes'> {
  workflowId: string;
  args: Parameters<Of>;
  /** Shown in the list of workflows. */
  staticSummary: string;
}

/**
 * Starts a workflow that outlives its starter. The start is awaited: without that, a child that has not started yet
 * would be lost.
 *
 * @returns false where a workflow with this id is running already
 */
export async function startDetached<Of extends Workflow>(type: string, options: Start<Of>): Promise<boolean> {
  try {
    const detached = { parentClosePolicy: 'ABANDON', workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const;
    await startChild<Workflow>(type, { ...options, ...detached });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError') return false;
    throw error;
  }
}

/**
 * For what ends within the hour: the build that begins it ends it. All else goes on with the build that is current. Of
 * a worker that names no build the server takes no such word.
 */
export function staysWithItsBuild(workflow: (...input: never[]) => Promise<unknown>): void {
  setWorkflowOptions(
    () => (workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'PINNED' } : {}),
    workflow,
  );
}

/** Signals a workflow. When it has ended meanwhile, nothing happens. */
export async function signalIfRunning(workflowId: string, signal: SignalDefinition): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(signal);
  } catch {
    return;
  }
}

export interface Turn<Request, Answer> {
  request: Request;
  answer: (input: Answer) => void;
}

/**
 * Requests wait here in order of arrival; the workflow's loop takes them out one at a time, so nothing interleaves.
 *
 * Handlers only put requests in: a handler that carried one out would run beside the loop, and two settles would
 * overlap.
 */
export class Inbox<Request, Answer> {
  readonly #waiting: Turn<Request, Answer>[] = [];

  /** For update handlers: resolves once the loop has answered. */
  ask(request: Request): Promise<Answer> {
    return new Promise((answer) => this.#waiting.push({ request, answer }));
  }

  /** For signal handlers, which wait for no answer. */
  note(request: Request): void {
    this.#waiting.push({ request, answer: () => undefined });
  }

  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  /** The next request that waits already, if any. */
  nextAtOnce(): Turn<Request, Answer> | undefined {
    return this.#waiting.shift();
  }

  /** The next request, or undefined when the time passed first. The history shows the summary beside the timer. */
  async nextWithin(ms: number, summary: string): Promise<Turn<Request, Answer> | undefined> {
    if (this.empty) await condition(() => !this.empty, ms, { summary });
    return this.#waiting.shift();
  }

  /** The next request; waits without a limit. */
  async next(): Promise<Turn<Request, Answer>> {
    for (;;) {
      const turn = this.#waiting.shift();
      if (turn) return turn;
      await condition(() => !this.empty);
    }
  }
}
