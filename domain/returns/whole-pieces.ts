import { invalid } from '../errors.ts';
import { brokenPieces } from '../platform/credit-memos/credit-memo-checks.ts';
import type { Quantity } from '../money/quantity.ts';

interface Sold {
  orderItemId: number;
  sku: string;
  isQtyDecimal: boolean;
}

/**
 * Refuses a fraction of goods sold by the piece, in the words of the credit memo that could not be booked. Each row
 * counts by itself: two halves are not one whole piece in stock.
 */
export function refuseBrokenPieces(sold: readonly Sold[], rows: readonly { orderItemId: number; qty: Quantity }[]) {
  const [broken] = brokenPieces(sold, rows);
  if (broken !== undefined) throw invalid(broken);
}
