import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { maskCode } from '../../domain/credits/applied-credit.ts';
import { invalid } from '../../domain/errors.ts';
import { giftCardKey, type GiftCardState, type RefundValidity } from '../../domain/gift-cards.ts';
import { dateAfter, endOfDate, localDateOf } from '../../domain/local-day.ts';
import type { Amount } from '../../domain/money.ts';
import { noGiftCardWithCode } from '../../domain/refusals/money.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { knownZone, timeZoneOfWebsite } from '../platform/stores/time-zone.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';

const path = 'vendor_pos/gift_card/refund_validity_days';

/** How long money that is refunded to a card of the website can be spent. */
export async function readRefundValidity(em: EntityManager, websiteId: number): Promise<RefundValidity> {
  const row = await selectValidity.first(em, { websiteId, path });
  const days = Number(row?.value ?? settingDefaults[path]);
  return {
    days: Number.isInteger(days) && days > 0 ? days : Number(settingDefaults[path]),
    timeZone: knownZone(row?.timeZone),
  };
}

const selectValidity = sql('extend-gift-card.selectValidity')`
  select w.time_zone, (
    select c.value from config_value c
    where c.path = $path and not c.is_encrypted
      and (c.scope = 'default' or (c.scope = 'websites' and c.scope_id = w.website_id))
    order by case c.scope when 'websites' then 0 else 1 end limit 1) as value
  from website w where w.website_id = $websiteId`;

/** The card and both last moments; the caller holds the card's lock. */
export interface CardToRenew {
  cardId: number;
  from: Date | null;
  expiresAt: Date;
}

/** Moves the last day of a locked card, with a line of audit, in the caller's transaction. */
export async function renewGiftCard(em: EntityManager, { cardId, from, expiresAt }: CardToRenew): Promise<void> {
  await update.run(em, { cardId, expiresAt });
  await recordAudit(em, {
    entityType: 'gift_card',
    entityId: cardId,
    fieldName: 'expires_at',
    oldValue: from?.toISOString() ?? null,
    newValue: expiresAt.toISOString(),
    changeSource: 'api',
  });
}

const update = sql('extend-gift-card.update')`
  update gift_card set expires_at = $expiresAt, updated_at = clock_timestamp() where card_id = $cardId`;

/** Its last day is a date of the calendar, in the time zone of the card's website. */
export interface CardToExtend {
  code: string;
  /** `2030-12-31` */
  lastDay: string;
  now: Date;
}

export interface ExtendedCard {
  cardId: number;
  balance: Amount;
  currencyCode: string;
  state: GiftCardState;
  expiresAt: Date;
  timeZone: string;
  /** False: the card had this last day already. */
  isChanged: boolean;
}

/**
 * Moves the last day of a gift card to a later one; an expired card is valid again. The same day again changes nothing.
 *
 * Refused with: 404 unknown code · 400 a day before the card's own last day or before today, a card that never expires.
 */
export const extendGiftCard = (em: EntityManager, { code, lastDay, now }: CardToExtend): Promise<ExtendedCard> =>
  transact(em, async (tx) => {
    const card = await lock.first(tx, { codeKey: giftCardKey(code) });
    if (!card) throw noGiftCardWithCode([maskCode(code)]);
    const timeZone = await timeZoneOfWebsite(tx, card.websiteId);
    const expiresAt = endOfDate(lastDay, timeZone);
    if (card.expiresAt === null) throw invalid('This gift card never expires.');
    if (expiresAt < card.expiresAt)
      throw invalid('This gift card is valid until %1 already: it is never shortened.', [
        localDateOf(card.expiresAt, timeZone),
      ]);
    const isChanged = expiresAt.getTime() !== card.expiresAt.getTime();
    if (isChanged && expiresAt <= now)
      throw invalid('"%1" is not a day to come, such as %2.', [lastDay, dateAfter(localDateOf(now, timeZone), 365)]);
    if (isChanged) await renewGiftCard(tx, { cardId: card.cardId, from: card.expiresAt, expiresAt });
    const { cardId, balance, baseCurrencyCode: currencyCode, state } = card;
    return { cardId, balance, currencyCode, state, expiresAt, timeZone, isChanged };
  });

const lock = sql('extend-gift-card.lock')`
  select card_id, website_id, balance, base_currency_code, state, expires_at
  from gift_card where code_key = $codeKey for update`;
