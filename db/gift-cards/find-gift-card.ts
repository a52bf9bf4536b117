import type { EntityManager } from '@mikro-orm/postgresql';
import { giftCardKey, longestGiftCardCode } from '../../domain/gift-cards.ts';
import { flag, definite, text } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { GiftCard } from './gift-card.entity.ts';

export type FoundGiftCard = RowFrom<typeof byCode>;

/** The card with this code, in any case of letters; undefined where there is none. Reads only. */
export async function findGiftCard(em: EntityManager, code: string): Promise<FoundGiftCard | undefined> {
  const codeKey = giftCardKey(code);
  if (codeKey === '' || code.trim().length > longestGiftCardCode) return undefined;
  return byCode.first(em, { codeKey });
}

const byCode = statement({
  answerWithinMs: 3_000,
  takes: { codeKey: text },
  gives: {
    ...of(GiftCard, 'cardId', 'code', 'websiteId', 'balance', 'baseCurrencyCode', 'state', 'expiresAt'),
    isExpired: definite(flag),
  },
  text: `
    select card_id, code, website_id, balance, base_currency_code, state, expires_at,
      coalesce(expires_at <= now(), false) as is_expired
    from gift_card where code_key = $codeKey`,
});
