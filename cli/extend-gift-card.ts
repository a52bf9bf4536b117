import { extendGiftCard as extend } from '../db/gift-cards/extend-gift-card.ts';
import { isCalendarDay } from '../domain/calendar-day.ts';
import { maskCode } from '../domain/credits/applied-credit.ts';
import { priceText } from '../domain/currency-texts.ts';
import { invalid } from '../domain/errors.ts';
import { localDateOf } from '../domain/local-day.ts';
import { toPlain } from '../domain/money.ts';
import { fine, type Answer, type CommandContext } from './support.ts';

/**
 * `giftcard extend CODE --expires DAY`: moves the last day of a gift card, with an audit entry. The day ends in the time
 * zone of the card's website. A repeat changes nothing.
 *
 * Refused with 404 for an unknown code; 400 for an invalid day, one before today or before the card's last day, and a
 * card that never expires.
 */
export async function extendGiftCard(
  { em: connect, now }: CommandContext,
  { code, expires }: { code: string; expires: string },
): Promise<Answer> {
  if (!isCalendarDay(expires)) throw invalid('"%1" is not a day to come, such as 2030-12-31.', [expires]);
  const card = await extend(await connect(), { code, lastDay: expires, now: now() });
  const day = localDateOf(card.expiresAt, card.timeZone);
  const worth = priceText(card.balance, card.currencyCode);
  const what = card.isChanged ? 'is valid until' : 'was valid already until';
  const still = card.state === 'disabled' ? ' It is disabled, so it cannot be spent.' : '';
  return fine(`Gift card ${maskCode(code)} ${what} the end of ${day} (${card.timeZone}). Balance: ${worth}.${still}`, {
    card_id: card.cardId,
    balance: Number(toPlain(card.balance)),
    currency: card.currencyCode,
    expires_at: card.expiresAt.toISOString(),
    state: card.state,
    changed: card.isChanged,
  });
}
