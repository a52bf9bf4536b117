import { invalid } from '../errors.ts';
import { brokenPieces } from '../platform/credit-memos/credit-memo-checks.ts';
import type { Quantity } from '../money/quantity.ts';

interface Sold {
  orderItemId: number;
  sku: string;
  isQtyDecimal: boolean;
}

/**
 * Refuses a part of what is sold by the piece, in the words of the credit memo that could never be booked for it. Each row
 * counts by itself: two halves are not one whole piece on a shelf.
 */
export function refuseBrokenPieces(sold: readonly Sold[], rows: readonly { orderItemId: number; qty: Quantity }[]) {
  const [broken] = brokenPieces(sold, rows);
  if (broken !== undefined) throw invalid(broken);
}
