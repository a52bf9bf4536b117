import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../domain/errors.ts';
import { giftCardKey, longestGiftCardCode } from '../../domain/gift-cards.ts';
import { isPositive, toPlain, type Amount } from '../../domain/money.ts';
import { refuseFinerThanCoins } from '../../domain/store-credit.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { moveGiftCard } from './move-gift-card.ts';

export interface NewGiftCard {
  /** Null: never expires. */
  expiresAt: Date | null;
  code: string;
  websiteId: number;
  /** In the website's base currency. */
  amount: Amount;
  reason: string;
}

export interface CreatedGiftCard {
  cardId: number;
  currencyCode: string;
}

/**
 * Issues a gift card with its first entry and an audit line that does not name the code.
 *
 * A repeat is refused: a code is issued once. Refused with: 400 a missing code, one longer than 64 characters or
 * already used (in any case of letters), an amount that is not above zero or finer than
 * a coin · 404 unknown website.
 */
export async function createGiftCard(em: EntityManager, card: NewGiftCard): Promise<CreatedGiftCard> {
  const code = card.code.trim();
  if (code === '') throw invalid('A gift card needs a code.');
  if (code.length > longestGiftCardCode)
    throw invalid('The code of a gift card has at most %1 characters.', [longestGiftCardCode]);
  if (!isPositive(card.amount)) throw invalid('The amount of a gift card must be greater than zero.');
  return transact(em, (tx) => issue(tx, { ...card, code }));
}

const open = sql('gift-cards/create-gift-card.open')`
  insert into gift_card (code, code_key, website_id, base_currency_code, expires_at)
  select $code, $codeKey, s.website_id, s.base_currency_code, $expiresAt?::timestamptz from website s
  where s.website_id = $websiteId and s.website_id > 0
  on conflict (code_key) do nothing returning card_id, base_currency_code`;

async function issue(em: EntityManager, card: NewGiftCard): Promise<CreatedGiftCard> {
  const { code, websiteId, amount, reason, expiresAt } = card;
  const made = await open.first(em, { code, codeKey: giftCardKey(code), websiteId, expiresAt });
  if (!made) throw await whyNotOpened(em, websiteId);
  const key = `gift-card-issued-${made.cardId}`;
  const currencyCode = made.baseCurrencyCode;
  refuseFinerThanCoins({ delta: amount, balanceAfter: amount }, currencyCode);
  await moveGiftCard(em, { code, websiteId, kind: 'issued', delta: amount, currencyCode, orderId: null, reason, key });
  await recordAudit(em, {
    entityType: 'gift_card',
    entityId: made.cardId,
    fieldName: 'balance',
    oldValue: null,
    newValue: `${toPlain(amount)} ${currencyCode}`,
    changeSource: 'admin',
  });
  return { cardId: made.cardId, currencyCode };
}

const whyNotOpened = async (em: EntityManager, websiteId: number) =>
  (await findWebsite.first(em, { websiteId }))
    ? invalid('There is a gift card with this code already.')
    : noSuchEntity('websiteId', websiteId);

const findWebsite = sql('gift-cards/create-gift-card.findWebsite')`
  select website_id from website where website_id = $websiteId and website_id > 0`;
