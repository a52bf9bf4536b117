import { invalid } from '../errors.ts';
import { add, type Amount, money, subtract, toPlain } from '../money/amount.ts';

export const giftCardStates = ['active', 'disabled'] as const;
export type GiftCardState = (typeof giftCardStates)[number];

/** What moved a gift card: only spending and a correction take something away. */
export const giftCardEntryKinds = ['issued', 'spent', 'returned', 'refunded', 'adjusted'] as const;
export type GiftCardEntryKind = (typeof giftCardEntryKinds)[number];

/** Longer codes exist nowhere: what is longer is no card. */
export const longestGiftCardCode = 64;

/** Beyond any card, and still exact as a number of JSON with four decimals: our choice. */
export const highestGiftCardBalance = money('9999999999.9999');

/**
 * What a card is found by: people type codes in any case, with full-width letters and with blanks around them, and mean
 * the same card (our choice).
 */
export const giftCardKey = (code: string): string => code.normalize('NFKC').trim().toUpperCase();

/** A card as it stands under its lock. */
export interface GiftCardStanding {
  balance: Amount;
  state: GiftCardState;
  isExpired: boolean;
  websiteId: number;
  /** Of the website when the card was made, for ever. */
  currencyCode: string;
}

/** Why nothing can be spent from a card right now; null when something can. */
export function whyNotSpendable({ state, isExpired, balance }: Omit<GiftCardStanding, 'websiteId'>): string | null {
  if (state === 'disabled') return 'This gift card is disabled.';
  if (isExpired) return 'This gift card has expired.';
  return balance > 0 ? null : 'This gift card is used up.';
}

/**
 * The balance after a movement.
 *
 * Refused with 400: a card that is disabled, expired or of another website when something is spent, an amount in another
 * currency than the card's, a balance below zero or beyond `highestGiftCardBalance`.
 */
export function nextGiftCardBalance(
  card: GiftCardStanding,
  move: { kind: GiftCardEntryKind; delta: Amount; websiteId: number; currencyCode: string },
): Amount {
  if (move.kind === 'spent') refuseUnlessSpendable(card, move.websiteId);
  if (move.currencyCode !== card.currencyCode)
    throw invalid('Currency mismatch: the gift card is in %1 and not in %2.', [card.currencyCode, move.currencyCode]);
  // Compared before it is added: the sum of the two largest amounts is none.
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
