import { invalid } from './errors.ts';
import { dateAfter, endOfDate, localDateOf } from './local-day.ts';
import { add, money, subtract, toPlain, type Amount } from './money.ts';

export const giftCardStates = ['active', 'disabled'] as const;
export type GiftCardState = (typeof giftCardStates)[number];

/** What moved a gift card's balance: only spending and a correction can lower it. */
export const giftCardEntryKinds = ['issued', 'spent', 'returned', 'refunded', 'adjusted'] as const;
export type GiftCardEntryKind = (typeof giftCardEntryKinds)[number];

/** The longest code of a gift card; a longer text is never a card. */
export const longestGiftCardCode = 64;

/** Above any real balance, and still exact as a JSON number with four decimals: our choice. */
export const highestGiftCardBalance = money('9999999999.9999');

/** The key by which a card is found. Case, full-width letters and surrounding blanks do not matter (our choice). */
export const giftCardKey = (code: string): string => code.normalize('NFKC').trim().toUpperCase();

/** A card as read under its lock. */
export interface GiftCardStanding {
  balance: Amount;
  state: GiftCardState;
  isExpired: boolean;
  websiteId: number;
  /** The website's currency when the card was made; it never changes. */
  currencyCode: string;
}

const disabled = 'This gift card is disabled.';

/** Why the card cannot be spent now; null when it can. */
export function whyNotSpendable({ state, isExpired, balance }: Omit<GiftCardStanding, 'websiteId'>): string | null {
  if (state === 'disabled') return disabled;
  if (isExpired) return 'This gift card has expired.';
  return balance > 0 ? null : 'This gift card is used up.';
}

/** How long refunded money can be spent. */
export interface RefundValidity {
  /** Setting `vendor_pos/gift_card/refund_validity_days`. */
  days: number;
  /** The time zone of the card's website. */
  timeZone: string;
}

/**
 * Last moment of a card that a refund goes to: the later of its own last day and today plus the days of the setting, in
 * the website's time zone. Null stays null: the card never expires.
 */
export function expiryAfterRefund(expiresAt: Date | null, now: Date, { days, timeZone }: RefundValidity): Date | null {
  if (expiresAt === null) return null;
  const renewed = endOfDate(dateAfter(localDateOf(now, timeZone), days), timeZone);
  return renewed > expiresAt ? renewed : expiresAt;
}

/** Kinds of entries that put an order's money on a card. */
export const refundEntryKinds: readonly GiftCardEntryKind[] = ['returned', 'refunded'];

/**
 * The balance after a movement.
 *
 * Refused with 400: a card that is disabled, expired or of another website when something is spent, a refund to a card
 * that is disabled or of another website, an amount not in the card's currency, a balance below zero or beyond
 * `highestGiftCardBalance`. A refund to an expired card renews it: see `expiryAfterRefund`.
 */
export function nextGiftCardBalance(
  card: GiftCardStanding,
  move: { kind: GiftCardEntryKind; delta: Amount; websiteId: number; currencyCode: string },
): Amount {
  if (move.kind === 'spent') refuseUnlessSpendable(card, move.websiteId);
  // The money could not be spent.
  if (refundEntryKinds.includes(move.kind)) refuseUnlessRefundable(card, move.websiteId);
  if (move.currencyCode !== card.currencyCode)
    throw invalid('Currency mismatch: the gift card is in %1 and not in %2.', [card.currencyCode, move.currencyCode]);
  // Compared before adding: the sum of the two largest amounts would overflow.
  if (move.delta > subtract(highestGiftCardBalance, card.balance))
    throw invalid('The balance of a gift card cannot go above %1.', [toPlain(highestGiftCardBalance)]);
  const balanceAfter = add(card.balance, move.delta);
  if (balanceAfter < 0)
    throw invalid('The balance of the gift card cannot go below zero: it is %1 and would change by %2.', [
      toPlain(card.balance),
      toPlain(move.delta),
    ]);
  return balanceAfter;
}

function refuseUnlessRefundable({ state, websiteId: own }: GiftCardStanding, websiteId: number): void {
  if (state === 'disabled') throw invalid(disabled);
  refuseElsewhere(own, websiteId);
}

function refuseElsewhere(own: number, websiteId: number): void {
  if (own !== websiteId) throw invalid('This gift card is not valid on this website.');
}

function refuseUnlessSpendable(card: GiftCardStanding, websiteId: number): void {
  refuseElsewhere(card.websiteId, websiteId);
  const why = whyNotSpendable(card);
  if (why !== null && card.balance > 0) throw invalid(why);
}
