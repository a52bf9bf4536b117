import { none, together, type Quantity } from '../money/quantity.ts';

export interface RowOfLine {
  orderItemId: number;
  qty: Quantity;
}

/** A line may come back in several rows, each with its own condition: this sums them for each line. */
export function perLine(rows: readonly RowOfLine[]): RowOfLine[] {
  const sums = new Map<number, Quantity>();
  for (const { orderItemId, qty } of rows) sums.set(orderItemId, together([sums.get(orderItemId) ?? none, qty]));
  return [...sums].map(([orderItemId, qty]) => ({ orderItemId, qty }));
}
