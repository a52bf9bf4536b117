import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditLeg } from '../../domain/credits/applied-credit.ts';
import { cancelledGoods } from '../../domain/credits/cancelled-goods.ts';
import { legsOfRefund, type RefundedGoods, type RefundToSplit } from '../../domain/credits/credit-legs.ts';
import { handbackOf } from '../../domain/credits/handback.ts';
import { add, subtract, zero } from '../../domain/money/amount.ts';
import { coinsOf } from '../../domain/money/coins.ts';
import { inBoth, type InBoth } from '../../domain/money/in-both.ts';
import type { CreditMemoFigures } from '../../domain/platform/credit-memos/credit-memo.ts';
import { type LockedOrder } from '../platform/orders/lock-order.ts';
import { moneyOfOrder } from '../platform/orders/money-of-order.ts';
import { readOrderCredits } from './read-order-credits.ts';
import { readPendingRefunds, type PendingRefunds } from './read-pending-refunds.ts';

/** A credit memo's total and its split: to the credits that paid the order, and the rest to its tender. */
export interface RefundSplit {
  refund: InBoth;
  legs: CreditLeg[];
  handback: InBoth;
}

/**
 * Splits a credit memo that is computed but not booked yet. Preview, settlement, refund attempt and the platform's
 * own memos all use it, so their results agree.
 *
 * Refunds under way count as given back. For a preview the order need not be locked.
 */
export async function splitRefund(
  em: EntityManager,
  order: LockedOrder,
  figures: CreditMemoFigures,
): Promise<RefundSplit> {
  const refund = { base: figures.base.grandTotal, order: figures.order.grandTotal };
  const credits = await readOrderCredits(em, order.entityId);
  const legs = credits.length === 0 ? [] : legsOfRefund(await toSplit(em, { order, figures, refund, credits }));
  return { refund, legs, handback: handbackOf(refund, legs, coinsOf(order)) };
}

interface Parts extends Pick<RefundToSplit, 'refund' | 'credits'> {
  order: LockedOrder;
  figures: CreditMemoFigures;
}

async function toSplit(em: EntityManager, { order, figures, refund, credits }: Parts): Promise<RefundToSplit> {
  const pending = await readPendingRefunds(em, order);
  const money = moneyOfOrder(order);
  const underWay = { base: order.basePendingRefund, order: pending.refund };
  return {
    credits,
    coins: coinsOf(order),
    refund,
    paid: inBoth((currency) => money[currency].paid),
    refunded: inBoth((currency) => add(money[currency].returned, underWay[currency])),
    goods: { ...refundedGoods(order, pending), refund: goodsOf(figures) },
  };
}

/** The goods of an order, and the part that was refunded or cancelled; refunds under way count as refunded. */
export function refundedGoods(order: LockedOrder, { baseGoods }: Pick<PendingRefunds, 'baseGoods'>): RefundedGoods {
  const lines = order.lines.filter((line) => line.parentItemId == null);
  const total = add(zero, ...lines.map((line) => line.baseRowTotal));
  const refunded = add(baseGoods, ...lines.map((line) => line.baseAmountRefunded));
  // A save that cancels an order does not change its lines.
  if (order.state === 'canceled') return { total, refunded, cancelled: subtract(total, refunded) };
  return { total, refunded, cancelled: add(zero, ...lines.map(cancelledGoods)) };
}

/** The goods of a memo: its rows ex tax, in the base currency. */
export const goodsOf = ({ lines }: CreditMemoFigures) => add(zero, ...lines.map(({ base }) => base.rowTotal));
