import { isGrpcServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure, WorkflowNotFoundError } from '@temporalio/common';
import { PosError, unavailable } from '../../domain/errors.ts';

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

/**
 * The run has ended or is ending, the server is not ready for an update, or it dropped the update under load. In all
 * these cases, as the server itself says, nothing was done.
 */
export const isWorthAskingAgain = (error: unknown) => isWentBy(failureIn(error)) || passing.includes(codeOf(error));

/** The workflow of a signal does not run. */
export const isNotThere = (error: unknown) => codeOf(error) === grpc.notFound;

const isWentBy = (failure: ApplicationFailure | undefined) =>
  ['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'].includes(failure?.type ?? '');

/** A missed deadline and an unreachable server look the same: only asking the server tells them apart. */
export async function asRefusal(error: unknown, isReachable: () => Promise<boolean>): Promise<unknown> {
  const failure = failureIn(error);
  if (failure?.type === 'PosError') return new PosError({ status: 400, message: failure.message });
  // Dropped under load in every try: nothing was done.
  if (isWentBy(failure)) return unavailable('The workflow service is busy. Try again in a moment.');
  // A step whose retries have run out.
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

/** The transport's own code, however deep the client wrapped it; for a missing run the client keeps only the kind. */
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

/** The workflow's failure, however deep the client wrapped it. */
function failureIn(error: unknown): ApplicationFailure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure) return cause;
  }
  return undefined;
}
