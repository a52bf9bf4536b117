import {
  add,
  greatest,
  least,
  minus,
  negate,
  none,
  plus,
  scale,
  subtract,
  zero,
  type Amount,
  type Coin,
  type Quantity,
} from '../money.ts';
import { toInvoice, type LineQuantities } from './document-lines.ts';

/** The figures of an invoice, in one currency at a time (platform facts 6). */

/** An order's line as ordered, and what invoices took of it so far. Gross of discount. */
export interface InvoiceableMoney {
  rowTotal: Amount;
  rowInvoiced: Amount;
  rowTotalInclTax: Amount;
  taxAmount: Amount;
  taxInvoiced: Amount;
  discountAmount: Amount;
  discountInvoiced: Amount;
  discountTaxCompensationAmount: Amount;
  discountTaxCompensationInvoiced: Amount;
  weeeAmount: Amount;
  weeeInvoiced: Amount;
  /** The tax on the whole row's fixed taxes. */
  taxOnWeeeRow: Amount;
}

export interface InvoiceableLine {
  quantities: LineQuantities;
  /** How many this invoice takes. */
  qty: Quantity;
  money: InvoiceableMoney;
}

/** The order's header, and what invoices took of it so far. */
export interface InvoiceableHeader {
  subtotal: Amount;
  subtotalInvoiced: Amount;
  subtotalInclTax: Amount;
  shippingAmount: Amount;
  shippingInclTax: Amount;
  shippingInvoiced: Amount;
  shippingTaxAmount: Amount;
  shippingDiscountAmount: Amount;
  shippingDiscountTaxCompensationAmount: Amount;
  discountInvoiced: Amount;
  taxAmount: Amount;
  taxInvoiced: Amount;
  discountTaxCompensationAmount: Amount;
  discountTaxCompensationInvoiced: Amount;
  grandTotal: Amount;
  totalInvoiced: Amount;
}

export interface InvoiceLineMoney {
  rowTotal: Amount;
  rowTotalInclTax: Amount;
  taxAmount: Amount;
  discountAmount: Amount;
  discountTaxCompensationAmount: Amount;
  weeeTaxAppliedRowAmount: Amount;
}

export interface InvoiceTotals {
  subtotal: Amount;
  subtotalInclTax: Amount;
  /** Negative, as the platform has it. */
  discountAmount: Amount;
  shippingAmount: Amount;
  shippingInclTax: Amount;
  shippingTaxAmount: Amount;
  taxAmount: Amount;
  discountTaxCompensationAmount: Amount;
  grandTotal: Amount;
  lines: InvoiceLineMoney[];
}

/**
 * The amounts of an invoice. Each line takes its share, the last part of a line takes what is left, so no cent is
 * lost.
 *
 * The first invoice takes all shipping, its tax and its discount. On the last invoice the order's header wins over
 * the sum of its lines. All invoices together never exceed the order's grand total. What the lines do not show, such
 * as a discount on the whole order, becomes a discount of the invoice; where the order's total is above all its parts
 * (a tip, cash that was rounded up), the last invoice has a discount below zero, so that the customer owes nothing more
 * (our choices). The lines must include every line with something left to invoice, with quantity zero if it waits.
 */
export function invoiceTotals(header: InvoiceableHeader, lines: readonly InvoiceableLine[], coin: Coin): InvoiceTotals {
  const isLastInvoice = lines.every(isLast);
  const rows = lines.map((line) => rowOf(line, coin));
  const restOr = (rest: Amount, share: Amount) => (isLastInvoice ? rest : least(rest, share));
  const sum = (key: keyof InvoiceLineMoney) => add(...rows.map((row) => row[key]));

  const shipping = shippingOf(header);
  const subtotal = restOr(subtract(header.subtotal, header.subtotalInvoiced), sum('rowTotal'));
  const shippingDiscount = header.discountInvoiced === zero ? header.shippingDiscountAmount : zero;
  const discount = add(sum('discountAmount'), shippingDiscount);
  const taxAmount = restOr(
    subtract(header.taxAmount, header.taxInvoiced),
    add(sum('taxAmount'), shipping.shippingTaxAmount, ...lines.map((line) => taxOnWeee(line, coin))),
  );
  const compensation = restOr(
    subtract(
      add(header.discountTaxCompensationAmount, header.shippingDiscountTaxCompensationAmount),
      header.discountTaxCompensationInvoiced,
    ),
    add(sum('discountTaxCompensationAmount'), shipping.compensation),
  );
  const request = subtract(
    add(subtotal, shipping.shippingAmount, taxAmount, compensation, sum('weeeTaxAppliedRowAmount')),
    discount,
  );
  const left = greatest(zero, subtract(header.grandTotal, header.totalInvoiced));
  const tooLittle = isLastInvoice ? least(aboveItsParts(header, lines), greatest(zero, subtract(left, request))) : zero;
  const tooMuch = subtract(greatest(zero, subtract(request, left)), tooLittle);
  const isOnlyInvoice = isLastInvoice && header.subtotalInvoiced === zero;
  return {
    subtotal,
    subtotalInclTax: isOnlyInvoice ? header.subtotalInclTax : sum('rowTotalInclTax'),
    discountAmount: negate(add(discount, tooMuch)),
    shippingAmount: shipping.shippingAmount,
    shippingInclTax: shipping.shippingInclTax,
    shippingTaxAmount: shipping.shippingTaxAmount,
    taxAmount,
    discountTaxCompensationAmount: compensation,
    grandTotal: subtract(request, tooMuch),
    lines: rows,
  };
}

