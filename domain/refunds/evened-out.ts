import { add, greatest, negate, subtract, zero, type Amount } from '../money/amount.ts';
import type { InBoth } from '../money/in-both.ts';
import type { CreditMemoFigures, CreditMemoRequest } from '../platform/credit-memos/credit-memo.ts';

/**
 * Changes a request so that its memo equals the money that went back. Goodwill or a fee evens out the difference, in
 * each currency separately. Another refund booked in between may have moved a cent of rounding, and the books follow
 * the money.
 */
export function evenedOut(
  request: CreditMemoRequest,
  collected: Pick<CreditMemoFigures, 'base' | 'order'>,
  refunded: InBoth,
): CreditMemoRequest {
  const { adjustmentPositive: goodwill, adjustmentNegative: fee } = request;
  const missing = {
    base: subtract(refunded.base, collected.base.grandTotal),
    order: subtract(refunded.order, collected.order.grandTotal),
  };
  return {
    ...request,
    // The attempt was evened out when it was planned: this is how far its money was from its goods.
    evensOutPosted: false,
    difference: missing,
    adjustmentPositive: {
      base: add(goodwill.base, aboveZero(missing.base)),
      order: add(goodwill.order, aboveZero(missing.order)),
    },
    adjustmentNegative: {
      base: add(fee.base, aboveZero(negate(missing.base))),
      order: add(fee.order, aboveZero(negate(missing.order))),
    },
  };
}

const aboveZero = (value: Amount) => greatest(zero, value);
