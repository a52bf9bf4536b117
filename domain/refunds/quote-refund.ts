import { creditKinds, handbackOf, type CreditKind, type CreditLeg, type CreditUse } from '../credits/applied-credit.ts';
import {
  add,
  greatest,
  negate,
  none,
  plus,
  subtract,
  toPlain,
  zero,
  type Amount,
  type Coins,
  type InBoth,
  type Quantity,
} from '../money.ts';
import {
  postedInOrderCurrency,
  type RatedCurrencies,
  type CreditMemoFigures,
  type CreditMemoRequest,
} from '../platform/credit-memos/credit-memo-figures.ts';

import { refuseFinerThanCoin } from '../whole-coins.ts';

/**
 * What a refund will book, from plain data. The preview and every settlement call the same functions, so a booking
 * equals its preview.
 */

/** The options of a settle, apart from its method; amounts in the order's currency, ex tax (spec 4.8). */
export interface SettlementOptions {
  adjustmentPositive: Amount;
  adjustmentNegative: Amount;
  /** Null: the platform distributes the remaining shipping. */
  shippingAmount: Amount | null;
  notifyCustomer: boolean;
}

/** The register's reference for a refund, and the request under which the terminal's output is kept. */
export interface RegisterReference {
  reference: string;
  requestId: string;
}

export const plainSettlement: SettlementOptions = {
  adjustmentPositive: zero,
  adjustmentNegative: zero,
  shippingAmount: null,
  notifyCustomer: false,
};

export interface RefundedItem {
  orderItemId: number;
  qty: Quantity;
}

export const legKinds = creditKinds;

/**
 * A credit leg: the part of a refund that goes back to store credit, a gift card or points instead of the original
 * tender.
 */
export interface RefundLeg {
  kind: CreditKind;
  providerCode: string;
  /** Absent: a tender. Older payloads have no such field, because points were never a discount then. */
  appliesAs?: CreditUse;
  baseAmount: Amount;
  amount: Amount;
  points?: number;
  /** Gift card that was issued for it; null in a preview, where one would be. Absent: it goes to the card that paid. */
  newCardId?: number | null;
}

/** A leg that the register expected, as far as it can be read: it never stops a settle (spec 4.8). */
export interface ExpectedLeg {
  kind: CreditKind | 'unknown';
  /** Null: no readable amount was sent. */
  amount: Amount | null;
  points?: number;
}

/** A leg in an answer: which credit of the order it belongs to is not shown. */
export const asRefundLeg = ({ points, newCardId, ...leg }: CreditLeg): RefundLeg => ({
  kind: leg.kind,
  providerCode: leg.providerCode,
  appliesAs: leg.appliesAs,
  baseAmount: leg.baseAmount,
  amount: leg.amount,
  ...(points === null ? {} : { points }),
  ...(newCardId === undefined ? {} : { newCardId }),
});

/**
 * The credit memo a settlement asks for. It gives back what the customer paid, whatever the lines come to
 * (`evenOutPosted`).
 *
 * Refused with: 400 an amount finer than the coin of the order's currency.
 */
export function memoRequest(
  items: readonly RefundedItem[],
  options: SettlementOptions,
  rated: RatedCurrencies,
): CreditMemoRequest {
  refuseFinerOptions(options, rated.orderCurrencyCode);
  const inBoth = (input: Amount) => postedInOrderCurrency(input, rated);
  const shipping = inBoth(options.shippingAmount ?? zero);
  return {
    items: summed(items),
    // Zero means "distribute", as does nothing at all (spec 4.8 shippingAmount).
    ...(shipping.order === zero ? {} : { shipping }),
    adjustmentPositive: inBoth(options.adjustmentPositive),
    adjustmentNegative: inBoth(options.adjustmentNegative),
    evensOutPosted: true,
  };
}

