import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import { type CreditLeg, type LineShare, shareLegs } from '../../domain/credits/applied-credit.ts';
import { giftCardKey } from '../../domain/gift-cards.ts';
import {
  add,
  greatest,
  subtract,
  zero,
  coinOf,
  inBoth,
  none,
  type Amount,
  type InBoth,
  type Quantity,
} from '../../domain/money.ts';
import type {
  MemoLineMoney,
  CreditMemoFigures,
  CreditMemoRequest,
} from '../../domain/platform/credit-memos/credit-memo-figures.ts';
import { isReadyForCreditmemo } from '../../domain/platform/order-state.ts';
import {
  asRefundLeg,
  memoRequest,
  type RefundedItem,
  type RefundLeg,
  type SettlementOptions,
} from '../../domain/refunds/quote-refund.ts';
import { readOrderCredits, splitRefund } from '../credits/give-credits-back.ts';
import { findDisabledCards } from '../gift-cards/find-gift-card.ts';
import { giftCardStore } from '../gift-cards/move-gift-card.ts';
import { collectForBooking, quoteCreditMemo } from '../platform/credit-memos/book-credit-memo.ts';
import { readOrderRows, type OrderRows } from '../platform/orders/lock-order.ts';
import { moneyOfOrder } from '../platform/orders/add-order-comment.ts';
import { pendingRefund } from './refund-attempt.repository.ts';

export interface RefundPreview {
  currencyCode: string;
  baseCurrencyCode: string;
  /** The credit memo's total. */
  refund: InBoth;
  /** What goes back by the original tender: the refund less every credit leg. */
  handback: InBoth;
  /** What can still be given back on the order at all, refunds under way taken off. */
  returnableMax: InBoth;
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
  const pending = order.basePendingRefund === zero ? zero : await pendingRefund(em, orderId);
  const money = moneyOfOrder(order);
  const underWay = { base: order.basePendingRefund, order: pending };
  // Each currency by its own books: converted, one would be some cents beside what can really be refunded.
  const returnableMax = inBoth((currency) => {
    const { paid, returned } = money[currency];
    return greatest(zero, subtract(paid, returned, underWay[currency]));
  });
  const figures = figuresOf(order, memoRequest(items, options, order), returnableMax);
  const { refund, handback, legs: creditLegs } = await splitRefund(em, order, figures);
  const legs = await markNewCards(em, orderId, creditLegs);
  const lines = figures.lines.filter(({ qty }) => qty > none);
  const shares = shareLegs(
    lines.map(({ base }) => ({ value: valueOf(base), row: base.rowTotal })),
    creditLegs,
    { gross: add(figures.base.grandTotal, figures.base.adjustmentNegative), coin: coinOf(order.baseCurrencyCode) },
  );
  return {
    currencyCode: order.orderCurrencyCode,
    baseCurrencyCode: order.baseCurrencyCode,
    refund,
    handback,
    returnableMax,
    legs,
    lines: lines.map(({ orderItemId, qty, base }, at) => ({
      orderItemId,
      qty,
      baseRowTotal: base.rowTotal,
      ...(shares[at] ?? { baseCreditShare: zero }),
    })),
  };
}

/** Where nothing is left of the money, the goods are shown with none (our choice): a settlement of them is refused. */
function figuresOf(order: OrderRows, request: CreditMemoRequest, returnableMax: InBoth): CreditMemoFigures {
  try {
    return quoteCreditMemo(order, request);
  } catch (error) {
    const isNothingLeft = returnableMax.base === zero && returnableMax.order === zero;
    if (!isNothingLeft || !isReadyForCreditmemo(order.state)) throw error;
    const { base, order: inOrder, ...goods } = collectForBooking(order, request);
    return { ...goods, base: { ...base, grandTotal: zero }, order: { ...inOrder, grandTotal: zero } };
  }
}

/** What a line adds to the memo's total. */
const valueOf = (line: MemoLineMoney): Amount =>
  subtract(
    add(line.rowTotal, line.weeeTaxAppliedRowAmount, line.taxAmount, line.discountTaxCompensationAmount),
    line.discountAmount,
  );

/** Marks the legs that a settlement would give on a new gift card, because the card that paid is disabled. */
async function markNewCards(em: EntityManager, orderId: number, legs: readonly CreditLeg[]): Promise<RefundLeg[]> {
  const shown = legs.map(asRefundLeg);
  if (!legs.some(({ kind }) => kind === giftCardStore.kind)) return shown;
  const credits = await readOrderCredits(em, orderId);
  const codeOf = ({ creditId, providerCode }: CreditLeg) =>
    providerCode === giftCardStore.providerCode
      ? credits.find((credit) => credit.creditId === creditId)?.code
      : undefined;
  const disabled = await findDisabledCards(
    em,
    legs.flatMap((leg) => codeOf(leg) ?? []),
  );
  return shown.map((leg, at) => {
    const paid = legs[at];
    const code = paid && paid.baseAmount > 0 ? codeOf(paid) : undefined;
    return code && disabled.has(giftCardKey(code)) ? { ...leg, newCardId: null } : leg;
  });
}
