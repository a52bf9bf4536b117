import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { isPositive } from '../../domain/money/amount.ts';
import type { CreditMemoFigures } from '../../domain/platform/credit-memos/credit-memo.ts';
import { memoRequest, plainSettlement, type RefundedItem } from '../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import { splitRefund } from '../credits/split-refund.ts';
import { quoteCreditMemo } from '../platform/credit-memos/quote-credit-memo.ts';
import { readOrderRows } from '../platform/orders/lock-order.ts';
import { explainUsedUp, type UsedUp } from './nothing-left.ts';
import { paymentToRefund } from './payment-to-refund.ts';
import type { ThroughGateway } from './through-gateway.ts';

/** Goods that are to come back, and the way on which their money is to go. */
export interface MoneyToJudge extends UsedUp, ThroughGateway {
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
  try {
    await refuseUnlessSent(em, judged, await quoteOrUsedUp(em, judged));
  } catch (error) {
    throw error instanceof PosError ? new MoneyRefused(error.refusal, { cause: error }) : error;
  }
}

/**
 * The part of it that the histories of an existing return need not tell: a payment that only the admin can refund. Refused
 * with: 400 a payment that no gateway can refund, where one is needed.
 */
export async function refuseUnlessPayable(em: EntityManager, judged: MoneyToJudge): Promise<void> {
  const { order, method, canRefundThrough } = judged;
  if (method !== 'original_payment' || canRefundThrough(order.payment.method)) return;
  await refuseUnlessSent(em, judged, quoteCreditMemo(order, memoOf(judged)));
}

/** Where all of it is credit, or it comes to zero, no gateway is needed. */
async function refuseUnlessSent(em: EntityManager, judged: MoneyToJudge, figures: CreditMemoFigures): Promise<void> {
  const { order, returnId, method, canRefundThrough } = judged;
  if (method !== 'original_payment') return;
  const { handback } = await splitRefund(em, order, figures);
  if (!isPositive(handback.order)) return;
  await paymentToRefund(em, { order, returnId, asked: handback.order, canRefundThrough });
}

const memoOf = ({ items, order }: UsedUp) => memoRequest(items, plainSettlement, order);

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
    await quoteOrUsedUp(em, { order, returnId: null, items });
    return undefined;
  } catch (error) {
    if (error instanceof PosError) return error;
    throw error;
  }
}

async function quoteOrUsedUp(em: EntityManager, judged: UsedUp): Promise<CreditMemoFigures> {
  try {
    return quoteCreditMemo(judged.order, memoOf(judged));
  } catch (error) {
    throw await explainUsedUp(em, error, judged);
  }
}
