import { twin, twins } from '../../../domain/money/twins.ts';

/**
 * What an order, its lines and its payment count of each document (platform facts 5.2): by the document's figure, the
 * columns of the register. The discount of an order counts the negative discounts of its documents, as the platform's does.
 */

/** Figures that an order calls otherwise in base than the rule has it. */
export const shippingDiscountTaxCompensation = {
  order: 'shippingDiscountTaxCompensationAmount',
  base: 'baseShippingDiscountTaxCompensationAmnt',
} as const;
export const weeeOfRow = { order: 'weeeTaxAppliedRowAmount', base: 'baseWeeeTaxAppliedRowAmnt' } as const;

/** Of an invoice. */
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

/** Of a credit memo. The totals are counted in coins, apart from these. */
export const refunded = {
  order: {
    subtotal: twin('subtotalRefunded'),
    taxAmount: twin('taxRefunded'),
    discountAmount: twin('discountRefunded'),
    discountTaxCompensationAmount: twin('discountTaxCompensationRefunded'),
    shippingAmount: twin('shippingRefunded'),
    shippingTaxAmount: twin('shippingTaxRefunded'),
    ...twins('adjustmentPositive', 'adjustmentNegative'),
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

/** Of a cancellation: its share of a line's taxes; and of the order, what was never invoiced or never paid. */
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
