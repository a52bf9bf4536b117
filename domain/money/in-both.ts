import type { Amount } from './amount.ts';

/** Amounts of an order exist in two currencies: `base`, that of the books, and `order`, that of the customer. */

export const currencies = ['base', 'order'] as const;
export type Currency = (typeof currencies)[number];

/** A value in each currency. */
export interface InBoth<Value = Amount> {
  base: Value;
  order: Value;
}

/** Calculates something in each currency. */
export const inBoth = <Value>(of: (currency: Currency) => Value): InBoth<Value> => ({
  base: of('base'),
  order: of('order'),
});
