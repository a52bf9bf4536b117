import type { EntityManager } from '@mikro-orm/postgresql';
import { maskCode } from '../../domain/credits/applied-credit.ts';
import { invalid } from '../../domain/errors.ts';
import { giftCardKey, nextGiftCardBalance, type GiftCardEntryKind } from '../../domain/gift-cards.ts';
import { negate, type Amount } from '../../domain/money.ts';
import { noGiftCardWithCode } from '../../domain/refusals/money.ts';
import {
  postEntry,
  writeEntry,
  type CreditMoved,
  type CreditMovement,
  type CreditStore,
  type Ledger,
} from '../credit-stores.ts';
import { readCreditScopeOfOrder } from '../credit-stores/read-credit-scope.ts';
import { amount, bigText, flag, integer, orNull, definite, text } from '../support/entity-columns.ts';
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
  gives: { ...of(GiftCard, 'cardId', 'websiteId', 'balance', 'baseCurrencyCode', 'state'), isExpired: definite(flag) },
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
    throw noGiftCardWithCode([maskCode(code)]);
  },
  find: (em, { key }) => findByKey.first(em, { key }),
  write(em, move, card) {
    const balanceAfter = nextGiftCardBalance({ ...card, currencyCode: card.baseCurrencyCode }, move);
    const { kind, delta, orderId, reason, key } = move;
    return write.first(em, { cardId: card.cardId, kind, delta, balanceAfter, orderId, reason, key });
  },
};

/**
 * Gift cards as a credit store for orders. Spent money goes back to its card even after the card has expired (our
 * choice).
 */
export const giftCardStore: CreditStore = {
  kind: 'gift_card',
  providerCode: 'gift_card',

  async spend(em, movement) {
    const scope = await readCreditScopeOfOrder(em, movement.orderId);
    if (scope && !scope.settings.flag('vendor_gift_card/general/enabled'))
      throw invalid('Gift cards are not taken here.');
    return move(em, movement, { kind: 'spent', delta: negate(movement.baseAmount) });
  },

  giveBack: (em, movement) => move(em, movement, { kind: 'returned', delta: movement.baseAmount }),
};

async function move(
  em: EntityManager,
  { key, code, websiteId, orderId, reason, currencyCode }: CreditMovement,
  { kind, delta }: { kind: GiftCardEntryKind; delta: Amount },
): Promise<CreditMoved> {
  if (code === null || code.trim() === '') throw invalid('A gift card is spent by its code.');
  // A fraction of a cent in the order's currency may be zero in the base currency.
  if (delta === 0) return { balanceAfter: null, transactionId: key };
  // A key allows one movement in each direction.
  const where = { code, websiteId, currencyCode, orderId, reason };
  const moved = await moveGiftCard(em, { ...where, kind, delta, key: `${kind}:${key}` });
  return { balanceAfter: moved.balanceAfter, transactionId: `gift-card-entry-${moved.entryId}` };
}
