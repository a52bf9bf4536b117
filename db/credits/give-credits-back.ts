import type { EntityManager } from '@mikro-orm/postgresql';
import {
  cancelledGoods,
  handbackOf,
  isSomething,
  maskCode,
  type AppliedCredit,
  type CreditLeg,
} from '../../domain/credits/applied-credit.ts';
import { legsOfRefund, type RefundedGoods, type RefundToSplit } from '../../domain/credits/credit-legs.ts';
import { moneyText } from '../../domain/currency-texts.ts';
import {
  add,
  amount as toAmount,
  coinsOf,
  inBoth,
  subtract,
  zero,
  type Amount,
  type InBoth,
} from '../../domain/money.ts';
import type { WalletActor } from '../../domain/store-credit.ts';
import type { CreditMoved, CreditMovement, CreditStore } from '../credit-stores.ts';
import { giftCardStore } from '../gift-cards/move-gift-card.ts';
import { outsideName } from '../installation/outside-name.ts';
import { lowerCreditDue } from '../orders/lower-credit-due.ts';
import {
  bookCreditMemo,
  type BookedMemo,
  type CreditMemoBooking,
  type MemoHook,
} from '../platform/credit-memos/book-credit-memo.ts';
import { moneyOfOrder, orderComments, type NewOrderComment } from '../platform/orders/add-order-comment.ts';
import type { LockedOrder, OrderRow } from '../platform/orders/lock-order.ts';
import { pointsStore } from '../reward-points/move-points.ts';
import { walletStore } from '../store-credit/add-entry.ts';
import { type NewRowOf, type RowOf } from '../support/entity-columns.ts';
import { rowOf } from '../support/rows.ts';
import { keep, cached, saveRows } from '../support/save-rows.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { OrderCredit, OrderCreditReturn, type CreditRefundRow } from './credit.entity.ts';
import type { CreditMemoFigures } from '../../domain/platform/credit-memos/credit-memo-figures.ts';

/** The stores of credit in our own database; of one kind the first is the active one. */
export const creditStores: readonly CreditStore[] = [walletStore, giftCardStore, pointsStore];

type CreditRow = RowOf<typeof OrderCredit>;

const credit = rowOf(OrderCredit, 'c');

/**
 * The credits an order was paid with, in the order they were posted. The order's lock covers them; `saveOrderCredits`
 * writes their changes.
 */
export const readCreditRows = async (em: EntityManager, orderId: number): Promise<CreditRow[]> =>
  (await selectCreditsBack.all(em, { orderId })).map((row) => keep(row.credit));

const selectCreditsBack = sql('give-credits-back.selectCreditsBack', { gives: { credit } })`
  select ${credit.columns} from order_credit c where c.order_id = $orderId order by c.credit_id`;

export const saveOrderCredits = (em: EntityManager, credits: readonly CreditRow[]): Promise<void> =>
  saveRows(em, [cached(OrderCredit, credits)]);

export interface CreditsToGiveBack {
  /** Locked by this transaction. */
  order: LockedOrder;
  /** The memo that gives them back; null for an order that was cancelled without one. */
  creditMemoId: number | null;
  legs: readonly CreditLeg[];
  /** The owner of the token; absent where the shop itself acts, as a workflow does. */
  actor?: WalletActor;
}

/**
 * Gives credit legs of an order back, in the caller's transaction and under the order lock. It writes the credits'
 * totals, a record of each leg, and the stores' rows in ascending order.
 *
 * A gift card that is disabled gets nothing: a new card is issued, and the credit's later refunds go there.
 *
 * Safe to repeat for a memo: a leg is given back once per memo and credit, and a card issued once. An outside provider is not called here:
 * its leg is recorded as pending, and a sweep sends it under the same key. More than is left of a credit is refused
 * by the database itself.
 *
 * @returns the legs, each with the id of the gift card that was issued for it, if any
 */
