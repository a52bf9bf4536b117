import { add, subtract } from '../../money/amount.ts';
import { plus } from '../../money/quantity.ts';
import type { Currency } from '../../money/in-both.ts';
import type {
  CreditMemoFigures,
  LineRegisters,
  MemoLine,
  OrderRegisters,
  RefundableLine,
  RefundableOrder,
} from './credit-memo-figures.ts';

/**
 * The order as if the refunds under way were booked: their goods, their shipping and their money are kept free. What is
 * left of the pending sum is promised without a memo that is known.
 *
 * Worked out from it, another memo takes the rest of a line or its share just as it would after them; so whatever becomes
 * of the refunds under way, theirs can be booked.
 */
export const afterPendingMemos = (order: RefundableOrder): RefundableOrder =>
  order.pendingMemos.reduce(
    (after, { figures }) => ({
      ...afterMemo(after, figures),
      basePendingRefund: subtract(after.basePendingRefund, figures.base.grandTotal),
    }),
    order,
  );

/** The order once the memo is booked: what a booking writes, on plain figures. */
export function afterMemo(order: RefundableOrder, memo: CreditMemoFigures): RefundableOrder {
  return {
    ...order,
    lines: order.lines.map((line) => {
      const given = memo.lines.find((one) => one.orderItemId === line.orderItemId);
      return given === undefined ? line : lineAfter(line, given);
    }),
    base: registersAfter(order, memo, 'base'),
    order: registersAfter(order, memo, 'order'),
  };
}

function lineAfter(line: RefundableLine, memo: MemoLine): RefundableLine {
  const after = (currency: Currency): LineRegisters => {
    const [was, given] = [line[currency], memo[currency]];
    return {
      ...was,
      amountRefunded: add(was.amountRefunded, given.rowTotal),
      discountRefunded: add(was.discountRefunded, given.discountAmount),
      taxRefunded: add(was.taxRefunded, given.taxAmount),
      discountTaxCompensationRefunded: add(was.discountTaxCompensationRefunded, given.discountTaxCompensationAmount),
      weeeRefunded: add(was.weeeRefunded, given.weeeTaxAppliedRowAmount),
    };
  };
  return { ...line, qtyRefunded: plus(line.qtyRefunded, memo.qty), base: after('base'), order: after('order') };
}

function registersAfter(order: RefundableOrder, memo: CreditMemoFigures, currency: Currency): OrderRegisters {
  const [was, given] = [order[currency], memo[currency]];
  return {
    ...was,
    totalRefunded: add(was.totalRefunded, given.grandTotal),
    adjustmentPositive: add(was.adjustmentPositive, given.adjustmentPositive),
    adjustmentNegative: add(was.adjustmentNegative, given.adjustmentNegative),
    differenceRefunded: add(was.differenceRefunded, given.difference),
    taxRefunded: add(was.taxRefunded, given.taxAmount),
    discountTaxCompensationRefunded: add(was.discountTaxCompensationRefunded, given.discountTaxCompensationAmount),
    shippingRefunded: add(was.shippingRefunded, given.shippingAmount),
    shippingTaxRefunded: add(was.shippingTaxRefunded, given.shippingTaxAmount),
  };
}
