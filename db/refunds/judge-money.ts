import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, PosError } from '../../domain/errors.ts';
import { greatest, isPositive, least, subtract, toPlain, zero, type Amount } from '../../domain/money/amount.ts';
import { coinOf, toCoins } from '../../domain/money/coins.ts';
import { memoRequest, plainSettlement, type RefundedItem } from '../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import { splitRefund } from '../credits/split-refund.ts';
import { quoteCreditMemo } from '../platform/credit-memos/quote-credit-memo.ts';
import { readOrderRows, type LockedOrder } from '../platform/orders/lock-order.ts';
import { amount, flag, integer, surely } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { explainUsedUp } from './nothing-left.ts';
import type { ThroughGateway } from './through-gateway.ts';

/** Goods that are to come back, and the way on which their money is to go. */
export interface MoneyToJudge extends ThroughGateway {
  order: LockedOrder;
  /** Null for goods without a return. */
  returnId: number | null;
  items: readonly RefundedItem[];
  method: SettleMethod;
}

/** The money of a return cannot go back in this way, and that is known before its goods move. */
export class MoneyRefused extends PosError {}

/**
 * Judges what a settlement without goodwill and fee would say, before goods move: goods that are in and money that cannot
 * go back help nobody. Reads only; under the order lock it is what a settlement would say now.
 *
 * Refused with: 400 in the words of the settlement, as `MoneyRefused`.
 */
export async function judgeMoney(em: EntityManager, judged: MoneyToJudge): Promise<void> {
  const { order, returnId, method, canRefundThrough } = judged;
  try {
    const figures = await quoteOrUsedUp(em, judged);
    if (method !== 'original_payment') return;
    const { handback } = await splitRefund(em, order, figures);
    // Where all of it is credit, or it comes to zero, no gateway is needed.
    if (!isPositive(handback.order)) return;
    if (!canRefundThrough(order.payment.method)) throw untrackable(order.payment.method, returnId);
    await refuseBeyondCard(em, { order, returnId, asked: handback.order });
  } catch (error) {
    throw error instanceof PosError ? new MoneyRefused(error.refusal, { cause: error }) : error;
  }
}

/**
 * The part of it that the histories of an existing return need not tell: a payment that only the admin can refund. Refused
 * with: 400 a payment that no gateway can refund, where one is needed.
 */
export async function refuseUnlessPayable(em: EntityManager, judged: MoneyToJudge): Promise<void> {
  const { order, returnId, method, canRefundThrough } = judged;
  if (method !== 'original_payment' || canRefundThrough(order.payment.method)) return;
  const { handback } = await splitRefund(em, order, quoteCreditMemo(order, memoOf(judged)));
  if (isPositive(handback.order)) throw untrackable(order.payment.method, returnId);
}

const memoOf = ({ items, order }: MoneyToJudge) => memoRequest(items, plainSettlement, order);

/**
 * The same by reading, for goods of which nobody has said how their money goes back: as a settlement in cash. Undefined:
 * it can go back.
 */
export async function objectionOfMoney(
  em: EntityManager,
  { orderId, items }: { orderId: number; items: readonly RefundedItem[] },
): Promise<PosError | undefined> {
  const order = items.length === 0 ? undefined : await readOrderRows(em, orderId);
  if (!order) return undefined;
  try {
    await quoteOrUsedUp(em, { order, returnId: null, items, method: 'cash', canRefundThrough: () => false });
    return undefined;
  } catch (error) {
    if (error instanceof PosError) return error;
    throw error;
  }
}

async function quoteOrUsedUp(em: EntityManager, judged: MoneyToJudge) {
  try {
    return quoteCreditMemo(judged.order, memoOf(judged));
  } catch (error) {
    throw await explainUsedUp(em, error, judged);
  }
}

/** No gateway can refund the method, or none could later answer a look-up (spec 4.8). */
export const untrackable = (method: string, returnId: number | null) =>
  invalid(
    `This payment by "${method}" cannot be refunded through a gateway from the register. Refund the order from the admin, or give the money back another way.`,
    { outcome: 'refund_from_admin', return_id: returnId },
  );

export interface AskedOfCard {
  order: LockedOrder;
  returnId: number | null;
  /** In the order's currency. */
  asked: Amount;
}

/**
 * A card gives back no more than it took. Where other money paid a part of the sale, the refund of all of it would be
 * declined by the processor, after the goods are in. One settle has one method: two returns give back two tenders.
 *
 * Refused with: 400 `card_took_less`, naming what the card can still take back.
 */
export async function refuseBeyondCard(em: EntityManager, { order, returnId, asked }: AskedOfCard): Promise<void> {
  const card = await cardOf.first(em, { orderId: order.entityId });
  if (!card || card.isInParts) return;
  const { amountOrdered } = order.payment;
  const took = toCoins(
    amountOrdered > zero ? least(card.took, amountOrdered) : card.took,
    coinOf(order.orderCurrencyCode),
  );
  const left = greatest(zero, subtract(took, card.gaveBack));
  if (asked <= left) return;
  throw invalid(
    `The payment by "${order.payment.method}" took ${toPlain(took)} of this sale and can take back ${toPlain(left)}, not ${toPlain(asked)}. Return goods of that value to it, and the others another way.`,
    { outcome: 'card_took_less', return_id: returnId, card_took: toPlain(took), card_left: toPlain(left) },
  );
}

/** What an order's own payment brought in, and what its gateway gave back or may have; the payments of a layaway differ. */
const cardOf = statement({
  takes: { orderId: integer },
  gives: { took: surely(amount), gaveBack: surely(amount), isInParts: surely(flag) },
  text: `
    select
      (select coalesce(sum(amount), 0) from sales_money_in
        where order_id = $orderId and kind in ('placement', 'invoice')) as took,
      (select coalesce(sum(amount), 0) from refund_attempt
        where order_id = $orderId and state in ('booked', 'started', 'uncertain')) as gave_back,
      exists (select from sales_money_in where order_id = $orderId and kind = 'layaway_capture') as is_in_parts`,
});
