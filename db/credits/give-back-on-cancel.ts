import type { EntityManager } from '@mikro-orm/postgresql';
import { restOf } from '../../domain/credits/applied-credit.ts';
import { legsOfPartCancel } from '../../domain/credits/credit-legs.ts';
import { isPositive, subtract } from '../../domain/money/amount.ts';
import { coinsOf } from '../../domain/money/coins.ts';
import { moneyText } from '../../domain/money/money-text.ts';
import { moneyLeft } from '../../domain/platform/money-left.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import type { CancelHook } from '../platform/orders/cancel-order.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import { giveCreditsBack } from './give-credits-back.ts';
import { readOrderCredits } from './read-order-credits.ts';
import { readPendingRefunds } from './read-pending-refunds.ts';
import { goodsGone } from './split-refund.ts';

/**
 * Gives back all that is left of an order's credit when the order is cancelled, but what refunds under way have promised.
 *
 * Our choice: an order that lives on, because something invoiced could still be refunded, keeps its credit as a payment:
 * it comes back with the memos of that, and what was paid beyond what is invoiced stays until somebody books a memo for
 * it, which the order's history asks for; so it does for the money of an order that is cancelled whole. Points that were a
 * discount are no payment: no memo could bring back those of goods that are never invoiced, so they come back now. In the
 * cancellation's transaction; a repeat finds nothing left.
 *
 * @param actor whose token cancels
 */
export const giveBackOnCancel =
  (actor: WalletActor = {}): CancelHook =>
  async (em, order) => {
    const credits = await readOrderCredits(em, order.entityId);
    const livesOn = order.state !== 'canceled';
    const legs = livesOn
      ? legsOfPartCancel(credits, goodsGone(order, await readPendingRefunds(em, order)), coinsOf(order))
      : credits.map(restOf);
    await giveCreditsBack(em, { order, creditMemoId: null, legs, actor });
    await askForTheRest(em, order, livesOn);
  };

/** Money nobody owes anything for any more is never kept in silence. */
async function askForTheRest(em: EntityManager, order: LockedOrder, livesOn: boolean): Promise<void> {
  const { entityId, status } = order;
  const kept = livesOn ? subtract(order.totalPaid, order.totalInvoiced) : moneyLeft(order);
  if (!isPositive(kept)) return;
  const worth = moneyText(kept, order.orderCurrencyCode);
  const what = livesOn ? 'Cancelled in part' : 'Cancelled';
  const comment = `${what}: ${worth} was paid for what is not sold any more. Give it back by a credit memo without goods: POST /V1/order/${entityId}/refund with a line of quantity 0 and adjustment_positive.`;
  await addOrderComment(em, { orderId: entityId, comment, status });
}
