import type { EntityManager } from '@mikro-orm/postgresql';
import { maskCode } from '../../domain/credits/applied-credit.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import {
  giftCardKey,
  nextGiftCardBalance,
  type GiftCardEntryKind,
  type GiftCardState,
} from '../../domain/gift-cards/gift-card.ts';
import { formatAmount, money, type Amount } from '../../domain/money/amount.ts';
import { query } from '../support/query.ts';

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
  const known = await findByKey(em, move.key);
  if (known) return answerOf(known, card);
  const standing = {
    balance: money(card.balance),
    state: card.state,
    isExpired: card.is_expired,
    websiteId: card.website_id,
    currencyCode: card.base_currency_code,
  };
  const balanceAfter = nextGiftCardBalance(standing, move);
  const [written] = await query<EntryRow>(em, writeText, [
    card.card_id,
    move.kind,
    formatAmount(move.delta),
    formatAmount(balanceAfter),
    move.orderId,
    move.reason,
    move.key,
  ]);
  if (!written) throw new Error('an entry of a gift card was written and is not there');
  return answerOf(written, card);
}

interface LockedCard {
  card_id: number;
  website_id: number;
  balance: string;
  base_currency_code: string;
  state: GiftCardState;
  is_expired: boolean;
}

interface EntryRow {
  entry_id: string;
  card_id: number;
  balance_after: string;
}

/** Whoever waited reads the balance that the one before left. */
const lockText = `
select card_id, website_id, balance, base_currency_code, state, coalesce(expires_at <= now(), false) as is_expired
from gift_card where code_key = $1 for update`;

async function lockCard(em: EntityManager, code: string): Promise<LockedCard> {
  const [card] = await query<LockedCard>(em, lockText, [giftCardKey(code)]);
  // The sentence is kept with a refund that failed, so it does not tell the code.
  if (!card) throw notFound('Gift card with code %1 not found.', [maskCode(code)]);
  return card;
}

/** Asked for after the lock: only a statement that begins then sees what the one before wrote. */
const keyText = `select entry_id, card_id, balance_after from gift_card_entry where key = $1`;

async function findByKey(em: EntityManager, key: string): Promise<EntryRow | undefined> {
  const [entry] = await query<EntryRow>(em, keyText, [key]);
  return entry;
}

const writeText = `
with e as (
  insert into gift_card_entry (card_id, kind, delta, balance_after, order_id, reason, key)
  values ($1, $2, $3, $4, $5, $6, $7) returning *
), booked as (
  update gift_card c set balance = e.balance_after, updated_at = e.created_at from e where c.card_id = e.card_id
)
select entry_id, card_id, balance_after from e`;

function answerOf(entry: EntryRow, card: LockedCard): GiftCardMoved {
  if (entry.card_id !== card.card_id) throw invalid('This key already moved another gift card.');
  return {
    entryId: entry.entry_id,
    balanceAfter: money(entry.balance_after),
    currencyCode: card.base_currency_code,
  };
}
