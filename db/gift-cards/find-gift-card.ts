import type { EntityManager } from '@mikro-orm/postgresql';
import { giftCardKey, longestGiftCardCode } from '../../domain/gift-cards.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

export type FoundGiftCard = RowFrom<typeof byCode>;

/** The card with this code, in any case of letters; undefined where there is none. Reads only. */
export async function findGiftCard(em: EntityManager, code: string): Promise<FoundGiftCard | undefined> {
  const codeKey = giftCardKey(code);
  if (codeKey === '' || code.trim().length > longestGiftCardCode) return undefined;
  return byCode.first(em, { codeKey });
}

const byCode = sql('find-gift-card.byCode', { answerWithinMs: 3_000 })`
  select card_id, code, website_id, balance, base_currency_code, state, expires_at,
    coalesce(expires_at <= now(), false) as is_expired
  from gift_card where code_key = $codeKey`;

/** The keys of those cards among these that are disabled: see `giftCardKey`. Reads only. */
export async function findDisabledCards(em: EntityManager, codes: readonly string[]): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set();
  const rows = await disabledOf.all(em, { codeKeys: codes.map(giftCardKey) });
  return new Set(rows.map(({ codeKey }) => codeKey));
}

const disabledOf = sql('find-gift-card.disabledOf')`
  select code_key from gift_card where code_key = any($codeKeys) and state = 'disabled'`;

/** A gift card that a refund of an order issued, in place of a disabled one. */
export type IssuedGiftCard = RowFrom<typeof issuedFor>;

/** The gift cards that refunds and cancellations of an order issued, oldest first. At most 100. Reads only. */
export const giftCardsIssuedFor = (em: EntityManager, orderId: number): Promise<IssuedGiftCard[]> =>
  issuedFor.all(em, { orderId });

const issuedFor = sql('find-gift-card.issuedFor')`
  select g.card_id, g.code, g.balance, g.base_currency_code, g.state, g.expires_at, r.credit_memo_id,
    r.base_amount as amount
  from order_credit c
  join order_credit_return r on r.credit_id = c.credit_id
  join gift_card g on g.card_id = r.issued_card_id
  where c.order_id = $orderId order by r.credit_return_id limit 100`;
