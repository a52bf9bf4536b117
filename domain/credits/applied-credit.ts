import { giftCardKey } from '../gift-cards.ts';
import {
  absolute,
  add,
  downToCoins,
  greatest,
  inBoth,
  least,
  minus,
  none,
  scale,
  subtract,
  twin,
  zero,
  type Amount,
  type Coin,
  type Coins,
  type InBoth,
  type MoneyColumns,
  type Quantity,
} from '../money.ts';
import { skuKey } from '../platform/catalog/tier-rows.ts';

/** Credit spent on an order: store credit, gift cards, points. Every amount exists in two currencies. */

export const creditKinds = ['store_credit', 'gift_card', 'reward_points'] as const;
export type CreditKind = (typeof creditKinds)[number];

/**
 * How an order uses a credit.
 *
 * `tender`: a payment, counted in the order's total paid. `discount`: part of the posted discount, so no money; a
 * refund gives back only its points.
 */
export const creditUses = ['tender', 'discount'] as const;
export type CreditUse = (typeof creditUses)[number];

/** A credit of an order: what was given back of it, and what is promised to refunds under way. */
export interface AppliedCredit {
  creditId: number;
  kind: CreditKind;
  providerCode: string;
  appliesAs: CreditUse;
  /** Of a gift card: a secret that is never shown in full. */
  code: string | null;
  baseAmount: Amount;
  amount: Amount;
  points: number | null;
  baseReturned: Amount;
  amountReturned: Amount;
  pointsReturned: number;
}

/** What goes back at once to a wallet, a gift card or a points account. */
export interface CreditLeg {
  creditId: number;
  kind: CreditKind;
  providerCode: string;
  appliesAs: CreditUse;
  baseAmount: Amount;
  amount: Amount;
  /** Null where the credit was not spent in points. */
  points: number | null;
  /** Gift card that was issued for it, because the card that paid is disabled. Absent before it is given back. */
  newCardId?: number;
}

/** What was not given back yet. */
export const restOf = (credit: AppliedCredit): CreditLeg => ({
  creditId: credit.creditId,
  kind: credit.kind,
  providerCode: credit.providerCode,
  appliesAs: credit.appliesAs,
  baseAmount: subtract(credit.baseAmount, credit.baseReturned),
  amount: subtract(credit.amount, credit.amountReturned),
  points: credit.points === null ? null : credit.points - credit.pointsReturned,
});

/** A leg of zero does not exist. */
export const isSomething = ({ baseAmount, amount, points }: CreditLeg) =>
  baseAmount > 0 || amount > 0 || (points ?? 0) > 0;

/** `****1234`: at most the last four characters of a gift card's code may be seen; of a short code, none. */
export const maskCode = (code: string) => `****${code.length > 8 ? code.slice(-4) : ''}`;

/** How long a provider of credit may take to give some: long enough for a slow service, short enough for a cashier. */
export const giveSeconds = 8;

/** The points of a customer at a provider, and the rules for spending them. */
export interface SpendablePoints {
  balance: number;
  /** What one point is worth, in the base currency. */
  valueOfPoint: Amount;
  granularity: number;
  /** The minimum for one payment. */
  minimum: number;
}

/** A credit that a customer may spend, as its provider describes it. Money in the base currency of the website. */
export interface SpendableCredit {
  kind: CreditKind;
  providerCode: string;
  /** Of a gift card. */
  code: string | null;
  /** Zero for points: their value is computed. */
  balance: Amount;
  points: SpendablePoints | null;
  appliesAs: CreditUse;
  /** Whether it also pays taxes, as the merchant set it for this kind (spec 2.1). */
  includesTax: boolean;
  excludedSkus: ReadonlySet<string>;
  /** Why it cannot be spent on any cart; null when it can. */
  whyNot: string | null;
}

/** A line of a refund, in the base currency. */
export interface RefundedLine {
  /** What the line adds to the memo's total: row, taxes, less discount. */
  value: Amount;
  /** Its row alone, ex tax: the weight for sharing points that were a discount. */
  row: Amount;
}

/** The part of a refund's legs that belongs to a line, in the base currency. */
export interface LineShare {
  baseCreditShare: Amount;
  /** For points that were a discount; absent where there are none. */
  basePointsAmount?: Amount;
  points?: number;
}

