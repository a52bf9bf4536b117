import type { UpdateDefinition } from '@temporalio/common';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { PosError } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { type ReturnAnswer } from '../../workflows/returns/messages.ts';
import { returnId } from '../../workflows/support/return-id.ts';
import { posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import type { Surroundings } from '../http/route.ts';

export interface ReturnQuestion<Request> {
  /** The state before the request. */
  rma: ReturnRecord;
  update: UpdateDefinition<Outcome<ReturnAnswer>, [Request]>;
  request: Request;
  /** Whether the requested change is committed; checked when no answer came in time. */
  isDone: (rma: ReturnRecord) => boolean;
}

/**
 * Asks a return's workflow to change it, and reads the committed state.
 *
 * Refused with: the refusals of the verb · 503 workflows cannot be reached · 504 when it may still run and the row
 * does not show the change.
 */
export async function askReturn<Request>(
  { em, workflows, requestId }: Pick<Surroundings, 'em' | 'workflows' | 'requestId'>,
  { rma, update, request, isDone }: ReturnQuestion<Request>,
): Promise<ReturnRecord> {
  const rmaId = rma.returnId;
  try {
    await workflows.ask({
      update,
      workflow: 'returnWorkflow',
      id: returnId(rmaId),
      input: { rmaId },
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
