import { absolute, add, type Amount, greatest, least, subtract, zero } from '../money/amount.ts';
import { skuKey } from '../platform/catalog/sku-key.ts';
import { giftCardKey } from '../gift-cards/gift-card.ts';
import type { CreditKind, CreditUse } from './applied-credit.ts';
import type { SpendableCredit } from './spendable-credit.ts';

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
