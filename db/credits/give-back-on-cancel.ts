import type { EntityManager } from '@mikro-orm/postgresql';
import { restOf } from '../../domain/credits/applied-credit.ts';
import { legsOfPartCancel } from '../../domain/credits/credit-legs.ts';
import { isPositive, subtract, coinsOf } from '../../domain/money.ts';
import { moneyText } from '../../domain/currency-texts.ts';
import { moneyLeft } from '../../domain/platform/placement.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import type { CancelHook } from '../platform/orders/cancel-order.ts';
import type { WalletActor } from '../../domain/store-credit.ts';
import { giveCreditsBack, readOrderCredits, readPendingRefunds, refundedGoods } from './give-credits-back.ts';

/**
 * Gives back the rest of an order's credit when the order is cancelled, except what is promised to refunds under way.
 *
 * Our choice: an order that continues, because something invoiced could still be refunded, keeps its credit as a
 * payment. It comes back with the memos of those goods. What was paid beyond the invoices stays until a memo for it
 * is booked, and the order's history asks for one; the same holds for the money of a fully cancelled order. Points
 * that were a discount are not a payment: for goods never invoiced no memo could give them back, so they come back
 * now. In the cancellation's transaction; a repeat finds nothing left.
 *
 * @param actor the owner of the token
 */
export const giveBackOnCancel =
  (actor: WalletActor = {}): CancelHook =>
  async (em, order) => {
    const credits = await readOrderCredits(em, order.entityId);
    const livesOn = order.state !== 'canceled';
    const legs = livesOn
      ? legsOfPartCancel(credits, refundedGoods(order, await readPendingRefunds(em, order)), coinsOf(order))
      : credits.map(restOf);
    await giveCreditsBack(em, { order, creditMemoId: null, legs, actor });
    await askForTheRest(em, order, livesOn);
  };

/** Asks in the history for a memo, so that money without a debt is never kept silently. */
async function askForTheRest(em: EntityManager, order: LockedOrder, livesOn: boolean): Promise<void> {
  const { entityId, status } = order;
  const withheld = livesOn ? subtract(order.totalPaid, order.totalInvoiced) : moneyLeft(order);
  if (!isPositive(withheld)) return;
  const worth = moneyText(withheld, order.orderCurrencyCode);
  const what = livesOn ? 'Cancelled in part' : 'Cancelled';
  const comment = `${what}: ${worth} was paid for what is not sold any more. Give it back by a credit memo without goods: POST /V1/order/${entityId}/refund with a line of quantity 0 and adjustment_positive.`;
  await addOrderComment(em, { orderId: entityId, comment, status });
}
