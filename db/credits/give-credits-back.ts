import type { EntityManager } from '@mikro-orm/postgresql';
import { isSomething, maskCode, type CreditLeg } from '../../domain/credits/applied-credit.ts';
import { add } from '../../domain/money/amount.ts';
import { moneyText } from '../../domain/money/money-text.ts';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { orderComments, type NewOrderComment } from '../platform/orders/add-order-comment.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import type { CreditMovement, CreditStore } from '../credit-stores/credit-store.ts';
import { creditStores } from './credit-stores.ts';
import type { NewRowOf } from '../support/entity-columns.ts';
import { integer, texts } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { readCreditRows, saveOrderCredits, type CreditRow } from './order-credit-rows.ts';
import { OrderCreditReturn } from './order-credit.entity.ts';
import { shopNow } from '../support/shop-clock.ts';

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
 * Safe to repeat for a memo: a leg is given back once per memo and credit. An outside provider is not called here:
 * its leg is recorded as pending, and a sweep sends it under the same key. More than is left of a credit is refused
 * by the database itself.
 */
export async function giveCreditsBack(
  em: EntityManager,
  { order, creditMemoId, legs, actor = {} }: CreditsToGiveBack,
  stores: readonly CreditStore[] = creditStores,
): Promise<void> {
  const given = legs.filter(isSomething);
  if (given.length === 0) return;
  const credits = await readCreditRows(em, order.entityId);
  const reason = await reasonOf(em, order, creditMemoId);
  const wanted = inLockOrder(given, credits).map((one) => ({ ...one, returnKey: keyOf(one.credit, creditMemoId) }));
  const done = await returned.all(em, { returnKeys: wanted.map(({ returnKey }) => returnKey) });
  const returns: NewRowOf<typeof OrderCreditReturn>[] = [];
  const said: NewOrderComment[] = [];
  for (const { leg, credit, returnKey } of wanted) {
    if (done.some((one) => one.returnKey === returnKey)) continue;
    const store = stores.find((one) => one.providerCode === credit.providerCode);
    if (store && movesBalance(leg))
      await store.giveBack(em, movementOf({ order, credit, leg, returnKey, reason, actor }));
    credit.baseReturned = add(credit.baseReturned, leg.baseAmount);
    credit.amountReturned = add(credit.amountReturned, leg.amount);
    credit.pointsReturned += leg.points ?? 0;
    const { creditId } = credit;
    const { baseAmount, amount, points } = leg;
    if (creditMemoId === null && credit.appliesAs === 'tender') countWithoutMemo(order, leg);
    const state = store ? 'booked' : 'pending';
    const now = { createdAt: shopNow(), updatedAt: shopNow() };
    returns.push({ creditId, creditMemoId, baseAmount, amount, points, returnKey, state, ...now });
    const comment = historyLine({ leg, credit }, order.orderCurrencyCode);
    said.push({ orderId: order.entityId, comment, status: order.status });
  }
  await saveOrderCredits(em, credits);
  await insertRows(em, [into(OrderCreditReturn, returns), orderComments(said)]);
}

const returned = statement({
  takes: { returnKeys: texts },
  gives: of(OrderCreditReturn, 'returnKey'),
  text: 'select return_key from order_credit_return where return_key = any($returnKeys)',
});

/** A payment given back without a memo: the order's own total keeps later memos from giving it back again. */
export function countWithoutMemo(order: LockedOrder, { amount, baseAmount }: Pick<CreditLeg, 'amount' | 'baseAmount'>) {
  order.returnedWithoutMemo = add(order.returnedWithoutMemo, amount);
  order.baseReturnedWithoutMemo = add(order.baseReturnedWithoutMemo, baseAmount);
}

interface Given {
  leg: CreditLeg;
  credit: CreditRow;
}

/** The same order in every transaction: by store, customer, website and card, so that no two deadlock. */
function inLockOrder(legs: readonly CreditLeg[], credits: readonly CreditRow[]): Given[] {
  const given = legs.map((leg) => {
    const credit = credits.find(({ creditId }) => creditId === leg.creditId);
    if (!credit) throw new Error(`credit ${leg.creditId} does not belong to this order`);
    return { leg, credit };
  });
  return given.toSorted((one, other) => compareCredits(one.credit, other.credit));
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

interface Parts extends Given {
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

const memoOf = statement({
  takes: { creditMemoId: integer },
  gives: of(CreditMemo, 'incrementId'),
  text: 'select increment_id from sales_creditmemo where entity_id = $creditMemoId',
});

function historyLine({ leg, credit }: Given, currencyCode: string): string {
  const worth = moneyText(leg.amount, currencyCode);
  if (leg.points !== null) return `Gave back ${leg.points} reward points, worth ${worth}.`;
  const where = leg.kind === 'gift_card' ? `gift card ${maskCode(credit.code ?? '')}` : 'store credit';
  return `Gave back ${worth} to ${where}.`;
}
