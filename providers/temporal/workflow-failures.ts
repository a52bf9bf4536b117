import { isGrpcServiceError } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure, WorkflowNotFoundError } from '@temporalio/common';
import { PosError, unavailable } from '../../domain/errors.ts';
import { StillRunning } from './workflows.ts';

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

/**
 * What a failed update means. Only where the server says so was nothing done; a missed deadline, a lost connection and
 * a step that ran out of time leave that open.
 */
export function asRefusal(error: unknown): unknown {
  if (error instanceof StillRunning) return error;
  const failure = failureIn(error);
  if (failure?.type === 'PosError') return new PosError({ status: 400, message: failure.message });
  if (isWentBy(failure) || passing.includes(codeOf(error)))
    return unavailable('The workflow service is busy. Try again in a moment.');
  // An older worker has no handler for it: workers are deployed before APIs.
  if (failure !== undefined && /no handler/i.test(failure.message))
    return unavailable('The workflow service does not know this request yet. Try again in a moment.');
  const code = codeOf(error);
  const isOpen = isTimeOut(error) || code === grpc.deadlineExceeded || code === grpc.unavailable;
  if (isOpen || failure?.type === 'DatabaseTrouble') return new StillRunning({ cause: error });
  if (code === grpc.resourceExhausted) return away();
  return error;
}

/** The same for a start or a signal, which nobody waits for the end of. */
export function asRefusedStart(error: unknown): unknown {
  const refusal = asRefusal(error);
  return refusal instanceof StillRunning ? away() : refusal;
}

export const away = () => unavailable('The workflow service cannot be reached. Try again in a moment.');

/** The transport's own code, however deep the client wrapped it; for a missing run the client keeps only the kind. */
function codeOf(error: unknown): number | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof WorkflowNotFoundError) return grpc.notFound;
    if (isGrpcServiceError(cause)) return cause.code;
  }
  return undefined;
}

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
