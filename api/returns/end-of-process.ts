import { StillRunning } from '../../providers/temporal/workflows.ts';
import { findProcess, type ProcessRecord } from '../../db/process/process.repository.ts';
import { PosError } from '../../domain/errors.ts';
import type { RouteContext } from '../http/route.ts';

/**
 * Waits until a collapsed return has ended; without an answer in time it reads the row.
 *
 * Refused with: the refusal that ended it · 503 workflows cannot be reached · 504 when it is still open.
 */
export async function endOfProcess(
  { em }: Pick<RouteContext, 'em'>,
  { processId, ask }: { processId: number; ask: () => Promise<unknown> },
): Promise<ProcessRecord> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error;
    const now = await findProcess(em, processId);
    if (now.state === 'open') throw error;
    return orRefused(now);
  }
  return orRefused(await findProcess(em, processId));
}

/** A collapsed return that has ended, as its route answers it. */
export function orRefused(run: ProcessRecord): ProcessRecord {
  if (run.refusal) throw new PosError(run.refusal);
  return run;
}
