import type { EntityManager } from '@mikro-orm/postgresql';
import { maskCode } from '../../domain/credits/applied-credit.ts';
import { invalid } from '../../domain/errors.ts';
import {
  expiryAfterRefund,
  giftCardKey,
  nextGiftCardBalance,
  refundEntryKinds,
  type GiftCardEntryKind,
} from '../../domain/gift-cards.ts';
import { negate, toPlain, zero, type Amount } from '../../domain/money.ts';
import { noGiftCardWithCode } from '../../domain/refusals/money.ts';
import { recordAudit } from '../audit/record-audit.ts';
import {
  postEntry,
  writeEntry,
  type CreditMoved,
  type CreditMovement,
  type CreditStore,
  type Ledger,
} from '../credit-stores.ts';
import { readCreditScopeOfOrder } from '../credit-stores/read-credit-scope.ts';
import { amount, bigText, integer, orNull, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { shopNow } from '../support/shop-clock.ts';
import { readRefundValidity, renewGiftCard } from './extend-gift-card.ts';
import { newGiftCardCode } from './new-gift-card-code.ts';

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

const lock = sql('move-gift-card.lock')`
  select card_id, website_id, balance, base_currency_code, state, expires_at,
    coalesce(expires_at <= now(), false) as is_expired
  from gift_card where code_key = $codeKey for update`;

const entry = { entryId: bigText, cardId: integer, balanceAfter: amount };

const findByKey = sql('move-gift-card.findByKey', { gives: entry })`
  select entry_id, card_id, balance_after from gift_card_entry where key = $key`;

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

const write = sql('move-gift-card.write', {
  takes: written,
  gives: entry,
})`${writeEntry(tables, written)} select entry_id, card_id, balance_after from e`;

type LockedCard = RowFrom<typeof lock>;

const ledger: Ledger<LockedCard, GiftCardMove, RowFrom<typeof write>> = {
  lock: (em, { code }) => lock.first(em, { codeKey: giftCardKey(code) }),
  open: async (_, { code }) => {
    // The sentence is stored with a failed refund, so it does not contain the full code.
    throw noGiftCardWithCode([maskCode(code)]);
  },
  find: (em, { key }) => findByKey.first(em, { key }),
  async write(em, move, card) {
    const balanceAfter = nextGiftCardBalance({ ...card, currencyCode: card.baseCurrencyCode }, move);
    if (card.isExpired && refundEntryKinds.includes(move.kind)) await renew(em, card);
    const { kind, delta, orderId, reason, key } = move;
    return write.first(em, { cardId: card.cardId, kind, delta, balanceAfter, orderId, reason, key });
  },
};

/** Refunded money must be spendable. Under the card's lock. */
async function renew(em: EntityManager, card: LockedCard): Promise<void> {
  const expiresAt = await expiryOfRefund(em, card);
  if (expiresAt === null) return;
  await renewGiftCard(em, { cardId: card.cardId, from: card.expiresAt, expiresAt });
}

async function expiryOfRefund(em: EntityManager, { websiteId, expiresAt }: LockedCard): Promise<Date | null> {
  const { timeZone, days } = await readRefundValidity(em, websiteId);
  return expiryAfterRefund(expiresAt, shopNow(), { timeZone, days });
}

/** The ledger where money comes back that a card had paid: for a disabled card another one is issued. */
const returning: typeof ledger = {
  ...ledger,
  write: async (em, move, card) =>
    card.state === 'disabled' ? issueInstead(em, move, card) : ledger.write(em, move, card),
};

/**
 * A card in place of a disabled one, with the money of the movement. It lasts at least as long as the disabled card.
 * In the caller's transaction, under the disabled card's lock: the key of its first entry makes it once.
 */
async function issueInstead(em: EntityManager, move: GiftCardMove, card: LockedCard) {
  const code = newGiftCardCode();
  const { websiteId, baseCurrencyCode } = card;
  const expiresAt = await expiryOfRefund(em, card);
  const codeKey = giftCardKey(code);
  const made = await issue.first(em, { code, codeKey, websiteId, baseCurrencyCode, expiresAt });
  if (!made) throw new Error('a new gift card was not written');
  const { cardId } = made;
  const balance = { balance: zero, state: 'active' as const, isExpired: false, currencyCode: baseCurrencyCode };
  const balanceAfter = nextGiftCardBalance({ ...balance, websiteId }, move);
  const { kind, delta, orderId, reason, key } = move;
  await recordAudit(em, {
    entityType: 'gift_card',
    entityId: cardId,
    fieldName: 'balance',
    oldValue: null,
    newValue: `${toPlain(delta)} ${baseCurrencyCode}, in place of gift card ${card.cardId}, which is disabled`,
    changeSource: 'api',
  });
  return write.first(em, { cardId, kind, delta, balanceAfter, orderId, reason, key });
}

const issue = sql('move-gift-card.issue')`
  insert into gift_card (code, code_key, website_id, base_currency_code, expires_at)
  values ($code, $codeKey, $websiteId, $baseCurrencyCode, $expiresAt?) returning card_id`;

/**
 * Gift cards as a credit store for orders. Spent money goes back to its card; an expired card is valid again for the
 * days of `vendor_pos/gift_card/refund_validity_days`, and in place of a disabled one a new card is issued.
 */
export const giftCardStore: CreditStore = {
  kind: 'gift_card',
  providerCode: 'gift_card',

  async spend(em, movement) {
    const scope = await readCreditScopeOfOrder(em, movement.orderId);
    if (scope && !scope.settings.flag('vendor_gift_card/general/enabled'))
      throw invalid('Gift cards are not taken here.');
    const wanted = moveOf(movement, { kind: 'spent', delta: negate(movement.baseAmount) });
    return wanted === undefined ? unmoved(movement) : told(await moveGiftCard(em, wanted));
  },

  async giveBack(em, movement) {
    const wanted = moveOf(movement, { kind: 'returned', delta: movement.baseAmount });
    if (wanted === undefined) return unmoved(movement);
    const { account: card, entry, isRepeat } = await postEntry(em, returning, wanted);
    if (entry.cardId !== card.cardId) {
      const issued = await findCode.first(em, { cardId: entry.cardId });
      if (!issued) throw new Error(`no gift card ${entry.cardId}`);
      return { ...told(entry), issuedCard: { cardId: entry.cardId, code: issued.code } };
    }
    return card.isExpired && !isRepeat ? { ...told(entry), ...(await renewedTo(em, card)) } : told(entry);
  },
};

const told = ({ entryId, balanceAfter }: Pick<GiftCardMoved, 'entryId' | 'balanceAfter'>): CreditMoved => ({
  balanceAfter,
  transactionId: `gift-card-entry-${entryId}`,
});

/** A fraction of a cent in the order's currency may be zero in the base currency. */
const unmoved = ({ key }: CreditMovement): CreditMoved => ({ balanceAfter: null, transactionId: key });

/** Undefined: nothing moves. */
function moveOf(
  { key, code, websiteId, orderId, reason, currencyCode }: CreditMovement,
  { kind, delta }: { kind: GiftCardEntryKind; delta: Amount },
): GiftCardMove | undefined {
  if (code === null || code.trim() === '') throw invalid('A gift card is spent by its code.');
  if (delta === 0) return undefined;
  // A key allows one movement in each direction.
  return { code, websiteId, currencyCode, orderId, reason, kind, delta, key: `${kind}:${key}` };
}

const findCode = sql('move-gift-card.findCode')`select code, expires_at from gift_card where card_id = $cardId`;

async function renewedTo(em: EntityManager, { cardId }: LockedCard): Promise<Pick<CreditMoved, 'renewedUntil'>> {
  const row = await findCode.first(em, { cardId });
  return row?.expiresAt ? { renewedUntil: row.expiresAt } : {};
}
