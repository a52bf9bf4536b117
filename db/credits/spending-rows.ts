import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { outsideName } from '../installation/outside-name.ts';
import { money, type Amount } from '../../domain/money/amount.ts';

/** Credit of a provider outside that an order is to be paid with. */
export interface WantedSpending {
  /** Where it stands among the credits of the order. */
  position: number;
  kind: CreditKind;
  providerCode: string;
  /** Null for a gift card in a guest's hand. */
  customerId: number | null;
  storeId: number;
  websiteId: number;
  /** Of a gift card; a secret, never logged. */
  code: string | null;
  baseAmount: Amount;
  /** The same in the order's currency. */
  amount: Amount;
  points: number | null;
  baseCurrencyCode: string;
}

/** One that is written down. */
export interface Spending extends WantedSpending {
  spendingId: number;
  nameTail: string | null;
  state: 'reserved' | 'spent' | 'failed' | 'returning' | 'returned';
  /** The order that was saved with it. */
  orderId: number | null;
}

/** What the provider knows a spending by: for ever the same, so that asking again takes nothing twice. */
export const spendKeyOf = ({ spendingId, nameTail }: Pick<Spending, 'spendingId' | 'nameTail'>): string =>
  outsideName(`credit-spending-${spendingId}`, nameTail);

/** Whether it is the very credit that is wanted. */
export const isSameSpending = (one: WantedSpending, other: WantedSpending): boolean =>
  one.position === other.position &&
  one.kind === other.kind &&
  one.providerCode === other.providerCode &&
  one.customerId === other.customerId &&
  one.websiteId === other.websiteId &&
  one.code === other.code &&
  one.baseAmount === other.baseAmount &&
  one.amount === other.amount &&
  one.points === other.points &&
  one.baseCurrencyCode === other.baseCurrencyCode;

/** Whether the credits that stand are just those that are wanted. */
export const areSameSpendings = (standing: readonly WantedSpending[], wanted: readonly WantedSpending[]): boolean =>
  standing.length === wanted.length && wanted.every((one) => standing.some((other) => isSameSpending(one, other)));

/** A row of `credit_spending` as the statements of this folder read it. */
export interface SpendingRow {
  spending_id: number;
  name_tail: string | null;
  position: number;
  kind: CreditKind;
  provider_code: string;
  customer_id: number | null;
  store_id: number;
  website_id: number;
  code: string | null;
  base_amount: string;
  amount: string;
  points: number | null;
  base_currency_code: string;
  state: Spending['state'];
  order_id: number | null;
}

export const spendingColumns = `
  spending_id, name_tail, position, kind, provider_code, customer_id, store_id, website_id, code, base_amount, amount, points,
  base_currency_code, state, order_id`;

export const spendingOf = (row: SpendingRow): Spending => ({
  spendingId: row.spending_id,
  nameTail: row.name_tail,
  position: row.position,
  kind: row.kind,
  providerCode: row.provider_code,
  customerId: row.customer_id,
  storeId: row.store_id,
  websiteId: row.website_id,
  code: row.code,
  baseAmount: money(row.base_amount),
  amount: money(row.amount),
  points: row.points,
  baseCurrencyCode: row.base_currency_code,
  state: row.state,
  orderId: row.order_id,
});
