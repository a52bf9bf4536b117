import { amount, least, subtract, zero, coinOf, downToCoins, type Amount, type Coin } from '../money.ts';
import {
  alreadyOn,
  eligibilityOf,
  owedTo,
  type Cart,
  type LineEligibility,
  type SpendableCredit,
  type SpendablePoints,
} from './applied-credit.ts';

/** The currency of a cart beside that of the credit. */
export interface CartCurrency {
  code: string;
  /** Units of the cart's currency for one of the base currency, as a decimal text of up to twelve decimals. */
  baseToCartRate: string;
}

/** What a cart may spend of one credit, in the cart's currency (spec 4.6). */
export interface ApplicableCredit {
  /** Zero for points. */
  balance: Amount;
  /** Null for money. */
  points: number | null;
  maxAmount: Amount;
  minAmount: Amount;
  maxPoints: number | null;
  minPoints: number | null;
  /** What one point is worth in the cart's currency, with up to six decimals. */
  pointsRate: number | null;
  pointsGranularity: number | null;
  amountStep: Amount;
  isRedeemable: boolean;
  reason: string | null;
  lines: LineEligibility[];
}

/**
 * What a cart may spend of a credit: never more than its balance, what the cart owes, or the goods it may pay for.
 * Rounded down to the currency's smallest coin, points to whole steps (spec 4.6; the rules are our choice).
 *
 * Pure, exact and linear in the lines. Nothing is rounded up, so the whole answer can be spent.
 */
export function applicableCredit(credit: SpendableCredit, cart: Cart, currency: CartCurrency): ApplicableCredit {
  const step = coinOf(currency.code);
  const lines = cart.lines.map((line) => eligibilityOf(line, credit));
  const owed = owedTo(credit, cart);
  const spent = alreadyOn(cart, credit);
  const figures = credit.points
    ? pointsFigures(credit.points, { owed, spent, currency, step })
    : moneyFigures(credit.balance, { owed, spent: spent.amount, currency, step });
  const reason = credit.whyNot ?? whyNothing(figures, owed);
  const isRedeemable = reason === null;
  const limits = isRedeemable ? {} : { maxAmount: zero, maxPoints: figures.maxPoints === null ? null : 0 };
  return { ...figures, ...limits, amountStep: amount(step), isRedeemable, reason, lines };
}

interface Facts {
  owed: Amount;
  currency: CartCurrency;
  /** The smallest coin, in the units of an Amount. */
  step: Coin;
}

type Figures = Omit<ApplicableCredit, 'amountStep' | 'isRedeemable' | 'reason' | 'lines'>;

function moneyFigures(base: Amount, { owed, spent, currency, step }: Facts & { spent: Amount }): Figures {
  const balance = downToCoins(toCart(base, currency), step);
  const left = subtract(balance, least(spent, balance));
  return {
    balance,
    points: null,
    maxAmount: downToCoins(least(left, owed), step),
    minAmount: amount(step),
    maxPoints: null,
    minPoints: null,
    pointsRate: null,
    pointsGranularity: null,
  };
}

interface PointsSpent {
  points: number;
  uncounted: Amount;
}

function pointsFigures(
  points: SpendablePoints,
  { owed, spent, currency, step }: Facts & { spent: PointsSpent },
): Figures {
  const { balance, valueOfPoint, granularity } = points;
  const pointsFor = (own: Amount) => (valueOfPoint === zero ? 0 : toBase(own, currency) / valueOfPoint);
  const left = Math.max(0, balance - spent.points - Math.ceil(pointsFor(spent.uncounted)));
  const most = Math.floor(pointsFor(owed));
  const maxPoints = Math.floor(Math.min(left, most) / granularity) * granularity;
  const minPoints = Math.max(granularity, Math.ceil(points.minimum / granularity) * granularity);
  const worth = (count: number) => downToCoins(toCart(amount(count * valueOfPoint), currency), step);
  return {
    balance: zero,
    points: balance,
    maxAmount: worth(maxPoints),
    minAmount: worth(minPoints),
    maxPoints,
    minPoints,
    pointsRate: Number(toCart(amount(valueOfPoint * 100), currency)) / 1_000_000,
    pointsGranularity: granularity,
  };
}

function whyNothing({ balance, points, maxAmount, maxPoints, minPoints }: Figures, owed: Amount): string | null {
  if ((points ?? balance) <= 0) return 'There is no credit left.';
  if (owed <= 0) return 'There is nothing left to pay that this credit may pay for.';
  if (maxPoints !== null && minPoints !== null && maxPoints < minPoints)
    return `At least ${minPoints} points have to be spent at once.`;
  return maxAmount > 0 ? null : 'There is no credit left.';
}

/** Rates are stored with up to twelve decimals. */
const rateDecimals = 12;
const rateOne = 10n ** BigInt(rateDecimals);

/** A rate that is absent or zero counts as one, as on the platform. */
function rateOf({ baseToCartRate }: CartCurrency): bigint {
  const [whole = '', fraction = ''] = baseToCartRate.split('.');
  return BigInt(`${whole}${fraction.padEnd(rateDecimals, '0').slice(0, rateDecimals)}`) || rateOne;
}

/** Both directions round down. */
const toCart = (base: Amount, currency: CartCurrency) => amount(Number((BigInt(base) * rateOf(currency)) / rateOne));
const toBase = (own: Amount, currency: CartCurrency) => amount(Number((BigInt(own) * rateOne) / rateOf(currency)));
