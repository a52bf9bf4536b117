import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../domain/errors.ts';
import { giftCardKey, longestGiftCardCode } from '../../domain/gift-cards/gift-card.ts';
import { isPositive, toPlain, type Amount } from '../../domain/money/amount.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { query } from '../support/query.ts';
import { transact } from '../support/transact.ts';
import { moveGiftCard } from './move-gift-card.ts';

export interface NewGiftCard {
  /** Null: never. */
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
 * A repeat is refused: a code is issued once. Refused with: 400 no code, one that is longer than 64 characters or taken
 * (whatever its case), an amount that is not above zero · 404 unknown website.
 */
export async function createGiftCard(em: EntityManager, card: NewGiftCard): Promise<CreatedGiftCard> {
  const code = card.code.trim();
  if (code === '') throw invalid('A gift card needs a code.');
  if (code.length > longestGiftCardCode)
    throw invalid('The code of a gift card has at most %1 characters.', [longestGiftCardCode]);
  if (!isPositive(card.amount)) throw invalid('The amount of a gift card must be greater than zero.');
  return transact(em, (tx) => issue(tx, { ...card, code }));
}

const openText = `
insert into gift_card (code, code_key, website_id, base_currency_code, expires_at)
select $1, $2, s.website_id, s.base_currency_code, $4::timestamptz from website s
where s.website_id = $3 and s.website_id > 0
on conflict (code_key) do nothing returning card_id, base_currency_code`;

async function issue(em: EntityManager, card: NewGiftCard): Promise<CreatedGiftCard> {
  const { code, websiteId, amount, reason } = card;
  const expiresAt = card.expiresAt?.toISOString() ?? null;
  const opened = await query<{ card_id: number; base_currency_code: string }>(em, openText, [
    code,
    giftCardKey(code),
    websiteId,
    expiresAt,
  ]);
  const [made] = opened;
  if (!made) throw await whyNotOpened(em, websiteId);
  const key = `gift-card-issued-${made.card_id}`;
  const currencyCode = made.base_currency_code;
  await moveGiftCard(em, { code, websiteId, kind: 'issued', delta: amount, currencyCode, orderId: null, reason, key });
  await recordAudit(em, {
    entityType: 'gift_card',
    entityId: made.card_id,
    fieldName: 'balance',
    oldValue: null,
    newValue: `${toPlain(amount)} ${made.base_currency_code}`,
    changeSource: 'admin',
  });
  return { cardId: made.card_id, currencyCode: made.base_currency_code };
}

async function whyNotOpened(em: EntityManager, websiteId: number) {
  const found = await query<object>(em, 'select 1 from website where website_id = $1 and website_id > 0', [websiteId]);
  return found.length === 0
    ? noSuchEntity('websiteId', websiteId)
    : invalid('There is a gift card with this code already.');
}
