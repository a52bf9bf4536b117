import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { invalid, noSuchOrder } from '../../domain/errors.ts';
import { type Amount, isPositive, least, toPlain } from '../../domain/money/amount.ts';
import { coinOf, toCoins } from '../../domain/money/coins.ts';
import { moneyText } from '../../domain/money/money-text.ts';
import { givenInOrderCurrency } from '../../domain/platform/credit-memos/credit-memo-currencies.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { keep, kept, saveRows } from '../support/kept-rows.ts';
import { integer, text } from '../support/kinds.ts';
import { of, rowOf } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { CreditRefund, type CreditRefundRow } from './credit-refund.entity.ts';
import { readMoneyForCredit } from './read-money-for-credit.ts';
import { shopNow } from '../support/shop-clock.ts';

/** A requested refund to a credit balance. */
export interface WantedCreditRefund {
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
 * Refused with: 404 unknown order · 400 an amount that is not above zero or more than is left, no owner, a customer
 * other than the order's, no card code, another base currency, a request key that was used for another refund.
 */
export const reserveCreditRefund = (em: EntityManager, wanted: WantedCreditRefund): Promise<CreditRefundRow> =>
  transact(em, (tx) => reserve(tx, wanted));

async function reserve(em: EntityManager, given: WantedCreditRefund): Promise<CreditRefundRow> {
  const { orderId, kind, requestKey } = given;
  const order = await lockOrder(em, orderId);
  const wanted = { ...given, amount: toCoins(given.amount, coinOf(order.orderCurrencyCode)) };
  const own = order.customerId ?? null;
  const customerId = wanted.customerId ?? own;
  const known = requestKey === null ? undefined : await findKnown.first(em, { orderId, requestKey });
  if (known) return sameOrRefused(known.refund, { ...wanted, customerId });
  if (!isPositive(wanted.amount)) throw invalid('The amount must be greater than zero.');
  if (wanted.baseCurrencyCode !== order.baseCurrencyCode)
    throw invalid('Currency mismatch: the order is in %1 and credit is in %2.', [
      order.baseCurrencyCode,
      wanted.baseCurrencyCode,
    ]);
  if (own !== null && customerId !== own) throw invalid('The order belongs to another customer than %1.', [customerId]);
  if (kind === 'gift_card' && !wanted.code?.trim()) throw invalid('A refund to a gift card needs its code.');
  if (kind !== 'gift_card' && customerId === null) throw invalid('This credit belongs to a customer; name one.');
  const base = await baseWithin(em, order, wanted.amount);
  const drawn = await draw.first(em);
  if (!drawn) throw new Error('no name for a refund to credit');
  const row: CreditRefundRow = {
    ...drawn,
    orderId,
    kind,
    providerCode: wanted.providerCode,
    code: wanted.code,
    customerId,
    websiteId: wanted.websiteId,
    amount: wanted.amount,
    baseAmount: base,
    currencyCode: order.orderCurrencyCode,
    baseCurrencyCode: order.baseCurrencyCode,
    reason: wanted.reason,
    requestKey,
    state: 'reserved',
    transactionId: null,
    remainingBalance: null,
    message: null,
    concludedAt: null,
  };
  await insertRows(em, [into(CreditRefund, [row])]);
  return row;
}

/**
 * Converts an amount of the order's currency into the base currency. It is at most what is left there, and the last
 * amount takes all of that. Refused with 400: more than is left, or zero in base.
 */
async function baseWithin(em: EntityManager, order: LockedOrder, amount: Amount): Promise<Amount> {
  const left = await readMoneyForCredit(em, order.entityId);
  if (amount > left.amount)
    throw invalid('The amount %1 exceeds the remaining refundable amount %2.', [toPlain(amount), toPlain(left.amount)]);
  const { base } = givenInOrderCurrency(amount, order);
  const given = amount === left.amount ? left.baseAmount : least(base, left.baseAmount);
  if (!isPositive(given)) throw invalid('The amount must be greater than zero.');
  return given;
}

function sameOrRefused(known: CreditRefundRow, wanted: WantedCreditRefund): CreditRefundRow {
  const isSame =
    known.amount === wanted.amount &&
    known.kind === wanted.kind &&
    known.providerCode === wanted.providerCode &&
    (known.code ?? null) === wanted.code &&
    (known.customerId ?? null) === wanted.customerId;
  if (!isSame) throw invalid('This request already asked for another refund.');
  return known;
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
    const row = await lockRefund(tx, refundId);
    if (row.state === 'booked' || row.state === state) return row;
    const { orderId } = row;
    row.state = state;
    row.concludedAt = shopNow();
    row.transactionId = transactionId ?? null;
    row.remainingBalance = remainingBalance ?? null;
    row.message = message?.slice(0, 1_000) ?? null;
    if (state === 'booked')
      await addOrderComment(tx, { orderId, comment: historyLine(row), status: await statusOf(tx, orderId) });
    await saveRows(tx, [kept(CreditRefund, [row])]);
    return row;
  });

async function lockRefund(em: EntityManager, refundId: number): Promise<CreditRefundRow> {
  const found = await lock.first(em, { refundId });
  if (!found) throw new Error(`no refund to credit ${refundId}`);
  return keep(found.refund);
}

const refund = rowOf(CreditRefund, 'r');

const lock = statement({
  takes: { refundId: integer },
  gives: { refund },
  text: `select ${refund.columns} from credit_refund r where r.refund_id = $refundId for update`,
});

const findKnown = statement({
  takes: { orderId: integer, requestKey: text },
  gives: { refund },
  text: `select ${refund.columns} from credit_refund r where r.order_id = $orderId and r.request_key = $requestKey`,
});

const draw = statement({
  takes: {},
  gives: of(CreditRefund, 'refundId', 'nameTail', 'createdAt'),
  text: `
    select nextval('credit_refund_refund_id_seq')::int as refund_id, new_name_tail() as name_tail, now() as created_at`,
});

async function statusOf(em: EntityManager, orderId: number): Promise<string> {
  const order = await readStatus.first(em, { orderId });
  if (!order) throw noSuchOrder(orderId);
  return order.status;
}

const readStatus = statement({
  takes: { orderId: integer },
  gives: of(Order, 'status'),
  text: 'select status from sales_order where entity_id = $orderId',
});

const words = { store_credit: 'store credit', gift_card: 'a gift card', reward_points: 'reward points' } as const;

const historyLine = ({ kind, amount, currencyCode }: CreditRefundRow) =>
  `Gave ${moneyText(amount, currencyCode)} to ${words[kind]}.`;
