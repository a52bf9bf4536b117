import type { UpdateDefinition } from '@temporalio/common';
import { readLayaway, type LayawaySnapshot } from '../../db/layaways/read-layaway.ts';
import type { FollowedLayaway } from '../../domain/layaways/followed-layaway.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { layawayId, type LayawayInput } from '../../workflows/layaways/messages.ts';
import type { Command } from '../../domain/command.ts';
import { posExpiresAt, posOrderId, posStatus } from '../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../http/route.ts';
import { askOrRead } from '../temporal/ask-or-read.ts';

export interface LayawayQuestion<Request> {
  /** The state before the request. */
  layaway: LayawaySnapshot;
  update: UpdateDefinition<Outcome<FollowedLayaway>, [Request & Command]>;
  request: Request;
  /** Whether the requested change is committed; checked when no answer came in time. */
  isDone: (now: LayawaySnapshot) => boolean | Promise<boolean>;
}

/**
 * Asks a layaway's workflow to change it, and reads the committed state.
 *
 * Refused with: the refusals of the verb · 503 as `askOrRead`.
 */
export const askLayaway = <Request extends object>(
  request: Pick<RouteContext, 'em' | 'workflows' | 'operation' | 'caller' | 'requestId'>,
  { layaway, ...question }: LayawayQuestion<Request>,
): Promise<LayawaySnapshot> =>
  askOrRead<Outcome<FollowedLayaway>, Request, LayawayInput, LayawaySnapshot>(request, {
    ...question,
    ...lifeOf(layaway),
    read: () => readLayaway(request.em, layaway.orderId),
  });

const lifeOf = ({ orderId, incrementId, status, expiresAt }: LayawaySnapshot) => ({
  workflow: 'layawayWorkflow',
  id: layawayId(orderId),
  input: { orderId },
  summary: `Layaway of order ${markdownLiteral(incrementId)}`,
  searchAttributes: [
    { key: posStatus, value: status ?? '' },
    { key: posOrderId, value: orderId },
    ...(expiresAt === null ? [] : [{ key: posExpiresAt, value: new Date(expiresAt) }]),
  ],
});