export async function giveCreditsBack(
  em: EntityManager,
  { order, creditMemoId, legs, actor = {} }: CreditsToGiveBack,
  stores: readonly CreditStore[] = creditStores,
): Promise<CreditLeg[]> {
  const someLegs = legs.filter(isSomething);
  if (someLegs.length === 0) return [];
  const credits = await readCreditRows(em, order.entityId);
  const reason = await reasonOf(em, order, creditMemoId);
  const requested = inLockOrder(someLegs, credits).map((one) => ({
    ...one,
    returnKey: keyOf(one.credit, creditMemoId),
  }));
  const done = await returned.all(em, { returnKeys: requested.map(({ returnKey }) => returnKey) });
  const returns: NewRowOf<typeof OrderCreditReturn>[] = [];
  const comments: NewOrderComment[] = [];
  const issuedCards = new Map(done.map((row) => [row.returnKey, row.issuedCardId]));
  for (const { leg, credit, returnKey } of requested) {
    if (done.some((one) => one.returnKey === returnKey)) continue;
    const store = stores.find((one) => one.providerCode === credit.providerCode);
    const moved =
      store && movesBalance(leg)
        ? await store.giveBack(em, movementOf({ order, credit, leg, returnKey, reason, actor }))
        : undefined;
    const comment = historyLine({ leg, credit, moved }, order.orderCurrencyCode);
    const issuedCardId = moved?.issuedCard?.cardId ?? null;
    issuedCards.set(returnKey, issuedCardId);
    // Later refunds of the order go to the card that was issued.
    if (moved?.issuedCard) credit.code = moved.issuedCard.code;
    credit.baseReturned = add(credit.baseReturned, leg.baseAmount);
    credit.amountReturned = add(credit.amountReturned, leg.amount);
    credit.pointsReturned += leg.points ?? 0;
    const { creditId } = credit;
    const { baseAmount, amount, points } = leg;
    if (creditMemoId === null && credit.appliesAs === 'tender') countWithoutMemo(order, leg);
    const state = store ? 'booked' : 'pending';
    const now = { createdAt: shopNow(), updatedAt: shopNow() };
    returns.push({ creditId, creditMemoId, baseAmount, amount, points, returnKey, issuedCardId, state, ...now });
    comments.push({ orderId: order.entityId, comment, status: order.status });
  }
  await saveOrderCredits(em, credits);
  await insertRows(em, [into(OrderCreditReturn, returns), orderComments(comments)]);
  const keys = new Map(requested.map(({ leg, returnKey }) => [leg, returnKey]));
  return someLegs.map((leg) => {
    const newCardId = issuedCards.get(keys.get(leg) ?? '');
    return newCardId == null ? leg : { ...leg, newCardId };
  });
}

const returned = sql('give-credits-back.returned')`
  select return_key, issued_card_id from order_credit_return where return_key = any($returnKeys)`;

/** A payment given back without a memo: the order's own total keeps later memos from giving it back again. */
export function countWithoutMemo(order: LockedOrder, { amount, baseAmount }: Pick<CreditLeg, 'amount' | 'baseAmount'>) {
  order.returnedWithoutMemo = add(order.returnedWithoutMemo, amount);
  order.baseReturnedWithoutMemo = add(order.baseReturnedWithoutMemo, baseAmount);
}

interface Input {
  leg: CreditLeg;
  credit: CreditRow;
}

/** The same order in every transaction: by store, customer, website and card, so that no two deadlock. */
function inLockOrder(legs: readonly CreditLeg[], credits: readonly CreditRow[]): Input[] {
  const input = legs.map((leg) => {
    const credit = credits.find(({ creditId }) => creditId === leg.creditId);
    if (!credit) throw new Error(`credit ${leg.creditId} does not belong to this order`);
    return { leg, credit };
  });
  return input.toSorted((one, other) => compareCredits(one.credit, other.credit));
}

/** The order in which rows of credit stores are locked. */
export const compareCredits = (one: CreditPlace, other: CreditPlace): number =>
  compareTexts(one.providerCode, other.providerCode) ||
  (one.customerId ?? 0) - (other.customerId ?? 0) ||
  one.websiteId - other.websiteId ||
  compareTexts(one.code ?? '', other.code ?? '');

type CreditPlace = Pick<CreditRow, 'providerCode' | 'customerId' | 'websiteId' | 'code'>;

const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Without a memo, the amount given back before distinguishes one cancellation from the next. */
const keyOf = ({ creditId, baseReturned, pointsReturned }: CreditRow, creditMemoId: number | null) =>
  creditMemoId === null
    ? `cancel-credit-${creditId}-after-${baseReturned}-${pointsReturned}`
    : `memo-${creditMemoId}-credit-${creditId}`;

