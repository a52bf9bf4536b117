import { amountAt, rowsOf, textAt } from './loose-json.ts';
import { receiptLimits } from './receipt-limits.ts';
import type { ReceiptModel } from './receipt-model.ts';
import type { ReceiptTotals } from './receipt-view.ts';
import type { StoredReceipt } from './stored-receipt.ts';

/** The sums of a receipt, each from its document, or else from its column. */
export const totalsOf = ({ totals }: ReceiptModel, receipt: StoredReceipt): ReceiptTotals => ({
  subtotal: amountAt(totals, 'subtotal') ?? receipt.subtotal,
  discount: amountAt(totals, 'discount_amount', 'discount') ?? receipt.discountAmount,
  shipping: amountAt(totals, 'shipping_amount', 'shipping'),
  rounding: amountAt(totals, 'cash_rounding', 'rounding'),
  tax: amountAt(totals, 'tax_amount', 'tax') ?? receipt.taxAmount,
  taxes: (rowsOf(totals['tax_breakdown'], receiptLimits.taxes) ?? []).map((tax) => ({
    label: textAt(tax, 'label', 'title', 'name', 'code'),
    rate: rateAt(textAt(tax, 'rate', 'percent', 'tax_percent')),
    base: amountAt(tax, 'base', 'net_amount', 'taxable_amount'),
    amount: amountAt(tax, 'amount', 'tax_amount', 'tax'),
  })),
  grandTotal: amountAt(totals, 'grand_total', 'total') ?? receipt.grandTotal,
  isReverseCharge: receipt.isReverseCharge || totals['is_reverse_charge'] === true,
});

/** Percent, as a plain decimal. */
const rateAt = (text: string | null) =>
  text !== null && /^\d{1,3}(\.\d{1,6})?%?$/.test(text) ? text.replace('%', '') : null;
