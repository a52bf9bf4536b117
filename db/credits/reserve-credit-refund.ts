import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { invalid } from '../../domain/errors.ts';
import { moneyText } from '../../domain/currency-texts.ts';
import { greatest, isPositive, least, subtract, toPlain, zero, type Amount } from '../../domain/money.ts';
import { postedInOrderCurrency } from '../../domain/platform/credit-memos/credit-memo-figures.ts';
import { amountNotPositive, orderOfAnotherCustomer } from '../../domain/refusals/money.ts';
import { noSuchOrder } from '../../domain/refusals/platform.ts';
import { refuseFinerThanCoin } from '../../domain/whole-coins.ts';
import { mayBecomeCredit, waysBack } from '../../domain/returns/resolution.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { refuseTooLate } from '../support/begin-before.ts';

import { rowOf } from '../support/rows.ts';
import { keep, cached, saveRows } from '../support/save-rows.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { CreditRefund, type CreditRefundRow } from './credit.entity.ts';

const refund = rowOf(CreditRefund, 'r');

/** A refund to credit by the key of its request. */
export const findCreditRefund = async (
  em: EntityManager,
  named: { orderId: number; requestKey: string },
): Promise<CreditRefundRow | undefined> => (await byKey.first(em, named))?.refund;

const byKey = sql('reserve-credit-refund.byKey', { gives: { refund } })`
  select ${refund.columns} from credit_refund r where r.order_id = $orderId and r.request_key = $requestKey`;

/** One refund to credit, with the number of its order. Throws for an id that is not there: nothing deletes one. */
export async function creditRefundOf(
  em: EntityManager,
  refundId: number,
): Promise<{ refund: CreditRefundRow; incrementId: string }> {
  const found = await byId.first(em, { refundId });
  if (!found) throw new Error(`no refund to credit ${refundId}`);
  return found;
}

const byId = sql('reserve-credit-refund.byId', { gives: { refund } })`
  select ${refund.columns}, o.increment_id
  from credit_refund r join sales_order o on o.entity_id = r.order_id where r.refund_id = $refundId`;

/** Locks a refund to credit and reads it again; `saveRows` writes its changes. */
async function lockCreditRefund(em: EntityManager, refundId: number): Promise<CreditRefundRow> {
  const found = await lock.first(em, { refundId });
  if (!found) throw new Error(`no refund to credit ${refundId}`);
  return keep(found.refund);
}

const lock = sql('reserve-credit-refund.lock', { gives: { refund } })`
  select ${refund.columns} from credit_refund r where r.refund_id = $refundId for update`;

/** Money in the order's currency and in the base currency. */
export interface MoneyForCredit {
  amount: Amount;
  baseAmount: Amount;
}

/**
 * How much of an order's refunds may still be issued as credit: what its memos gave back without a tender, less every
 * refund to credit that did not fail. Read it under the order lock before issuing.
 *
 * Money of a refund under way does not count, because it has no memo yet.
 */
async function readMoneyForCredit(em: EntityManager, orderId: number): Promise<MoneyForCredit> {
  const ways = waysBack.filter((way) => mayBecomeCredit[way]);
  const found = await selectCreditRefund.first(em, { orderId, ways });
  if (!found) return { amount: zero, baseAmount: zero };
  return {
    amount: greatest(zero, subtract(found.handedBack, found.credited)),
    baseAmount: greatest(zero, subtract(found.baseHandedBack, found.baseCredited)),
  };
}

/**
 * A memo of a return went back as the return was settled; a memo of a collapsed return without a return, as that one
 * decided.
 */
