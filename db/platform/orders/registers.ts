import { twin, twins } from '../../../domain/money/twins.ts';

/**
 * The columns in which an order, its lines and its payment add up their documents, by the document's figure (platform
 * facts 5.2). An order adds up the negative discounts of its documents, as the platform does.
 */

/** Columns whose base name on an order does not follow the rule. */
export const shippingDiscountTaxCompensation = {
  order: 'shippingDiscountTaxCompensationAmount',
  base: 'baseShippingDiscountTaxCompensationAmnt',
} as const;
export const weeeOfRow = { order: 'weeeTaxAppliedRowAmount', base: 'baseWeeeTaxAppliedRowAmnt' } as const;

/** Totals of invoices. */
export const invoiced = {
  order: {
    grandTotal: twin('totalInvoiced'),
    subtotal: twin('subtotalInvoiced'),
    taxAmount: twin('taxInvoiced'),
    shippingAmount: twin('shippingInvoiced'),
    discountAmount: twin('discountInvoiced'),
    discountTaxCompensationAmount: twin('discountTaxCompensationInvoiced'),
  },
  line: {
    rowTotal: twin('rowInvoiced'),
    taxAmount: twin('taxInvoiced'),
    discountAmount: twin('discountInvoiced'),
    discountTaxCompensationAmount: twin('discountTaxCompensationInvoiced'),
    weeeTaxAppliedRowAmount: twin('weeeTaxAmountInvoiced'),
  },
  payment: { shippingAmount: twin('shippingCaptured') },
} as const;

/** Totals of credit memos. Grand totals are added up elsewhere, in coins. */
export const refunded = {
  order: {
    subtotal: twin('subtotalRefunded'),
    taxAmount: twin('taxRefunded'),
    discountAmount: twin('discountRefunded'),
    discountTaxCompensationAmount: twin('discountTaxCompensationRefunded'),
    shippingAmount: twin('shippingRefunded'),
    shippingTaxAmount: twin('shippingTaxRefunded'),
    ...twins('adjustmentPositive', 'adjustmentNegative'),
    difference: twin('differenceRefunded'),
  },
  line: {
    rowTotal: twin('amountRefunded'),
    taxAmount: twin('taxRefunded'),
    discountAmount: twin('discountRefunded'),
    discountTaxCompensationAmount: twin('discountTaxCompensationRefunded'),
    weeeTaxAppliedRowAmount: twin('weeeTaxAmountRefunded'),
  },
  payment: { shippingAmount: twin('shippingRefunded') },
} as const;

/** Totals of a cancellation: a line's share of taxes, and what an order never invoiced or was never paid. */
export const canceled = {
  line: {
    taxAmount: twin('taxCanceled'),
    discountTaxCompensationAmount: twin('discountTaxCompensationCanceled'),
  },
  order: [
    { register: twin('subtotalCanceled'), of: twin('subtotal'), less: twin('subtotalInvoiced') },
    { register: twin('taxCanceled'), of: twin('taxAmount'), less: twin('taxInvoiced') },
    { register: twin('shippingCanceled'), of: twin('shippingAmount'), less: twin('shippingInvoiced') },
    { register: twin('discountCanceled'), of: twin('discountAmount'), less: twin('discountInvoiced') },
    { register: twin('totalCanceled'), of: twin('grandTotal'), less: twin('totalPaid') },
  ],
} as const;
