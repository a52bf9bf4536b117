import type { EntityManager } from '@mikro-orm/postgresql';
import { maskCode } from '../../domain/credits/applied-credit.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { giftCardKey, nextGiftCardBalance, type GiftCardEntryKind } from '../../domain/gift-cards/gift-card.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { amount, bigText, flag, integer, orNull, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { GiftCard } from './gift-card.entity.ts';

export interface GiftCardMove {
  code: string;
  /** Where it is spent; a card is good on its own website only. */
  websiteId: number;
  kind: GiftCardEntryKind;
  /** Below zero where something is taken. */
  delta: Amount;
  /** Of `delta`: the base currency of the order, or of the website. */
  currencyCode: string;
  orderId: number | null;
  reason: string;
  key: string;
}

export interface GiftCardMoved {
  entryId: string;
  balanceAfter: Amount;
  currencyCode: string;
}

/**
 * Moves a gift card by one entry of its ledger, in the caller's transaction, under the card's row lock.
 *
 * Safe to repeat: the first entry of a key is answered for ever, whatever became of the card since.
 *
 * Refused with: 404 unknown code · 400 as `nextGiftCardBalance` says, or a key that moved another card.
 */
export async function moveGiftCard(em: EntityManager, move: GiftCardMove): Promise<GiftCardMoved> {
  const card = await lockCard(em, move.code);
  // After the lock: only a statement that begins then sees what the one before wrote.
  const known = await findByKey.first(em, { key: move.key });
  if (known) return answerOf(known, card);
  const balanceAfter = nextGiftCardBalance({ ...card, currencyCode: card.baseCurrencyCode }, move);
  const { kind, delta, orderId, reason, key } = move;
  const written = await write.first(em, { cardId: card.cardId, kind, delta, balanceAfter, orderId, reason, key });
  if (!written) throw new Error('an entry of a gift card was written and is not there');
  return answerOf(written, card);
}

/** Whoever waited reads the balance that the one before left. */
const lock = statement({
  takes: { codeKey: text },
  gives: { ...of(GiftCard, 'cardId', 'websiteId', 'balance', 'baseCurrencyCode', 'state'), isExpired: surely(flag) },
  text: `
    select card_id, website_id, balance, base_currency_code, state,
      coalesce(expires_at <= now(), false) as is_expired
    from gift_card where code_key = $codeKey for update`,
});

type LockedCard = RowFrom<typeof lock>;

async function lockCard(em: EntityManager, code: string): Promise<LockedCard> {
  const card = await lock.first(em, { codeKey: giftCardKey(code) });
  // The sentence is kept with a refund that failed, so it does not tell the code.
  if (!card) throw notFound('Gift card with code %1 not found.', [maskCode(code)]);
  return card;
}

const entry = { entryId: bigText, cardId: integer, balanceAfter: amount };

const findByKey = statement({
  takes: { key: text },
  gives: entry,
  text: 'select entry_id, card_id, balance_after from gift_card_entry where key = $key',
});

const write = statement({
  takes: {
    cardId: integer,
    kind: text,
    delta: amount,
    balanceAfter: amount,
    orderId: orNull(integer),
    reason: text,
    key: text,
  },
  gives: entry,
  text: `
    with e as (
      insert into gift_card_entry (card_id, kind, delta, balance_after, order_id, reason, key)
      values ($cardId, $kind, $delta, $balanceAfter, $orderId, $reason, $key) returning *
    ), booked as (
      update gift_card c set balance = e.balance_after, updated_at = e.created_at from e where c.card_id = e.card_id
    )
    select entry_id, card_id, balance_after from e`,
});

function answerOf({ entryId, cardId, balanceAfter }: RowFrom<typeof write>, card: LockedCard): GiftCardMoved {
  if (cardId !== card.cardId) throw invalid('This key already moved another gift card.');
  return { entryId, balanceAfter, currencyCode: card.baseCurrencyCode };
}
