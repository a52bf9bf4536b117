import type { EntityManager } from '@mikro-orm/postgresql';
import { createGiftCard as issue } from '../db/gift-cards/create-gift-card.ts';
import { newGiftCardCode } from '../db/gift-cards/new-gift-card-code.ts';
import { timeZoneOfWebsite } from '../db/platform/stores/time-zone.ts';
import { sql } from '../db/support/sql.ts';
import { isCalendarDay } from '../domain/calendar-day.ts';
import { invalid, notFound } from '../domain/errors.ts';
import { endOfDate } from '../domain/local-day.ts';
import { parseAmount, toPlain } from '../domain/money.ts';
import { priceText } from '../domain/currency-texts.ts';
import { fine, findScope, type Answer, type CommandContext } from './support.ts';

export interface NewGiftCardOptions {
  amount: string;
  code?: string;
  website?: string;
  expires?: string;
}

/**
 * `giftcard create --amount N [--code C] [--website CODE] [--expires DAY]`: a gift card in the website's base
 * currency, with an audit entry. Without `--code` a code is generated and shown only here. Each call creates another
 * card.
 *
 * Refused with 400 for an invalid amount, a code that is taken, an invalid day or one that is over; 404 for an unknown website.
 */
export async function createGiftCard(
  { em: connect, now }: CommandContext,
  { amount: text, code = newGiftCardCode(), website, expires }: NewGiftCardOptions,
): Promise<Answer> {
  const amount = parseAmount(text.trim());
  if (amount === undefined) throw invalid('"%1" is not an amount such as 50 or 12.50.', [text]);
  const em = await connect();
  const websiteId = website === undefined ? await defaultWebsite(em) : (await findScope(em, { website })).websiteId;
  const expiresAt = expires === undefined ? null : lastMomentOf(expires, now(), await timeZoneOfWebsite(em, websiteId));
  const { cardId, currencyCode } = await issue(em, { code, websiteId, amount, expiresAt, reason: 'issued by hand' });
  return fine(`Gift card ${code} was made with ${priceText(amount, currencyCode)}.`, {
    card_id: cardId,
    code,
    balance: Number(toPlain(amount)),
    currency: currencyCode,
    website_id: websiteId,
    expires_at: expiresAt?.toISOString() ?? null,
  });
}

/** The last second of the day in the website's time zone. */
function lastMomentOf(day: string, now: Date, timeZone: string): Date {
  const end = isCalendarDay(day) ? endOfDate(day, timeZone) : new Date(Number.NaN);
  if (!(end > now)) throw invalid('"%1" is not a day to come, such as 2030-12-31.', [day]);
  return end;
}

async function defaultWebsite(em: EntityManager): Promise<number> {
  const row = await firstWebsite.first(em);
  if (!row) throw notFound('There is no website yet.');
  return row.websiteId;
}

const firstWebsite = sql('cli/create-gift-card.firstWebsite')`
  select website_id from website where website_id > 0 order by is_default desc, website_id limit 1`;
