import { PosError } from '../../../../domain/errors.ts';
import { money, toPlain, pieces, type Amount, type Currency } from '../../../../domain/money.ts';
import { afterMemo } from '../../../../domain/platform/credit-memos/credit-memo-coins.ts';
import { computeCreditMemo } from '../../../../domain/platform/credit-memos/credit-memo.ts';
import type {
  CreditMemoFigures,
  CreditMemoRequest,
  RefundableOrder,
} from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { aRequest, type SoldLine, type WantedMemo } from '../../../support/builders/refundable-order.ts';

/** Books memos one after the other; the last order is what is left. */
export function refunds(order: RefundableOrder, ...wanted: WantedMemo[]) {
  const memos: CreditMemoFigures[] = [];
  for (const want of wanted) {
    const memo = computeCreditMemo(order, aRequest(want, order.baseToOrderRate));
    memos.push(memo);
    order = afterMemo(order, memo);
  }
  return { memos, order };
}

/** The figures of one memo as a person would read them. */
export function sums(memo: CreditMemoFigures | undefined, currency: Currency = 'base') {
  const totals = memo![currency];
  const lines = (of: (line: CreditMemoFigures['lines'][number]) => Amount) =>
    memo!.lines.map((line) => toPlain(of(line)));
  return {
    rows: lines((line) => line[currency].rowTotal),
    discounts: lines((line) => line[currency].discountAmount),
    taxes: lines((line) => line[currency].taxAmount),
    subtotal: toPlain(totals.subtotal),
    discount: toPlain(totals.discountAmount),
    shipping: toPlain(totals.shippingAmount),
    shippingTax: toPlain(totals.shippingTaxAmount),
    tax: toPlain(totals.taxAmount),
    grand: toPlain(totals.grandTotal),
  };
}

export function refusal(order: RefundableOrder, request: CreditMemoRequest) {
  try {
    computeCreditMemo(order, request);
  } catch (error) {
    if (error instanceof PosError) return error.refusal;
    throw error;
  }
  return undefined;
}

export const line = (count: number, row: string, tax = '0', discount = '0'): SoldLine => ({
  qty: pieces(count),
  row: money(row),
  tax: money(tax),
  discount: money(discount),
});
