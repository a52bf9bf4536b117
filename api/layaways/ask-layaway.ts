import type { UpdateDefinition } from '@temporalio/common';
import { readLayaway, type LayawaySnapshot } from '../../db/layaways/read-layaway.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import type { FollowedLayaway } from '../../domain/layaways/followed-layaway.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { layawayId } from '../../workflows/layaways/messages.ts';
import { posExpiresAt, posOrderId, posStatus } from '../../workflows/support/search-attributes.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import type { RouteContext } from '../http/route.ts';

export interface LayawayQuestion<Request> {
  /** The state before the request. */
  layaway: LayawaySnapshot;
  update: UpdateDefinition<Outcome<FollowedLayaway>, [Request]>;
  request: Request;
  /** Of the request: the same in every run of it. */
  operationKey: string;
  /** Whether the requested change is committed; checked when no answer came in time. */
  isDone: (now: LayawaySnapshot) => boolean | Promise<boolean>;
}

/**
 * Asks a layaway's workflow to change it, and reads the committed state.
 *
 * Refused with: the refusals of the verb · 503 workflows cannot be reached, or no answer came and the row does not show
 * the change.
 */
export async function askLayaway<Request>(
  { em, workflows }: Pick<RouteContext, 'em' | 'workflows'>,
  { layaway, update, request, operationKey, isDone }: LayawayQuestion<Request>,
): Promise<LayawaySnapshot> {
  const { orderId, incrementId, status, expiresAt } = layaway;
  try {
    await workflows.ask({
      update,
      workflow: 'layawayWorkflow',
      id: layawayId(orderId),
      input: { orderId },
      request,
      operationKey,
      patienceMs: answerWithinMs,
      summary: `Layaway of order ${incrementId}`,
      searchAttributes: [
        { key: posStatus, value: status ?? '' },
        { key: posOrderId, value: orderId },
        ...(expiresAt === null ? [] : [{ key: posExpiresAt, value: new Date(expiresAt) }]),
      ],
    });
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error;
    const now = await readLayaway(em, orderId);
    if (!(await isDone(now))) throw error;
    return now;
  }
  return readLayaway(em, orderId);
}