/**
 * Shares the legs of a refund over its lines (spec 4.8 preview `base_credit_share`).
 *
 * Tender legs are shared by what each line adds to the memo's `gross` total, before its fee. The part for shipping
 * and goodwill belongs to no line. Points that were a discount are shared by the rows. Rounding is cumulative, so the
 * lines add up.
 */
export function shareLegs(
  lines: readonly RefundedLine[],
  legs: readonly CreditLeg[],
  { gross, coin }: { gross: Amount; coin: Coin },
): LineShare[] {
  const tender = add(zero, ...legs.filter(isTender).map(({ baseAmount }) => baseAmount));
  const credits = spread(
    tender,
    lines.map(({ value }) => greatest(zero, value)),
    { total: gross, coin },
  );
  const discounts = legs.filter((leg) => !isTender(leg));
  if (discounts.length === 0) return credits.map((baseCreditShare) => ({ baseCreditShare }));
  const rows = lines.map(({ row }) => row);
  const worth = add(zero, ...discounts.map(({ baseAmount }) => baseAmount));
  const points = discounts.reduce((sum, leg) => sum + (leg.points ?? 0), 0);
  const amounts = spread(worth, rows, { total: add(zero, ...rows), coin });
  const counts = spreadPoints(points, rows);
  return credits.map((baseCreditShare, at) => ({
    baseCreditShare,
    basePointsAmount: amounts[at] ?? zero,
    points: counts[at] ?? 0,
  }));
}

const isTender = ({ appliesAs }: CreditLeg) => appliesAs === 'tender';

function spread(amount: Amount, weights: readonly Amount[], { total, coin }: { total: Amount; coin: Coin }): Amount[] {
  const until = (sum: Amount) => (total <= 0 ? zero : sum >= total ? amount : scale(amount, sum, total, coin));
  let sum = zero;
  return weights.map((weight) => {
    const before = until(sum);
    sum = add(sum, weight);
    return subtract(until(sum), before);
  });
}

/** Whole points, rounded down line by line; the last line takes what is left. */
function spreadPoints(points: number, weights: readonly Amount[]): number[] {
  const total = add(zero, ...weights);
  const until = (sum: Amount) => (total <= 0 ? 0 : Number((BigInt(points) * BigInt(sum)) / BigInt(total)));
  let sum = zero;
  return weights.map((weight) => {
    const before = until(sum);
    sum = add(sum, weight);
    return until(sum) - before;
  });
}

/** A line of the cart, in the cart's currency; discounts of either sign. */
export interface CartLine {
  sku: string;
  rowTotal: Amount;
  rowTotalInclTax: Amount;
  discountAmount: Amount;
}

/** A credit that is on the cart already. */
export interface CartCredit {
  /** Null: an unknown kind; it still counts as payment. */
  kind: CreditKind | null;
  providerCode: string | null;
  code: string | null;
  amount: Amount;
  points: number | null;
  appliesAs: CreditUse;
}

/** A cart as a register describes it (spec 4.6), in its own currency. */
export interface Cart {
  subtotal: Amount;
  subtotalInclTax: Amount;
  discountAmount: Amount;
  taxAmount: Amount;
  /** After every discount, including credits applied as a discount. */
  grandTotal: Amount;
  lines: readonly CartLine[];
  appliedCredits: readonly CartCredit[];
}

export interface LineEligibility {
  sku: string;
  isEligible: boolean;
  reason: string | null;
}

/**
 * The lines a credit may pay for. Lines that the merchant excluded and lines that cost nothing do not count (our
 * choice).
 */
export const eligibilityOf = (
  line: CartLine,
  { excludedSkus }: Pick<SpendableCredit, 'excludedSkus'>,
): LineEligibility => {
  const reason = isNamedIn(excludedSkus, line)
    ? 'This product cannot be paid with credit.'
    : line.rowTotal <= 0 && line.rowTotalInclTax <= 0
      ? 'There is nothing to pay for this line.'
      : null;
  return { sku: line.sku, isEligible: reason === null, reason };
};

/** In any letters: the setting is typed by hand. */
const isNamedIn = (skus: ReadonlySet<string>, { sku }: Pick<CartLine, 'sku'>): boolean =>
  skus.has(sku) || [...skus].some((one) => skuKey(one) === skuKey(sku));

