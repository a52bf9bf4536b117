import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { outsideName } from '../installation/outside-name.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { of } from '../support/rows.ts';
import { CreditSpending } from './credit-spending.entity.ts';

/** Credit of a provider outside that an order is to be paid with. */
export interface WantedSpending {
  /** Its position among the credits of the order. */
  position: number;
  kind: CreditKind;
  providerCode: string;
  /** Null for a gift card of a guest. */
  customerId: number | null;
  storeId: number;
  websiteId: number;
  /** Only for a gift card; a secret, never logged. */
  code: string | null;
  baseAmount: Amount;
  /** The same in the order's currency. */
  amount: Amount;
  points: number | null;
  baseCurrencyCode: string;
}

/** A recorded spending. */
export interface Spending extends WantedSpending {
  spendingId: number;
  nameTail: string;
  state: 'reserved' | 'spent' | 'failed' | 'returning' | 'returned';
  /** The order that was saved with it. */
  orderId: number | null;
}

/** The provider's key for a spending. It never changes, so that a repeat takes nothing twice. */
export const spendKeyOf = ({ spendingId, nameTail }: Pick<Spending, 'spendingId' | 'nameTail'>): string =>
  outsideName(`credit-spending-${spendingId}`, nameTail);

/** Whether it is exactly the wanted credit. */
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

/** Whether the reserved or spent credits are exactly the wanted ones. */
export const areSameSpendings = (standing: readonly WantedSpending[], wanted: readonly WantedSpending[]): boolean =>
  standing.length === wanted.length && wanted.every((one) => standing.some((other) => isSameSpending(one, other)));

/** The columns of `credit_spending` that this folder's statements return. */
export const spendingParts = {
  ...of(CreditSpending, 'spendingId', 'nameTail', 'position', 'kind', 'providerCode', 'customerId', 'storeId'),
  ...of(CreditSpending, 'websiteId', 'code', 'baseAmount', 'amount', 'points', 'baseCurrencyCode', 'state', 'orderId'),
};

export const spendingColumns = `
  spending_id, name_tail, position, kind, provider_code, customer_id, store_id, website_id, code, base_amount, amount, points,
  base_currency_code, state, order_id`;
