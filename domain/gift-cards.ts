import { invalid } from './errors.ts';
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

/** Why the card cannot be spent now; null when it can. */
export function whyNotSpendable({ state, isExpired, balance }: Omit<GiftCardStanding, 'websiteId'>): string | null {
  if (state === 'disabled') return 'This gift card is disabled.';
  if (isExpired) return 'This gift card has expired.';
  return balance > 0 ? null : 'This gift card is used up.';
}

/**
 * The balance after a movement.
 *
 * Refused with 400: a card that is disabled, expired or of another website when something is spent, an amount not in
 * the card's currency, a balance below zero or beyond `highestGiftCardBalance`.
 */
export function nextGiftCardBalance(
  card: GiftCardStanding,
  move: { kind: GiftCardEntryKind; delta: Amount; websiteId: number; currencyCode: string },
): Amount {
  if (move.kind === 'spent') refuseUnlessSpendable(card, move.websiteId);
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

function refuseUnlessSpendable(card: GiftCardStanding, websiteId: number): void {
  if (card.websiteId !== websiteId) throw invalid('This gift card is not valid on this website.');
  const why = whyNotSpendable(card);
  if (why !== null && card.balance > 0) throw invalid(why);
}
