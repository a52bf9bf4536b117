import { invalid } from '../errors.ts';
import {
  add,
  amount,
  coinOf,
  isInCoins,
  isPositive,
  least,
  parseAmount,
  subtract,
  toPlain,
  zero,
  type Amount,
  type Coin,
} from '../money.ts';
import { postedInOrderCurrency, type RatedCurrencies } from '../platform/credit-memos/credit-memo-figures.ts';
import { creditKinds, creditUses, type CreditKind, type CreditUse } from './applied-credit.ts';

/** A credit as a register posts it with its order: extension attribute `pos_applied_credits`. */
export interface PostedCredit {
  kind: CreditKind;
  /** Null: the active provider of the kind. */
  providerCode: string | null;
  /** Only for a gift card. */
  code: string | null;
  /** In the order's currency. */
  amount: Amount;
  /** Only for reward points. */
  points: number | null;
  appliesAs: CreditUse;
}

/** The most credits of one order: more than a till ever takes. */
const maxCredits = 20;
const maxPoints = 2_147_483_647;
const maxText = 64;
const maxCode = 255;

const keys = ['credit_type', 'provider_code', 'code', 'amount', 'points', 'applies_as'];
const spelled = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Reads the credits posted with an order: a list, or the JSON text of one, of
 * `{credit_type, provider_code?, code?, amount, points?, applies_as?}`, keys in either spelling.
 *
 * Refused with: 400 anything else: unknown keys, more than twenty, an amount that is not above zero with at most four
 * decimals, points where there are none, a gift card without its code.
 */
export function readPostedCredits(input: unknown): PostedCredit[] {
  const rows = typeof input === 'string' ? parsed(input) : input;
  if (!Array.isArray(rows)) throw malformed('it is not a list');
  if (rows.length > maxCredits) throw malformed(`it has more than ${maxCredits} entries`);
  return rows.map(readCredit);
}

/** What answers show of an order's credits. A client that sends it back does not ask to spend them again. */
export function isEcho(input: unknown): boolean {
  const rows = typeof input === 'string' ? parsed(input) : input;
  return Array.isArray(rows) && rows.every((row) => isRecord(row) && row['direction'] === 'applied');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('it is not JSON');
  }
}

function readCredit(row: unknown): PostedCredit {
  if (!isRecord(row)) throw malformed('an entry is not an object');
  const fields = new Map(Object.entries(row).map(([key, value]) => [spelled(key), value ?? undefined]));
  const unknown = [...fields.keys()].find((key) => !keys.includes(key));
  if (unknown !== undefined) throw malformed(`it has an unknown key "${unknown.slice(0, maxText)}"`);
  const kind = oneOf(creditKinds, fields.get('credit_type'), 'credit_type');
  const appliesAs = oneOf(creditUses, fields.get('applies_as') ?? 'tender', 'applies_as');
  if (appliesAs === 'discount' && kind !== 'reward_points') throw malformed('only reward points can be a discount');
  return {
    kind,
    providerCode: textOf(fields.get('provider_code'), 'provider_code', maxText),
    code: codeOf(kind, textOf(fields.get('code'), 'code', maxCode)),
    amount: amountOf(fields.get('amount')),
    points: pointsOf(kind, fields.get('points')),
    appliesAs,
  };
}

function oneOf<Word extends string>(words: readonly Word[], input: unknown, key: string): Word {
  const word = words.find((one) => one === input);
  if (word === undefined) throw malformed(`${key} is one of ${words.join(', ')}`);
  return word;
}

function textOf(input: unknown, key: string, longest: number): string | null {
  if (input === undefined || input === '') return null;
  if (typeof input !== 'string' || input.length > longest) throw malformed(`${key} is not a text of its length`);
  // The database never reads a list that came as text, so this is the place to refuse what it cannot store.
  if (input.includes('\0') || !input.isWellFormed()) throw malformed(`${key} is not a text`);
  return input;
}