/**
 * The most a credit may take of a cart: what the cart still owes, without taxes where the credit pays no tax, and
 * without lines it may not pay for. A credit applied as a discount takes goods only, never shipping (our choice).
 */
export function owedTo(credit: SpendableCredit, cart: Cart): Amount {
  const tenders = cart.appliedCredits.filter(({ appliesAs }) => appliesAs === 'tender').map(({ amount }) => amount);
  const owed = subtract(cart.grandTotal, ...tenders);
  const worth = credit.appliesAs === 'discount' ? goodsOf(credit, cart) : payableOf(credit, cart);
  return greatest(zero, least(owed, credit.appliesAs === 'discount' ? worth : subtract(worth, ...tenders)));
}

/** The cart's total, less what this credit may not pay for. */
function payableOf(credit: SpendableCredit, cart: Cart): Amount {
  const excluded = cart.lines.filter((line) => isNamedIn(credit.excludedSkus, line));
  const whole = credit.includesTax ? cart.grandTotal : subtract(cart.grandTotal, cart.taxAmount);
  return subtract(whole, ...excluded.map((line) => lineWorth(credit, line)));
}

function goodsOf(credit: SpendableCredit, cart: Cart): Amount {
  if (cart.lines.length === 0) {
    const goods = credit.includesTax ? cart.subtotalInclTax : cart.subtotal;
    return subtract(goods, absolute(cart.discountAmount));
  }
  const eligible = cart.lines.filter((line) => !isNamedIn(credit.excludedSkus, line));
  return add(zero, ...eligible.map((line) => lineWorth(credit, line)));
}

const lineWorth = ({ includesTax }: SpendableCredit, line: CartLine): Amount =>
  greatest(zero, subtract(includesTax ? line.rowTotalInclTax : line.rowTotal, absolute(line.discountAmount)));

/**
 * What the cart already uses of the same credit, which cannot be spent twice. `uncounted` is the part of `amount`
 * whose number of points is unknown.
 */
export function alreadyOn(
  cart: Cart,
  { kind, providerCode, code }: SpendableCredit,
): { amount: Amount; points: number; uncounted: Amount } {
  const same = cart.appliedCredits.filter(
    (applied) =>
      applied.kind === kind &&
      (applied.providerCode === null || applied.providerCode === '' || applied.providerCode === providerCode) &&
      (code === null || sameCode(applied.code, code)),
  );
  return {
    amount: add(zero, ...same.map(({ amount }) => amount)),
    points: same.reduce((sum, { points }) => sum + (points ?? 0), 0),
    uncounted: add(zero, ...same.filter(({ points }) => !points).map(({ amount }) => amount)),
  };
}

const sameCode = (one: string | null, other: string) => one !== null && giftCardKey(one) === giftCardKey(other);

/** The part of a refund in one leg. When `appliesAs` is absent it is a tender: older legs have none. */
interface Taken extends MoneyColumns<{ amount: typeof amountOf }> {
  appliesAs?: CreditUse | undefined;
}

const amountOf = twin('amount');

/**
 * What goes back by the original tender, in coins: the memo's total less every tender leg (spec 2.11 `base_handback`).
 * A fraction of a coin that a credit leaves is not given to anyone.
 */
export function handbackOf(refund: InBoth, legs: readonly Taken[], coins: Coins): InBoth {
  const tenders = legs.filter(({ appliesAs }) => appliesAs !== 'discount');
  return inBoth((currency) => {
    const taken = tenders.map((leg) => leg[amountOf[currency]]);
    return downToCoins(subtract(refund[currency], ...taken), coins[currency]);
  });
}

/** How much of a line was cancelled, and its rows ex tax in the base currency. */
export interface CancelledLine {
  qtyOrdered: Quantity;
  qtyInvoiced: Quantity;
  qtyCanceled: Quantity;
  baseRowTotal: Amount;
  baseRowInvoiced: Amount;
}

/**
 * Value of the cancelled part of a line: its share of what was not invoiced. When nothing is left to invoice, all of
 * that, so invoices and cancellation together always equal the row.
 */
export function cancelledGoods(line: CancelledLine): Amount {
  const notInvoiced = minus(line.qtyOrdered, line.qtyInvoiced);
  if (notInvoiced <= none) return zero;
  return scale(subtract(line.baseRowTotal, line.baseRowInvoiced), line.qtyCanceled, notInvoiced, 1);
}
