import type { EntityManager } from '@mikro-orm/postgresql';
import { giftCardKey, longestGiftCardCode, type GiftCardState } from '../../domain/gift-cards/gift-card.ts';
import { readPrepared } from '../support/read-prepared.ts';

/** A gift card as its table has it: money as decimal text, the moment as text. */
export interface GiftCardRow {
  card_id: number;
  code: string;
  website_id: number;
  balance: string;
  base_currency_code: string;
  state: GiftCardState;
  expires_at: string | null;
  is_expired: boolean;
}

const byCode = {
  name: 'gift-card-by-code',
  text: `select card_id, code, website_id, balance, base_currency_code, state, expires_at,
    coalesce(expires_at <= now(), false) as is_expired
  from gift_card where code_key = $1`,
};

/** The card with this code, whatever its case; undefined where there is none. Reads only, outside any transaction. */
export async function findGiftCard(em: EntityManager, code: string): Promise<GiftCardRow | undefined> {
  const key = giftCardKey(code);
  if (key === '' || code.trim().length > longestGiftCardCode) return undefined;
  const [row] = await readPrepared<GiftCardRow>(em, byCode, [key]);
  return row;
}