function codeOf(kind: CreditKind, code: string | null): string | null {
  if ((kind === 'gift_card') === (code !== null)) return code;
  throw malformed(kind === 'gift_card' ? 'a gift card needs its code' : 'only a gift card has a code');
}

/** Numbers of JSON, or the same as text; no exponents and at most four decimals. */
function amountOf(input: unknown): Amount {
  const text = typeof input === 'number' ? String(input) : typeof input === 'string' ? input : '';
  const read = parseAmount(text);
  if (read === undefined || !isPositive(read)) throw malformed('amount is money above zero with at most four decimals');
  return amount(read);
}

function pointsOf(kind: CreditKind, input: unknown): number | null {
  if (input === undefined && kind !== 'reward_points') return null;
  const points = typeof input === 'string' && /^\d{1,10}$/.test(input) ? Number(input) : input;
  const isCount = typeof points === 'number' && Number.isInteger(points) && points > 0 && points <= maxPoints;
  if (kind === 'reward_points' && isCount) return points;
  throw malformed(
    kind === 'reward_points' ? 'points is a whole number above zero' : 'only reward points are spent in points',
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const malformed = (why: string) => invalid('The credits of the order cannot be read: %1.', [why]);

/** An order's totals before credit is spent on it. */
export interface OrderToPay extends RatedCurrencies {
  grandTotal: Amount;
  baseGrandTotal: Amount;
  /** Already paid with money. */
  totalPaid: Amount;
  baseTotalPaid: Amount;
}

export type PricedCredit = PostedCredit & { baseAmount: Amount };

/**
 * What each credit is worth in the base currency, in which balances are kept. Converted by the order's rate and
 * counted in coins.
 *
 * Money and tender credits together never exceed the order's total. Credits that pay the whole rest in one currency
 * pay it in both.
 *
 * Refused with: 400 more credit than the order still costs, a credit worth less than a coin, a payment with a
 * fraction of a coin, because no gateway could pay back the rest beside it.
 */
export function priceCredits(credits: readonly PostedCredit[], order: OrderToPay): PricedCredit[] {
  const left = {
    base: subtract(order.baseGrandTotal, order.baseTotalPaid),
    order: subtract(order.grandTotal, order.totalPaid),
  };
  const coin = coinOf(order.orderCurrencyCode);
  refuseBeyond(credits.filter(isTender), left.order);
  return credits.map((credit) => {
    const byRate = postedInOrderCurrency(credit.amount, order).base;
    if (!isTender(credit)) return worth(credit, byRate);
    left.order = subtract(left.order, credit.amount);
    if (left.order !== zero && !isInCoins(credit.amount, coin)) throw brokenCoin(credit.amount, coin);
    const baseAmount = left.order === zero ? left.base : least(byRate, left.base);
    left.base = subtract(left.base, baseAmount);
    return worth(credit, baseAmount);
  });
}

const isTender = ({ appliesAs }: PostedCredit) => appliesAs === 'tender';

function worth(credit: PostedCredit, baseAmount: Amount): PricedCredit {
  if (isPositive(baseAmount)) return { ...credit, baseAmount };
  throw invalid('A credit of %1 is worth less than a cent in the base currency.', [toPlain(credit.amount)]);
}

/** Each amount is checked before the sum: twenty of the largest amounts would overflow. */
function refuseBeyond(tenders: readonly PostedCredit[], left: Amount): void {
  const largest = tenders.find(({ amount }) => amount > left);
  const tender = largest?.amount ?? add(zero, ...tenders.map(({ amount }) => amount));
  if (tender > left)
    throw invalid('The credits come to %1, and the order has only %2 left to pay.', [toPlain(tender), toPlain(left)]);
}

const brokenCoin = (credit: Amount, coin: Coin) =>
  invalid('A credit of %1 is not paid in whole coins of %2.', [toPlain(credit), toPlain(amount(coin))]);
