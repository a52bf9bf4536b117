import { spendKeyOf, type Spending } from '../../db/credits/spending-rows.ts';
import type { OutsideSpending } from './credit-provider.ts';

/** A spending in the form its provider gets: the same each time, under the same key. */
export const asOutsideSpending = (spending: Spending): OutsideSpending => ({
  key: spendKeyOf(spending),
  customerId: spending.customerId,
  code: spending.code,
  websiteId: spending.websiteId,
  baseAmount: spending.baseAmount,
  baseCurrencyCode: spending.baseCurrencyCode,
  points: spending.points,
  reason: 'Spent on an order',
});
