import type { AttemptRow, SaleRows } from './sale-rows.ts';
import type { ProcessRow } from './process-row.ts';

/** A collapsed return is its own workflow's work; one that finishes a return is that return's. */
export const workflowOfRun = ({ isFastTrack, returnId, orderId, requestKey }: ProcessRow): string =>
  isFastTrack && returnId !== null ? `return-${returnId}` : `process-${orderId}-${requestKey}`;

/**
 * The workflow that opens an attempt and calls the gateway: that of its collapsed return, else of its return. Null:
 * neither is known.
 */
export function workflowOfAttempt(
  { attemptId, returnId }: AttemptRow,
  processes: SaleRows['processes'],
): string | null {
  const run = processes.find((one) => one.attemptId === attemptId);
  if (run) return workflowOfRun(run);
  return returnId === null ? null : `return-${returnId}`;
}
