import { restOf } from '../../domain/credits/applied-credit.ts';
import type { CancelHook } from '../platform/orders/cancel-order.ts';
import { giveCreditsBack } from './give-credits-back.ts';
import { readOrderCredits } from './read-order-credits.ts';

/**
 * Gives back all that is left of an order's credit when the order is cancelled, but what refunds under way have promised.
 *
 * Our choice: an order that lives on, because something invoiced could still be refunded, keeps its credit as a payment:
 * it comes back with the memos of that. In the cancellation's transaction; a repeat finds nothing left.
 */
export const giveBackOnCancel: CancelHook = async (em, order) => {
  if (order.state !== 'canceled') return;
  const credits = await readOrderCredits(em, order.entityId);
  await giveCreditsBack(em, { order, creditMemoId: null, legs: credits.map(restOf) });
};
