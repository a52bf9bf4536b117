import type { Amount } from './amount.ts';

/** Money exists twice in an order: in the currency the books are kept in, `base`, and in the one the customer paid in, `order`. */

export const currencies = ['base', 'order'] as const;
export type Currency = (typeof currencies)[number];

/** A value in each of them. */
export interface InBoth<Value = Amount> {
  base: Value;
  order: Value;
}

/** Works something out once in each currency. */
export const inBoth = <Value>(of: (currency: Currency) => Value): InBoth<Value> => ({
  base: of('base'),
  order: of('order'),
});
