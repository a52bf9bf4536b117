import type { UpdateDefinition } from '@temporalio/common';
import { readLayaway, type LayawaySnapshot } from '../../db/layaways/read-layaway.ts';
import { PosError } from '../../domain/errors.ts';
import type { FollowedLayaway } from '../../domain/layaways/followed-layaway.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { layawayId } from '../../workflows/layaways/messages.ts';
import { posExpiresAt, posOrderId, posStatus } from '../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../http/route.ts';

export interface LayawayQuestion<Request> {
  /** The state before the request. */
  layaway: LayawaySnapshot;
  update: UpdateDefinition<Outcome<FollowedLayaway>, [Request]>;
  request: Request;
  /** Whether the requested change is committed; checked when no answer came in time. */
  isDone: (now: LayawaySnapshot) => boolean | Promise<boolean>;
}

/**
 * Asks a layaway's workflow to change it, and reads the committed state.
 *
 * Refused with: the refusals of the verb · 503 workflows cannot be reached · 504 when it may still run and the row
 * does not show the change.
 */
export async function askLayaway<Request>(
  { em, workflows, requestId }: Pick<RouteContext, 'em' | 'workflows' | 'requestId'>,
  { layaway, update, request, isDone }: LayawayQuestion<Request>,
): Promise<LayawaySnapshot> {
  const { orderId, incrementId, status, expiresAt } = layaway;
  try {
    await workflows.ask({
      update,
      workflow: 'layawayWorkflow',
      id: layawayId(orderId),
      input: { orderId },
      request,
      requestId,
      summary: `Layaway of order ${incrementId}`,
      searchAttributes: [
        { key: posStatus, value: status ?? '' },
        { key: posOrderId, value: orderId },
        ...(expiresAt === null ? [] : [{ key: posExpiresAt, value: new Date(expiresAt) }]),
      ],
    });
  } catch (error) {
    if (!(error instanceof PosError) || error.status !== 504) throw error;
    const now = await readLayaway(em, orderId);
    if (!(await isDone(now))) throw error;
    return now;
  }
  return readLayaway(em, orderId);
}
