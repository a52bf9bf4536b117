import { StillRunning } from '../../providers/temporal/workflows.ts';
import type { UpdateDefinition } from '@temporalio/common';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { PosError } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { awaitReadyUpdate, type ReturnAnswer } from '../../workflows/returns/messages.ts';
import { returnId } from '../../workflows/support/return-id.ts';
import { posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../http/route.ts';
import { InDoubt, type GivenBack } from './give-back-at-once.ts';
import { refuseUnlessGivenBack } from './refuse-unless-given-back.ts';

export interface ReturnQuestion<Request> {
  /** The state before the request. */
  rma: ReturnRecord;
  update: UpdateDefinition<Outcome<ReturnAnswer>, [Request]>;
  request: Request;
  /** Whether the requested change is committed; checked when no answer came in time. */
  isDone: (rma: ReturnRecord) => boolean;
  /** The same without the workflow; `InDoubt`: a gateway was called, and nobody knows what became of the money. */
  atOnce?: () => Promise<unknown>;
}

/**
 * Changes a return, and reads what is committed then: by the route itself where it can, else by the return's workflow.
 * What a crash left half-done is finished by the workflow first, and what a gateway left in doubt is found out by it.
 *
 * Refused with: the refusals of the verb · what became of a doubt, as `refuseUnlessGivenBack` · 503 workflows cannot be
 * reached · 504 when it may still run and the row does not show the change.
 */
export async function askReturn<Request>(
  { em, workflows, requestId }: Pick<RouteContext, 'em' | 'workflows' | 'requestId'>,
  { rma, update, request, isDone, atOnce }: ReturnQuestion<Request>,
): Promise<ReturnRecord> {
  const rmaId = rma.returnId;
  const begun = atOnce && isQuiet(rma) ? await beginAtOnce(atOnce) : undefined;
  if (begun === 'done') return findReturn(em, rmaId);
  const itsWorkflow = {
    workflow: 'returnWorkflow',
    id: returnId(rmaId),
    input: { rmaId, endsWhenIdle: true },
    operationKey: requestId,
    patienceMs: 60_000,
    summary: `Return ${rma.incrementId} · order ${rma.orderIncrementId}`,
    searchAttributes: [
      { key: posReturnId, value: rmaId },
      { key: posOrderId, value: rma.orderId },
    ],
  };
  try {
    // A change that is in doubt is not asked for again: that could be a second refund.
    if (begun instanceof InDoubt) await workflows.ask({ ...itsWorkflow, update: awaitReadyUpdate, request: null });
    else await workflows.ask({ ...itsWorkflow, update, request });
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error;
    const now = await findReturn(em, rmaId);
    if (!isDone(now)) throw error;
    return now;
  }
  if (begun instanceof InDoubt) await refuseUnlessGivenBack(em, begun);
  return findReturn(em, rmaId);
}

/** Nothing of it is under way that its workflow would have to finish first. */
const isQuiet = ({ isReady, attemptState, isBeingProcessed }: ReturnRecord) =>
  isReady && attemptState !== 'started' && !isBeingProcessed;

/** Where something is under way after all, the workflow waits for its end, and this has its turn then. */
async function beginAtOnce(atOnce: () => Promise<unknown>): Promise<GivenBack | undefined> {
  try {
    const made = await atOnce();
    return made instanceof InDoubt ? made : 'done';
  } catch (error) {
    if (error instanceof PosError && error.status === 409) return undefined;
    throw error;
  }
}
