import type { Amount } from '../../domain/money/amount.ts';
import type { ReceiptTax, ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { asSubtracted, type Labelled, type ReceiptWriter } from './receipt-writer.ts';

/** The sums of a receipt, from the goods to the total. Zero amounts are left out, except tax. */
export function printedTotals({ kind, totals, refund }: ReceiptView, pen: ReceiptWriter) {
  const { formats, words } = pen;
  const { money } = formats;
  const rows: [string, Amount | null][] = [
    [words.subtotal, totals.subtotal],
    [words.discount, unlessZero(totals.discount) && asSubtracted(totals.discount as Amount)],
    [words.shipping, unlessZero(totals.shipping)],
    [words.shippingRefund, unlessZero(refund?.shippingRefund ?? null)],
    [words.adjustmentPositive, unlessZero(refund?.adjustmentPositive ?? null)],
    [words.adjustmentNegative, unlessZero(refund?.adjustmentNegative ?? null)],
    [words.rounding, unlessZero(totals.rounding)],
  ];
  const sums = rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value: money(value) }]));
  const taxes = totals.taxes.map((tax) => taxRow(tax, pen));
  const tax = totals.tax === null || taxes.length > 1 ? [] : [{ label: words.tax, value: money(totals.tax) }];
  const total = totals.grandTotal;
  return {
    totals: [...sums, ...(taxes.length > 0 ? taxes : tax)],
    total:
      total === null ? null : { label: kind === 'refund' ? words.totalRefunded : words.total, value: money(total) },
    reverseCharge: totals.isReverseCharge ? words.reverseCharge : null,
  };
}

const unlessZero = (value: Amount | null): Amount | null => (value === 0 ? null : value);

function taxRow({ label, rate, base, amount }: ReceiptTax, { formats, words, beside }: ReceiptWriter): Labelled {
  const share = rate === null ? null : formats.percent(rate);
  const name = label ?? words.tax;
  const named = share === null || name.includes('%') ? [name] : [name, share];
  const on = base === null ? [] : [words.taxOn, formats.money(base)];
  return { label: beside([...named, ...on]), value: amount === null ? '' : formats.money(amount) };
}
