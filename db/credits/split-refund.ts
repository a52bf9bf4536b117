import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditLeg } from '../../domain/credits/applied-credit.ts';
import { cancelledGoods } from '../../domain/credits/cancelled-goods.ts';
import { legsOfRefund, type GoodsGone, type RefundToSplit } from '../../domain/credits/credit-legs.ts';
import { handbackOf } from '../../domain/credits/handback.ts';
import { add, subtract, zero } from '../../domain/money/amount.ts';
import { coinsOf } from '../../domain/money/coins.ts';
import { inBoth, type InBoth } from '../../domain/money/in-both.ts';
import type { CreditMemoFigures } from '../../domain/platform/credit-memos/credit-memo.ts';
import { type LockedOrder } from '../platform/orders/lock-order.ts';
import { moneyOfOrder } from '../platform/orders/money-of-order.ts';
import { readOrderCredits } from './read-order-credits.ts';
import { readPendingRefunds, type PendingRefunds } from './read-pending-refunds.ts';

/** A credit memo's total, and where it goes: to the credits the order was paid with, and the rest by its tender. */
export interface RefundSplit {
  refund: InBoth;
  legs: CreditLeg[];
  handback: InBoth;
}

/**
 * Splits a credit memo that was worked out and is not booked yet. Preview, settlement, refund attempt and the platform's
 * own memos come here, so that all of them say the same.
 *
 * Refunds under way count as given back. An order that is read but not locked will do for a preview.
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
    goods: { ...goodsGone(order, pending), refund: goodsOf(figures) },
  };
}

/** The goods of an order, and what came back of them or is not sold any more; refunds under way count as refunded. */
export function goodsGone(order: LockedOrder, { baseGoods }: Pick<PendingRefunds, 'baseGoods'>): GoodsGone {
  const lines = order.lines.filter((line) => line.parentItemId == null);
  const total = add(zero, ...lines.map((line) => line.baseRowTotal));
  const refunded = add(baseGoods, ...lines.map((line) => line.baseAmountRefunded));
  // A save that cancels an order leaves its lines as they are.
  if (order.state === 'canceled') return { total, refunded, cancelled: subtract(total, refunded) };
  return { total, refunded, cancelled: add(zero, ...lines.map(cancelledGoods)) };
}

/** The goods of a memo: its rows ex tax, in the base currency. */
export const goodsOf = ({ lines }: CreditMemoFigures) => add(zero, ...lines.map(({ base }) => base.rowTotal));
