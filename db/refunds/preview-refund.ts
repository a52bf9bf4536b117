import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import { type LineShare, shareLegs } from '../../domain/credits/share-legs.ts';
import { type Amount, add, greatest, subtract, zero } from '../../domain/money/amount.ts';
import { coinsOf, toCoins } from '../../domain/money/coins.ts';
import { type Quantity, none } from '../../domain/money/quantity.ts';
import type { MemoLineMoney } from '../../domain/platform/credit-memos/credit-memo-figures.ts';
import {
  asRefundLeg,
  handbackOf,
  memoRequest,
  type Handback,
  type RefundedItem,
  type RefundLeg,
  type SettlementOptions,
} from '../../domain/refunds/quote-refund.ts';
import { splitRefund } from '../credits/split-refund.ts';
import { quoteCreditMemo } from '../platform/credit-memos/quote-credit-memo.ts';
import { readOrderRows } from '../platform/orders/lock-order.ts';
import { pendingRefund } from './refund-attempt.repository.ts';

export interface RefundPreview extends Handback {
  currencyCode: string;
  /** The most that can still be refunded on the order; refunds under way count as refunded. */
  baseReturnableMax: Amount;
  returnableMax: Amount;
  legs: RefundLeg[];
  lines: PreviewedLine[];
}

export interface PreviewedLine extends LineShare {
  orderItemId: number;
  qty: Quantity;
  baseRowTotal: Amount;
}

/**
 * The refund that a settlement with these items and options would book now, from the same figures. Reads only.
 *
 * Refused with: 404 unknown order · 400 the refusals of the memo.
 */
export async function previewRefund(
  em: EntityManager,
  { orderId, items, options }: { orderId: number; items: readonly RefundedItem[]; options: SettlementOptions },
): Promise<RefundPreview> {
  const order = await readOrderRows(em, orderId);
  if (!order) throw noSuchDocument();
  const coins = coinsOf(order);
  const figures = quoteCreditMemo(order, memoRequest(items, options, order));
  const pending = order.basePendingRefund === zero ? zero : await pendingRefund(em, orderId);
  const { refund, legs: creditLegs } = await splitRefund(em, order, figures);
  const legs = creditLegs.map(asRefundLeg);
  const lines = figures.lines.filter(({ qty }) => qty > none);
  const shares = shareLegs(
    lines.map(({ base }) => ({ value: valueOf(base), row: base.rowTotal })),
    creditLegs,
    { gross: add(figures.base.grandTotal, figures.base.adjustmentNegative), coin: coins.base },
  );
  return {
    currencyCode: order.orderCurrencyCode,
    ...handbackOf(refund, legs, coins),
    baseReturnableMax: left(
      toCoins(order.baseTotalPaid, coins.base),
      add(order.baseTotalRefunded, toCoins(order.baseReturnedWithoutMemo, coins.base)),
      order.basePendingRefund,
    ),
    returnableMax: left(
      toCoins(order.totalPaid, coins.order),
      add(order.totalRefunded, toCoins(order.returnedWithoutMemo, coins.order)),
      pending,
    ),
    legs,
    lines: lines.map(({ orderItemId, qty, base }, at) => ({
      orderItemId,
      qty,
      baseRowTotal: base.rowTotal,
      ...(shares[at] ?? { baseCreditShare: zero }),
    })),
  };
}

/** Each currency by its own totals: a converted amount could differ by some cents from what can be refunded. */
const left = (paid: Amount, refunded: Amount, pending: Amount) => greatest(zero, subtract(paid, refunded, pending));

/** The part of the memo's total that comes from a line. */
const valueOf = (line: MemoLineMoney): Amount =>
  subtract(
    add(line.rowTotal, line.weeeTaxAppliedRowAmount, line.taxAmount, line.discountTaxCompensationAmount),
    line.discountAmount,
  );
