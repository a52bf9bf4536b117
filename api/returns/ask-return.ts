import type { UpdateDefinition } from '@temporalio/common';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { PosError } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { type ReturnAnswer } from '../../workflows/returns/messages.ts';
import { returnId } from '../../workflows/support/return-id.ts';
import { posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import type { Surroundings } from '../http/route.ts';

export interface ReturnQuestion<Request> {
  /** As it stands before. */
  rma: ReturnRecord;
  update: UpdateDefinition<Outcome<ReturnAnswer>, [Request]>;
  request: Request;
  /** Whether what was asked for is there; looked at when no answer came in time. */
  isDone: (rma: ReturnRecord) => boolean;
}

/**
 * Asks the workflow of a return to change it, and reads what is committed then.
 *
 * Refused with: whatever the verb is refused for · 503 workflows out of reach · 504 when it may still be running and the
 * row does not show it done.
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