/** A leg of a cent in one currency only, or of less than a point, is recorded and moves no balance. */
const movesBalance = ({ kind, baseAmount, points }: CreditLeg) =>
  kind === 'reward_points' ? (points ?? 0) > 0 : baseAmount > 0;

interface Parts extends Input {
  order: LockedOrder;
  returnKey: string;
  reason: string;
  actor: WalletActor;
}

const movementOf = ({ order, credit, leg, returnKey, reason, actor }: Parts): CreditMovement => ({
  key: returnKey,
  orderId: order.entityId,
  customerId: credit.customerId,
  websiteId: credit.websiteId,
  code: credit.code,
  baseAmount: leg.baseAmount,
  amount: leg.amount,
  points: leg.points,
  currencyCode: order.baseCurrencyCode,
  reason,
  actor,
});

async function reasonOf(em: EntityManager, order: LockedOrder, creditMemoId: number | null): Promise<string> {
  if (creditMemoId === null) return `Given back: order ${order.incrementId} was cancelled`;
  const memo = await memoOf.first(em, { creditMemoId });
  if (!memo) throw new Error(`no credit memo ${creditMemoId}`);
  return `Given back with credit memo ${memo.incrementId} of order ${order.incrementId}`;
}

const memoOf = sql('give-credits-back.memoOf')`
  select increment_id from sales_creditmemo where entity_id = $creditMemoId`;

function historyLine({ leg, credit, moved }: Input & { moved: CreditMoved | undefined }, currencyCode: string): string {
  const worth = moneyText(leg.amount, currencyCode);
  if (leg.points !== null) return `Gave back ${leg.points} reward points, worth ${worth}.`;
  if (leg.kind !== 'gift_card') return `Gave back ${worth} to store credit.`;
  const card = `gift card ${maskCode(credit.code ?? '')}`;
  if (moved?.issuedCard)
    return `Gave back ${worth} on the new gift card ${maskCode(moved.issuedCard.code)}: ${card} is disabled.`;
  const renewed = moved?.renewedUntil ? ` It had expired and is valid until ${moved.renewedUntil.toISOString()}.` : '';
  return `Gave back ${worth} to ${card}.${renewed}`;
}

/** What its provider knows a refund to credit by: for ever the same, so that asking again gives nothing twice. */
export const creditRefundKey = ({ refundId, nameTail }: Pick<CreditRefundRow, 'refundId' | 'nameTail'>): string =>
  outsideName(`credit-refund-${refundId}`, nameTail);

/**
 * The credits of an order as a refund needs them, in the order they were posted. Amounts promised to refunds under
 * way count as given back. Read it under the order lock before changing anything.
 */
export async function readOrderCredits(em: EntityManager, orderId: number): Promise<AppliedCredit[]> {
  const credits = await readCreditRows(em, orderId);
  return credits.map((credit) => ({
    creditId: credit.creditId,
    kind: credit.kind,
    providerCode: credit.providerCode,
    appliesAs: credit.appliesAs,
    code: credit.code,
    baseAmount: credit.baseAmount,
    amount: credit.amount,
    points: credit.points,
    baseReturned: add(credit.baseReturned, credit.baseReserved),
    amountReturned: add(credit.amountReturned, credit.amountReserved),
    pointsReturned: credit.pointsReturned + credit.pointsReserved,
  }));
}

/** What gateway refunds under way have promised: their memos' totals, and the goods of those memos. */
interface PendingRefunds {
  /** In the order's currency; the base is the order's own `basePendingRefund`. */
  refund: Amount;
  /** Rows ex tax, in the base currency. */
  baseGoods: Amount;
}

const none: PendingRefunds = { refund: zero, baseGoods: zero };

/** Queries only where the order has pending refunds. */
export async function readPendingRefunds(
  em: EntityManager,
  { entityId, basePendingRefund }: Pick<OrderRow, 'entityId' | 'basePendingRefund'>,
): Promise<PendingRefunds> {
  if (basePendingRefund === zero) return none;
  const row = await selectPendingRefunds.first(em, { orderId: entityId });
  return row ? { refund: row.refund, baseGoods: toAmount(row.baseGoods) } : none;
}

