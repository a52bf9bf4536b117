import { readLayaway } from '../../db/layaways/read-layaway.ts';
import type { SavedOrder } from '../../db/platform/orders/insert-order.ts';
import { isRunning, layawayStatusOf } from '../../domain/layaways/layaway-status.ts';
import { PosError } from '../../domain/errors.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { layawayId, refreshSignal } from '../../workflows/layaways/messages.ts';
import { posOrderId, posStatus } from '../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../http/route.ts';

type Around = Pick<RouteContext, 'workflows' | 'log'>;

/**
 * Starts the workflow of a new layaway, or signals it after a change of the order, because its expiry may have
 * changed. Best effort, after the commit: the route does not wait for it, and the minute's sweep finds what Temporal
 * missed.
 */
export function followSavedOrder(order: SavedOrder, { workflows, log }: Around): void {
  const { orderId, incrementId, posLayawayStatus, isNew } = order;
  const status = layawayStatusOf(posLayawayStatus);
  if (status === null || (isNew && !isRunning(status))) return;
  workflows
    .start({
      workflow: 'layawayWorkflow',
      id: layawayId(orderId),
      input: { orderId },
      summary: `Layaway of order ${markdownLiteral(incrementId)}`,
      searchAttributes: [
        { key: posStatus, value: status },
        { key: posOrderId, value: orderId },
      ],
      ...(isNew ? {} : { signal: refreshSignal }),
    })
    .catch((error: unknown) => log.warn({ orderId, error }, 'a layaway is not followed yet; the sweep takes it up'));
}

/** Signals a layaway's workflow that an invoice of its order was saved: it may be settled now. Best effort. */
export async function followSavedInvoice(
  orderId: number,
  { em, workflows, log }: Around & Pick<RouteContext, 'em'>,
): Promise<void> {
  try {
    const { status } = await readLayaway(em, orderId);
    if (status === null) return;
    workflows.signal(refreshSignal, layawayId(orderId)).catch((error: unknown) => {
      if (!(error instanceof PosError) || error.status !== 404)
        log.warn({ orderId, error }, 'the workflow of a layaway did not hear of its invoice; the sweep tells it');
    });
  } catch (error) {
    log.warn({ orderId, error }, 'a layaway could not be looked at');
  }
}
