import type { EntityManager } from '@mikro-orm/postgresql';
import { postEntry, writeEntry, type Ledger } from '../credit-stores/post-entry.ts';
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
  /** The website where it is spent; a card is valid only on its own. */
  websiteId: number;
  kind: GiftCardEntryKind;
  /** Negative for a spending. */
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
 * Safe to repeat: a key always answers its first entry, whatever happened to the card since.
 *
 * Refused with: 404 unknown code · 400 as documented at `nextGiftCardBalance`, or a key that moved another card.
 */
export async function moveGiftCard(em: EntityManager, move: GiftCardMove): Promise<GiftCardMoved> {
  const { account: card, entry } = await postEntry(em, ledger, move);
  if (entry.cardId !== card.cardId) throw invalid('This key already moved another gift card.');
  return { entryId: entry.entryId, balanceAfter: entry.balanceAfter, currencyCode: card.baseCurrencyCode };
}

const lock = statement({
  takes: { codeKey: text },
  gives: { ...of(GiftCard, 'cardId', 'websiteId', 'balance', 'baseCurrencyCode', 'state'), isExpired: surely(flag) },
  text: `
    select card_id, website_id, balance, base_currency_code, state,
      coalesce(expires_at <= now(), false) as is_expired
    from gift_card where code_key = $codeKey for update`,
});

const entry = { entryId: bigText, cardId: integer, balanceAfter: amount };

const findByKey = statement({
  takes: { key: text },
  gives: entry,
  text: 'select entry_id, card_id, balance_after from gift_card_entry where key = $key',
});

const tables = { accounts: 'gift_card', entries: 'gift_card_entry', accountKey: 'card_id', balance: 'balance' };

const written = {
  cardId: integer,
  kind: text,
  delta: amount,
  balanceAfter: amount,
  orderId: orNull(integer),
  reason: text,
  key: text,
};

const write = statement({
  takes: written,
  gives: entry,
  text: `${writeEntry(tables, written)} select entry_id, card_id, balance_after from e`,
});

const ledger: Ledger<RowFrom<typeof lock>, GiftCardMove, RowFrom<typeof write>> = {
  lock: (em, { code }) => lock.first(em, { codeKey: giftCardKey(code) }),
  open: async (_, { code }) => {
    // The sentence is stored with a failed refund, so it does not contain the full code.
    throw notFound('Gift card with code %1 not found.', [maskCode(code)]);
  },
  find: (em, { key }) => findByKey.first(em, { key }),
  write(em, move, card) {
    const balanceAfter = nextGiftCardBalance({ ...card, currencyCode: card.baseCurrencyCode }, move);
    const { kind, delta, orderId, reason, key } = move;
    return write.first(em, { cardId: card.cardId, kind, delta, balanceAfter, orderId, reason, key });
  },
};