/** A stored plan has its money in 1/10 000. */
const selectPendingRefunds = sql('give-credits-back.selectPendingRefunds')`
  select coalesce(sum(amount + credited), 0) as refund,
    coalesce(sum((plan ->> 'baseGoods')::bigint), 0)::bigint as base_goods
  from refund_attempt where order_id = $orderId and state in ('started', 'uncertain') and head_attempt_id is null`;

/** A credit memo's total and its split: to the credits that paid the order, and the rest to its tender. */
export interface RefundSplit {
  refund: InBoth;
  legs: CreditLeg[];
  handback: InBoth;
}

/**
 * Splits a credit memo that is computed but not booked yet. Preview, settlement, refund attempt and the platform's
 * own memos all use it, so their results agree.
 *
 * Refunds under way count as given back. For a preview the order need not be locked.
 */
export async function splitRefund(
  em: EntityManager,
  order: LockedOrder,
  figures: CreditMemoFigures,
): Promise<RefundSplit> {
  const refund = { base: figures.base.grandTotal, order: figures.order.grandTotal };
  const credits = await readOrderCredits(em, order.entityId);
  const legs = credits.length === 0 ? [] : legsOfRefund(await toSplit(em, { order, figures, refund, credits }));
  return { refund, legs, handback: handbackOf(refund, legs, coinsOf(order)) };
}

interface SplitRefundParts extends Pick<RefundToSplit, 'refund' | 'credits'> {
  order: LockedOrder;
  figures: CreditMemoFigures;
}

async function toSplit(
  em: EntityManager,
  { order, figures, refund, credits }: SplitRefundParts,
): Promise<RefundToSplit> {
  const pending = await readPendingRefunds(em, order);
  const money = moneyOfOrder(order);
  const underWay = { base: order.basePendingRefund, order: pending.refund };
  return {
    credits,
    coins: coinsOf(order),
    refund,
    paid: inBoth((currency) => money[currency].paid),
    refunded: inBoth((currency) => add(money[currency].returned, underWay[currency])),
    goods: { ...refundedGoods(order, pending), refund: goodsOf(figures) },
  };
}

/** The goods of an order, and the part that was refunded or cancelled; refunds under way count as refunded. */
export function refundedGoods(order: LockedOrder, { baseGoods }: Pick<PendingRefunds, 'baseGoods'>): RefundedGoods {
  const lines = order.lines.filter((line) => line.parentItemId == null);
  const total = add(zero, ...lines.map((line) => line.baseRowTotal));
  const refunded = add(baseGoods, ...lines.map((line) => line.baseAmountRefunded));
  // A save that cancels an order does not change its lines.
  if (order.state === 'canceled') return { total, refunded, cancelled: subtract(total, refunded) };
  return { total, refunded, cancelled: add(zero, ...lines.map(cancelledGoods)) };
}

/** The goods of a memo: its rows ex tax, in the base currency. */
export const goodsOf = ({ lines }: CreditMemoFigures) => add(zero, ...lines.map(({ base }) => base.rowTotal));

/**
 * For memos of the platform's own routes: they give credit back as every other memo does.
 *
 * @param actor the owner of the token
 */
export const giveBackWithMemo =
  (actor: WalletActor = {}): MemoHook =>
  async (em, { order, figures }) => {
    const { legs } = await splitRefund(em, order, figures);
    return async (memo) => {
      await giveCreditsBack(em, { order, creditMemoId: memo.entityId, legs, actor });
    };
  };

/**
 * Books a credit memo and gives its credit legs back, in the caller's transaction and under the order lock. Refusals
 * and repeats as for `bookCreditMemo`.
 *
 * @param planned legs that were decided and reserved before; absent: computed now, as for a preview
 */
export async function bookMemoWithCredits(
  em: EntityManager,
  booking: CreditMemoBooking,
  planned?: readonly CreditLeg[],
): Promise<{ memo: BookedMemo; legs: readonly CreditLeg[] }> {
  let legs: readonly CreditLeg[] = [];
  const giveBack: MemoHook = async (_em, { order, figures }) => {
    const split = planned ?? (await splitRefund(em, order, figures)).legs;
    return async (memo) => {
      legs = await giveCreditsBack(em, { order, creditMemoId: memo.entityId, legs: split });
    };
  };
  const memo = await bookCreditMemo(em, { ...booking, hooks: [giveBack, lowerCreditDue] });
  return { memo, legs };
}