const selectCreditRefund = sql('reserve-credit-refund.selectCreditRefund')`
  select m.handed_back, m.base_handed_back, c.credited, c.base_credited
  from (
    select coalesce(sum(memo.grand_total - legs.amount), 0) as handed_back,
           coalesce(sum(memo.base_grand_total - legs.base_amount), 0) as base_handed_back
    from sales_creditmemo memo
    cross join lateral (
      select coalesce(sum(r.amount), 0) as amount, coalesce(sum(r.base_amount), 0) as base_amount
      from order_credit_return r join order_credit o on o.credit_id = r.credit_id
      where r.credit_memo_id = memo.entity_id and o.applies_as = 'tender'
    ) legs
    where memo.order_id = $orderId and memo.state <> 3 and memo.figures_from <> 'save' and coalesce(
      case when memo.is_online or memo.refund_attempt_id is not null then 'original_payment' end,
      (select 'layaway' from layaway_cancellation where credit_memo_id = memo.entity_id),
      (select min(coalesce(refund_method, 'cash')) from sale_return where credit_memo_id = memo.entity_id),
      (select min(case resolution when 'refund' then 'cash' else resolution end) from return_process
        where credit_memo_id = memo.entity_id),
      case when memo.transaction_id is not null then 'referenced' else 'by_hand' end) = any($ways)
  ) m
  cross join (
    select coalesce(sum(amount), 0) as credited, coalesce(sum(base_amount), 0) as base_credited
    from credit_refund where order_id = $orderId and state <> 'failed'
  ) c`;

/** A requested refund to a credit balance. */
export interface RequestedCreditRefund {
  orderId: number;
  kind: CreditKind;
  providerCode: string;
  /** The present base currency of the order's website. */
  baseCurrencyCode: string;
  websiteId: number;
  /** Null: the order's customer. */
  customerId: number | null;
  /** Only for a gift card. */
  code: string | null;
  /** In the order's currency. */
  amount: Amount;
  reason: string;
  /** The same key is the same refund; null: each call is a new refund. */
  requestKey: string | null;
}

/**
 * Reserves a refund to a credit balance under the order lock, before any provider is asked (spec 4.6).
 *
 * All refunds to credit together, including reserved ones, never exceed the memos' money that no tender gave back:
 * see `readMoneyForCredit`. Counted in coins, in both currencies. Safe to repeat with a request key: the first
 * reservation is answered, in its present state.
 *
 * Refused with: 404 unknown order · 503 the moment has passed until which it may begin · 400 as `judgeCreditRefund`,
 * and a request key that was used for another refund.
 *
 * @param beginBefore absent: its caller waits for it in this process
 */
export const reserveCreditRefund = (
  em: EntityManager,
  input: RequestedCreditRefund,
  beginBefore?: string,
): Promise<CreditRefundRow> =>
  transact(em, async (tx) => {
    const order = await lockOrder(tx, input.orderId);
    const known = await knownCreditRefund(tx, order, input);
    if (known) return known;
    if (beginBefore !== undefined) await refuseTooLate(tx, beginBefore);
    const judged = await judgeCreditRefund(tx, order, input);
    const drawn = await draw.first(tx);
    if (!drawn) throw new Error('no name for a refund to credit');
    const { orderId, kind, providerCode, code, websiteId, reason, requestKey } = input;
    const row: CreditRefundRow = {
      ...drawn,
      ...{ orderId, kind, providerCode, code, websiteId, reason, requestKey },
      ...judged,
      currencyCode: order.orderCurrencyCode,
      baseCurrencyCode: order.baseCurrencyCode,
      state: 'reserved',
      transactionId: null,
      remainingBalance: null,
      message: null,
      concludedAt: null,
    };
    await insertRows(tx, [into(CreditRefund, [row])]);
    return row;
  });

/**
 * What an earlier run of the same request reserved, in its present state; undefined: nothing. Refused with: 400 a
 * request key that was used for another refund.
 */
export async function knownCreditRefund(
  em: EntityManager,
  order: LockedOrder,
  requested: RequestedCreditRefund,
): Promise<CreditRefundRow | undefined> {
  const { orderId, requestKey, kind, providerCode, code } = requested;
  const known = requestKey === null ? undefined : await findCreditRefund(em, { orderId, requestKey });
  if (!known) return undefined;
  const isSame =
    known.amount === requested.amount &&
    known.kind === kind &&
    known.providerCode === providerCode &&
    (known.code ?? null) === code &&
    (known.customerId ?? null) === ownerOf(order, requested);
  if (!isSame) throw invalid('This request already asked for another refund.');
  return known;
}

/**
 * Whose credit it is, and what it comes to. With an order that is not locked it only judges.
 *
 * Refused with: 400 an amount that is not above zero, finer than a coin or more than is left, no owner, a customer other than the order's,
 * no card code, another base currency.
 */
