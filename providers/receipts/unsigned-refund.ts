import { absolute, negate, type Amount } from '../../domain/money/amount.ts';
import { quantity } from '../../domain/money/quantity.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';

/**
 * A refund with what went back as plain amounts, so that its column adds up to "total refunded". Registers send it
 * negative, but shipping and adjustments positive; a fee lessens what went back.
 */
export function unsignedRefund(view: ReceiptView): ReceiptView {
  if (view.kind !== 'refund') return view;
  const { totals, refund } = view;
  // A fee may take all of it: then only the goods tell the sign.
  const isNegative = (totals.grandTotal || totals.subtotal || 0) < 0;
  const back = (value: Amount | null) => (value === null || !isNegative ? value : negate(value));
  return {
    ...view,
    items: view.items.map((item) => ({
      ...item,
      qty: item.qty === null || !isNegative ? item.qty : quantity(0 - item.qty),
      rowTotal: back(item.rowTotal),
      discount: back(item.discount),
    })),
    totals: {
      ...totals,
      subtotal: back(totals.subtotal),
      discount: back(totals.discount),
      shipping: back(totals.shipping),
      rounding: back(totals.rounding),
      tax: back(totals.tax),
      taxes: totals.taxes.map((tax) => ({ ...tax, base: back(tax.base), amount: back(tax.amount) })),
      grandTotal: back(totals.grandTotal),
    },
    payments: view.payments.map((payment) => ({ ...payment, amount: back(payment.amount) })),
    credits: view.credits.map((credit) => ({ ...credit, amount: back(credit.amount) })),
    refund: refund && {
      ...refund,
      shippingRefund: refund.shippingRefund && absolute(refund.shippingRefund),
      adjustmentPositive: refund.adjustmentPositive && absolute(refund.adjustmentPositive),
      adjustmentNegative: refund.adjustmentNegative && negate(absolute(refund.adjustmentNegative)),
    },
  };
}