/** Refused with 400: a goodwill, a fee or shipping finer than the currency's coin. */
export function refuseFinerOptions(
  { adjustmentPositive, adjustmentNegative, shippingAmount }: Omit<SettlementOptions, 'notifyCustomer'>,
  currencyCode: string,
): void {
  for (const value of [adjustmentPositive, adjustmentNegative, shippingAmount])
    refuseFinerThanCoin(value, currencyCode);
}

/** Two rows of the same order line become one line of the memo. */
function summed(items: readonly RefundedItem[]): RefundedItem[] {
  const sums = new Map<number, Quantity>();
  for (const { orderItemId, qty } of items) sums.set(orderItemId, plus(sums.get(orderItemId) ?? none, qty));
  return [...sums].map(([orderItemId, qty]) => ({ orderItemId, qty }));
}

/**
 * One sentence on how the booked legs differ from the legs the register expected; null when they are equal or none
 * were sent (spec 2.11 `refund_difference`).
 */
export function differenceOf(
  expected: readonly ExpectedLeg[] | undefined,
  booked: readonly RefundLeg[],
): string | null {
  if (expected === undefined) return null;
  const kinds = new Set([...expected, ...booked].map((leg) => leg.kind));
  const differing = [...kinds].flatMap((kind) => {
    const [was, is] = [describeLegs(expected, kind), describeLegs(booked, kind)];
    return was === is ? [] : [`${kind}: expected ${was}, booked ${is}`];
  });
  return differing.length === 0 ? null : `The credit given back differs from the preview (${differing.join('; ')}).`;
}

/** `12.5`, or `12.5 for 500 points`: all legs of a kind together. */
function describeLegs(legs: readonly ExpectedLeg[], kind: ExpectedLeg['kind']): string {
  const own = legs.filter((leg) => leg.kind === kind);
  const amounts = own.flatMap((leg) => leg.amount ?? []);
  if (amounts.length < own.length) return 'an amount that cannot be read';
  const worth = toPlain(add(zero, ...amounts));
  const points = own.reduce((sum, leg) => sum + (leg.points ?? 0), 0);
  return points === 0 ? worth : `${worth} for ${points} points`;
}

/**
 * The rest that the register must issue as store credit after the memo is booked, as a separate leg (spec 4.8,
 * channel `store_credit`). Undefined where the memo's own legs give everything back.
 */
export const legToIssue = (handback: InBoth, providerCode: string): RefundLeg | undefined =>
  handback.order === zero && handback.base === zero
    ? undefined
    : { kind: 'store_credit', providerCode, baseAmount: handback.base, amount: handback.order };

/** The legs of a refund whose rest is issued as store credit, to compare with what a register was shown. */
export function legsWithIssued(totals: InBoth, legs: readonly RefundLeg[], coins: Coins) {
  const issued = legToIssue(handbackOf(totals, legs, coins), 'store_credit');
  return issued === undefined ? legs : [...legs, issued];
}

/**
 * Changes a request so that its memo equals the money that went back. Goodwill or a fee evens out the difference, in
 * each currency separately. Another refund booked in between may have moved a cent of rounding, and the books follow
 * the money.
 */
export function evenedOut(
  request: CreditMemoRequest,
  collected: Pick<CreditMemoFigures, 'base' | 'order'>,
  refunded: InBoth,
): CreditMemoRequest {
  const { adjustmentPositive: goodwill, adjustmentNegative: fee } = request;
  const missing = {
    base: subtract(refunded.base, collected.base.grandTotal),
    order: subtract(refunded.order, collected.order.grandTotal),
  };
  return {
    ...request,
    // The attempt was evened out when it was planned: this is how far its money was from its goods.
    evensOutPosted: false,
    difference: missing,
    adjustmentPositive: {
      base: add(goodwill.base, aboveZero(missing.base)),
      order: add(goodwill.order, aboveZero(missing.order)),
    },
    adjustmentNegative: {
      base: add(fee.base, aboveZero(negate(missing.base))),
      order: add(fee.order, aboveZero(negate(missing.order))),
    },
  };
}

const aboveZero = (value: Amount) => greatest(zero, value);
