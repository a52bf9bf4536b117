import { formatUnits, parseUnits, unitsPerWhole } from './fixed-point.ts';

/** How many, as an integer count of 1/10 000: goods are also sold by weight and length. */
export type Quantity = number & { readonly __brand: 'Quantity' };

export function quantity(units: number): Quantity {
  if (!Number.isSafeInteger(units)) throw new RangeError(`${units} is not a quantity`);
  return (units === 0 ? 0 : units) as Quantity;
}

/** `pieces(3)` is three whole ones. */
export const pieces = (count: number) => quantity(count * unitsPerWhole);
export const none = quantity(0);

/** Reads a decimal such as `"1.5"`; undefined when it has more than four decimals or is no number. */
export function parseQuantity(text: string): Quantity | undefined {
  const units = parseUnits(text);
  return units === undefined ? undefined : quantity(units);
}

export const formatQuantity = (value: Quantity) => formatUnits(value);
export const quantityToWire = (value: Quantity) => value / unitsPerWhole;
export const plus = (...values: readonly Quantity[]) => quantity(values.reduce((sum, value) => sum + value, 0));
export const minus = (from: Quantity, ...values: readonly Quantity[]) => quantity(from - plus(...values));
export const atLeastNone = (value: Quantity) => quantity(Math.max(0, value));
export const minimum = (...values: readonly [Quantity, ...Quantity[]]) => quantity(Math.min(...values));
export const most = (...values: readonly [Quantity, ...Quantity[]]) => quantity(Math.max(...values));
/** More than any line of an order can have. */
const beyondEveryLine = 1e15;
/** What several rows ask for together. A sum that could overflow stays at a bound, and is refused as too many. */
export const together = (rows: readonly Quantity[]) =>
  quantity(
    Math.min(
      beyondEveryLine,
      rows.reduce((sum, row) => sum + row, 0),
    ),
  );
export const isWhole = (value: Quantity) => value % unitsPerWhole === 0;