export async function judgeCreditRefund(
  em: EntityManager,
  order: LockedOrder,
  requested: RequestedCreditRefund,
): Promise<Pick<CreditRefundRow, 'customerId' | 'amount' | 'baseAmount'>> {
  const { kind, code, baseCurrencyCode } = requested;
  const { amount } = requested;
  const own = order.customerId ?? null;
  const customerId = ownerOf(order, requested);
  if (!isPositive(amount)) throw amountNotPositive();
  refuseFinerThanCoin(amount, order.orderCurrencyCode);
  if (baseCurrencyCode !== order.baseCurrencyCode)
    throw invalid('Currency mismatch: the order is in %1 and credit is in %2.', [
      order.baseCurrencyCode,
      baseCurrencyCode,
    ]);
  if (own !== null && customerId !== own) throw orderOfAnotherCustomer([customerId]);
  if (kind === 'gift_card' && !code?.trim()) throw invalid('A refund to a gift card needs its code.');
  if (kind !== 'gift_card' && customerId === null) throw invalid('This credit belongs to a customer; name one.');
  return { customerId, amount, baseAmount: await baseWithin(em, order, amount) };
}

const ownerOf = (order: LockedOrder, { customerId }: RequestedCreditRefund) => customerId ?? order.customerId ?? null;

/**
 * Converts an amount of the order's currency into the base currency. It is at most what is left there, and the last
 * amount takes all of that. Refused with 400: more than is left, or zero in base.
 */
async function baseWithin(em: EntityManager, order: LockedOrder, amount: Amount): Promise<Amount> {
  const left = await readMoneyForCredit(em, order.entityId);
  if (amount > left.amount)
    throw invalid('The amount %1 exceeds the remaining refundable amount %2.', [toPlain(amount), toPlain(left.amount)]);
  const { base } = postedInOrderCurrency(amount, order);
  const inBase = amount === left.amount ? left.baseAmount : least(base, left.baseAmount);
  if (!isPositive(inBase)) throw amountNotPositive();
  return inBase;
}

const draw = sql('reserve-credit-refund.draw')`
  select nextval('credit_refund_refund_id_seq') as refund_id, new_name_tail() as name_tail, now() as created_at`;

/** What must not be read on the pages of Temporal: a card's code is as good as money, and people wrote the reason. */
export interface CreditWords {
  code: string | null;
  reason: string;
}

const purpose = 'refund to credit';

export const sealCreditWords = (box: SecretBox, words: CreditWords): string => box.seal(JSON.stringify(words), purpose);

/** Throws where another secret key sealed it: a fault of the set-up. */
export function openCreditWords(box: SecretBox, sealed: string): CreditWords {
  const words: CreditWords = JSON.parse(box.open(sealed, purpose));
  return words;
}

/** A provider's answer to a reserved refund. */
export interface CreditRefundConclusion {
  refundId: number;
  state: 'booked' | 'failed';
  transactionId?: string;
  remainingBalance?: Amount | null;
  message?: string;
}

/**
 * Books or releases a reservation. A booked one stays booked, whatever arrives later. A failed one is still booked
 * when a rival with the same key turns out to have given the credit.
 */
export const concludeCreditRefund = (
  em: EntityManager,
  { refundId, state, transactionId, remainingBalance, message }: CreditRefundConclusion,
): Promise<CreditRefundRow> =>
  transact(em, async (tx) => {
    const row = await lockCreditRefund(tx, refundId);
    if (row.state === 'booked' || row.state === state) return row;
    const { orderId } = row;
    row.state = state;
    row.concludedAt = shopNow();
    row.transactionId = transactionId ?? null;
    row.remainingBalance = remainingBalance ?? null;
    row.message = message?.slice(0, 1_000) ?? null;
    if (state === 'booked')
      await addOrderComment(tx, { orderId, comment: historyLine(row), status: await statusOf(tx, orderId) });
    await saveRows(tx, [cached(CreditRefund, [row])]);
    return row;
  });

async function statusOf(em: EntityManager, orderId: number): Promise<string> {
  const order = await readStatus.first(em, { orderId });
  if (!order) throw noSuchOrder(orderId);
  return order.status;
}

const readStatus = sql('reserve-credit-refund.readStatus')`select status from sales_order where entity_id = $orderId`;

const words = { store_credit: 'store credit', gift_card: 'a gift card', reward_points: 'reward points' } as const;

const historyLine = ({ kind, amount, currencyCode }: CreditRefundRow) =>
  `Gave ${moneyText(amount, currencyCode)} to ${words[kind]}.`;
