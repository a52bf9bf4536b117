import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { invalid } from '../../domain/errors.ts';
import { type Amount, isPositive, least, toPlain } from '../../domain/money/amount.ts';
import { coinOf, toCoins } from '../../domain/money/coins.ts';
import { givenInOrderCurrency } from '../../domain/platform/credit-memos/credit-memo-currencies.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { refuseTooLate } from '../support/begin-before.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { CreditRefund, type CreditRefundRow } from './credit-refund.entity.ts';
import { findCreditRefund } from './credit-refund.repository.ts';
import { readMoneyForCredit } from './read-money-for-credit.ts';

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
 * Refused with: 404 unknown order · 503 the moment has passed until which it may begin · 400 as `judgeCreditRefund`, and
 * a request key that was used for another refund.
 *
 * @param beginBefore absent: its caller waits for it in this process
 */
export const reserveCreditRefund = (
  em: EntityManager,
  given: WantedCreditRefund,
  beginBefore?: string,
): Promise<CreditRefundRow> =>
  transact(em, async (tx) => {
    const order = await lockOrder(tx, given.orderId);
    const known = await knownCreditRefund(tx, order, given);
    if (known) return known;
    if (beginBefore !== undefined) await refuseTooLate(tx, beginBefore);
    const judged = await judgeCreditRefund(tx, order, given);
    const drawn = await draw.first(tx);
    if (!drawn) throw new Error('no name for a refund to credit');
    const { orderId, kind, providerCode, code, websiteId, reason, requestKey } = given;
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
 * What an earlier run of the same request reserved, in its present state; undefined: nothing. Refused with: 400 a request
 * key that was used for another refund.
 */
export async function knownCreditRefund(
  em: EntityManager,
  order: LockedOrder,
  wanted: WantedCreditRefund,
): Promise<CreditRefundRow | undefined> {
  const { orderId, requestKey, kind, providerCode, code } = wanted;
  const known = requestKey === null ? undefined : await findCreditRefund(em, { orderId, requestKey });
  if (!known) return undefined;
  const isSame =
    known.amount === inCoins(order, wanted.amount) &&
    known.kind === kind &&
    known.providerCode === providerCode &&
    (known.code ?? null) === code &&
    (known.customerId ?? null) === ownerOf(order, wanted);
  if (!isSame) throw invalid('This request already asked for another refund.');
  return known;
}

/**
 * Whose credit it is, and what it comes to. With an order that is not locked it only judges.
 *
 * Refused with: 400 an amount that is not above zero or more than is left, no owner, a customer other than the order's,
 * no card code, another base currency.
 */
export async function judgeCreditRefund(
  em: EntityManager,
  order: LockedOrder,
  wanted: WantedCreditRefund,
): Promise<Pick<CreditRefundRow, 'customerId' | 'amount' | 'baseAmount'>> {
  const { kind, code, baseCurrencyCode } = wanted;
  const amount = inCoins(order, wanted.amount);
  const own = order.customerId ?? null;
  const customerId = ownerOf(order, wanted);
  if (!isPositive(amount)) throw invalid('The amount must be greater than zero.');
  if (baseCurrencyCode !== order.baseCurrencyCode)
    throw invalid('Currency mismatch: the order is in %1 and credit is in %2.', [
      order.baseCurrencyCode,
      baseCurrencyCode,
    ]);
  if (own !== null && customerId !== own) throw invalid('The order belongs to another customer than %1.', [customerId]);
  if (kind === 'gift_card' && !code?.trim()) throw invalid('A refund to a gift card needs its code.');
  if (kind !== 'gift_card' && customerId === null) throw invalid('This credit belongs to a customer; name one.');
  return { customerId, amount, baseAmount: await baseWithin(em, order, amount) };
}

const inCoins = (order: LockedOrder, amount: Amount) => toCoins(amount, coinOf(order.orderCurrencyCode));
const ownerOf = (order: LockedOrder, { customerId }: WantedCreditRefund) => customerId ?? order.customerId ?? null;

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

const draw = statement({
  takes: {},
  gives: of(CreditRefund, 'refundId', 'nameTail', 'createdAt'),
  text: `
    select nextval('credit_refund_refund_id_seq')::int as refund_id, new_name_tail() as name_tail, now() as created_at`,
});
