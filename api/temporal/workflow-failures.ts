import { isGrpcServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure, WorkflowNotFoundError } from '@temporalio/common';
import { PosError, unavailable } from '../../domain/errors.ts';

/** What the client throws when a workflow does not answer, and what a register is told of it. */

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
export const isWorthAskingAgain = (error: unknown) => isWentBy(failureIn(error)) || passing.includes(codeOf(error));

/** A signal's workflow does not run. */
export const isNotThere = (error: unknown) => codeOf(error) === grpc.notFound;

const isWentBy = (failure: ApplicationFailure | undefined) =>
  ['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'].includes(failure?.type ?? '');

/** A deadline that passed and a server that is away look alike: only asking tells them apart. */
export async function asRefusal(error: unknown, isReachable: () => Promise<boolean>): Promise<unknown> {
  const failure = failureIn(error);
  if (failure?.type === 'PosError') return new PosError({ status: 400, message: failure.message });
  // Turned away in a crowd, time and again: nothing was done.
  if (isWentBy(failure)) return unavailable('The workflow service is busy. Try again in a moment.');
  // A step that was tried in vain for as long as it may take.
  if (failure?.type === 'DatabaseTrouble')
    return unavailable('The database cannot be reached. Read the record again in a moment.');
  const code = codeOf(error);
  const timedOut = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || code === grpc.deadlineExceeded;
  if (timedOut && (await isReachable())) {
    return new PosError({ status: 504, message: 'The work is still going on. Read the record again in a moment.' });
  }
  if (timedOut || passing.includes(code) || code === grpc.unavailable || code === grpc.resourceExhausted) {
    return unavailable('The workflow service cannot be reached. Try again in a moment.');
  }
  if (hasStepTimedOut(error)) return unavailable('A step took too long. Read the record again in a moment.');
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

function hasStepTimedOut(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof TimeoutFailure) return true;
  return false;
}

/** The failure a workflow gave, however deep the client wrapped it. */
function failureIn(error: unknown): ApplicationFailure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure) return cause;
  }
  return undefined;
}
