import type { UpdateDefinition } from '@temporalio/common';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { PosError } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { type ReturnAnswer } from '../../workflows/returns/messages.ts';
import { returnId } from '../../workflows/support/return-id.ts';
import { posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../http/route.ts';

export interface ReturnQuestion<Request> {
  /** The state before the request. */
  rma: ReturnRecord;
  update: UpdateDefinition<Outcome<ReturnAnswer>, [Request]>;
  request: Request;
  /** Whether the requested change is committed; checked when no answer came in time. */
  isDone: (rma: ReturnRecord) => boolean;
  /** The same in one transaction, where no outside service takes part; absent: the workflow waits for one. */
  atOnce?: () => Promise<unknown>;
}

/**
 * Changes a return, and reads what is committed then: in one transaction where nothing has to be waited for, else by its
 * workflow. What a crash left half-done is finished by the workflow first.
 *
 * Refused with: the refusals of the verb · 503 workflows cannot be reached · 504 when it may still run and the row
 * does not show the change.
 */
export async function askReturn<Request>(
  { em, workflows, requestId }: Pick<RouteContext, 'em' | 'workflows' | 'requestId'>,
  { rma, update, request, isDone, atOnce }: ReturnQuestion<Request>,
): Promise<ReturnRecord> {
  const rmaId = rma.returnId;
  if (atOnce && isQuiet(rma) && (await isDoneAtOnce(atOnce))) return findReturn(em, rmaId);
  try {
    await workflows.ask({
      update,
      workflow: 'returnWorkflow',
      id: returnId(rmaId),
      input: { rmaId, endsWhenIdle: true },
      request,
      requestId,
      summary: `Return ${rma.incrementId} · order ${rma.orderIncrementId}`,
      searchAttributes: [
        { key: posReturnId, value: rmaId },
        { key: posOrderId, value: rma.orderId },
      ],
    });
  } catch (error) {
    if (!(error instanceof PosError) || error.status !== 504) throw error;
    const now = await findReturn(em, rmaId);
    if (!isDone(now)) throw error;
    return now;
  }
  return findReturn(em, rmaId);
}

/** Nothing of it is under way that its workflow would have to finish first. */
const isQuiet = ({ isReady, attemptState, isBeingProcessed }: ReturnRecord) =>
  isReady && attemptState !== 'started' && !isBeingProcessed;

/** Where something is under way after all, the workflow waits for its end, and this has its turn then. */
async function isDoneAtOnce(atOnce: () => Promise<unknown>): Promise<boolean> {
  try {
    await atOnce();
    return true;
  } catch (error) {
    if (error instanceof PosError && error.status === 409) return false;
    throw error;
  }
}