/** By how much the order's total is above all its parts as they were ordered. */
function aboveItsParts(header: InvoiceableHeader, lines: readonly InvoiceableLine[]): Amount {
  const sum = (of: (money: InvoiceableMoney) => Amount) => add(zero, ...lines.map(({ money }) => of(money)));
  const parts = add(
    header.subtotal,
    header.shippingAmount,
    header.taxAmount,
    header.discountTaxCompensationAmount,
    header.shippingDiscountTaxCompensationAmount,
    sum((money) => money.weeeAmount),
  );
  const discounts = add(
    header.shippingDiscountAmount,
    sum((money) => money.discountAmount),
  );
  return greatest(zero, subtract(add(header.grandTotal, discounts), parts));
}

/** Whether the line has nothing left to invoice after this. */
const isLast = ({ quantities, qty }: InvoiceableLine) => qty === toInvoice(quantities);

function rowOf(line: InvoiceableLine, coin: Coin): InvoiceLineMoney {
  const { quantities, qty, money } = line;
  if (qty === none) return nothing;
  const active = minus(quantities.qtyOrdered, quantities.qtyInvoiced);
  const share = (ordered: Amount, invoiced: Amount) => {
    const rest = subtract(ordered, invoiced);
    return isLast(line) ? rest : scale(rest, qty, active, coin);
  };
  return {
    rowTotal: share(money.rowTotal, money.rowInvoiced),
    rowTotalInclTax: scale(money.rowTotalInclTax, qty, quantities.qtyOrdered, coin),
    taxAmount: share(money.taxAmount, money.taxInvoiced),
    discountAmount: share(money.discountAmount, money.discountInvoiced),
    discountTaxCompensationAmount: share(money.discountTaxCompensationAmount, money.discountTaxCompensationInvoiced),
    weeeTaxAppliedRowAmount: share(money.weeeAmount, money.weeeInvoiced),
  };
}

/** The tax on all that is invoiced by now, less that on what was before: as memos give it back. */
function taxOnWeee({ quantities, qty, money }: InvoiceableLine, coin: Coin): Amount {
  if (money.taxOnWeeeRow === zero) return zero;
  const upTo = (invoiced: Quantity) => scale(money.taxOnWeeeRow, invoiced, quantities.qtyOrdered, coin);
  return subtract(upTo(plus(quantities.qtyInvoiced, qty)), upTo(quantities.qtyInvoiced));
}

const nothing: InvoiceLineMoney = {
  rowTotal: zero,
  rowTotalInclTax: zero,
  taxAmount: zero,
  discountAmount: zero,
  discountTaxCompensationAmount: zero,
  weeeTaxAppliedRowAmount: zero,
};

function shippingOf(header: InvoiceableHeader) {
  if (header.shippingInvoiced !== zero) {
    return { shippingAmount: zero, shippingInclTax: zero, shippingTaxAmount: zero, compensation: zero };
  }
  return {
    shippingAmount: header.shippingAmount,
    shippingInclTax: header.shippingInclTax,
    shippingTaxAmount: header.shippingTaxAmount,
    compensation: header.shippingDiscountTaxCompensationAmount,
  };
}

/**
 * An order's total paid once an invoice is paid, never more than its grand total and never less than before.
 *
 * What a capture or credit paid beyond earlier invoices counts for this one, so only the rest is paid now.
 */
export function paidAfterInvoice(paid: {
  /** Total of the order's other invoices. */
  invoicedBefore: Amount;
  before: Amount;
  invoice: Amount;
  total: Amount;
}): Amount {
  const prepaid = greatest(zero, subtract(paid.before, paid.invoicedBefore));
  const rest = greatest(zero, subtract(paid.invoice, prepaid));
  return greatest(paid.before, least(add(paid.before, rest), paid.total));
}
