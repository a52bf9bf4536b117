import { add, money, subtract, zero, none, pieces, plus, type Quantity } from '../../../domain/money.ts';
import {
  invoiceTotals,
  type InvoiceableHeader,
  type InvoiceableLine,
  type InvoiceableMoney,
} from '../../../domain/platform/invoice-totals.ts';
import { toInvoice, type LineQuantities } from '../../../domain/platform/document-lines.ts';
import { aCent } from '../../support/coins.ts';

interface SoldLine {
  qty: number;
  row: string;
  tax?: string;
  discount?: string;
  weee?: string;
  taxOnWeee?: string;
}

interface Sold {
  lines: SoldLine[];
  shipping?: string;
  shippingTax?: string;
  shippingDiscount?: string;
}

interface Ledger {
  header: InvoiceableHeader;
  lines: { quantities: LineQuantities; money: InvoiceableMoney }[];
}

/** An order as posted, nothing invoiced; the header is the sum of its lines and its shipping. */
export function sold({ lines, shipping = '0', shippingTax = '0', shippingDiscount = '0' }: Sold): Ledger {
  const own = lines.map(({ qty, row, tax = '0', discount = '0', weee = '0', taxOnWeee = '0' }) => ({
    quantities: {
      qtyOrdered: pieces(qty),
      qtyInvoiced: none,
      qtyShipped: none,
      qtyRefunded: none,
      qtyCanceled: none,
      isVirtual: false,
    },
    money: {
      rowTotal: money(row),
      rowInvoiced: zero,
      rowTotalInclTax: add(money(row), money(tax)),
      taxAmount: money(tax),
      taxInvoiced: zero,
      discountAmount: money(discount),
      discountInvoiced: zero,
      discountTaxCompensationAmount: zero,
      discountTaxCompensationInvoiced: zero,
      weeeAmount: money(weee),
      weeeInvoiced: zero,
      taxOnWeeeRow: money(taxOnWeee),
    },
  }));
  const sum = (key: keyof InvoiceableMoney) => add(...own.map((line) => line.money[key]));
  return {
    header: {
      subtotal: sum('rowTotal'),
      subtotalInvoiced: zero,
      subtotalInclTax: sum('rowTotalInclTax'),
      shippingAmount: money(shipping),
      shippingInclTax: add(money(shipping), money(shippingTax)),
      shippingInvoiced: zero,
      shippingTaxAmount: money(shippingTax),
      shippingDiscountAmount: money(shippingDiscount),
      shippingDiscountTaxCompensationAmount: zero,
      discountInvoiced: zero,
      taxAmount: add(sum('taxAmount'), sum('taxOnWeeeRow'), money(shippingTax)),
      taxInvoiced: zero,
      discountTaxCompensationAmount: zero,
      discountTaxCompensationInvoiced: zero,
      grandTotal: subtract(
        add(
          sum('rowTotal'),
          sum('taxAmount'),
          sum('weeeAmount'),
          sum('taxOnWeeeRow'),
          money(shipping),
          money(shippingTax),
        ),
        sum('discountAmount'),
        money(shippingDiscount),
      ),
      totalInvoiced: zero,
    },
    lines: own,
  };
}

/** Invoices so many of each line, or all that is left, and writes the registers. */
export function invoice(ledger: Ledger, quantities?: readonly Quantity[]) {
  const chosen: InvoiceableLine[] = ledger.lines.flatMap((line, at) => {
    const left = toInvoice(line.quantities);
    return left > none ? [{ ...line, qty: quantities?.[at] ?? left }] : [];
  });
  const totals = invoiceTotals(ledger.header, chosen, aCent);
  chosen.forEach((line, at) => {
    const share = totals.lines[at]!;
    line.quantities.qtyInvoiced = plus(line.quantities.qtyInvoiced, line.qty);
    line.money.rowInvoiced = add(line.money.rowInvoiced, share.rowTotal);
    line.money.taxInvoiced = add(line.money.taxInvoiced, share.taxAmount);
    line.money.discountInvoiced = add(line.money.discountInvoiced, share.discountAmount);
    line.money.weeeInvoiced = add(line.money.weeeInvoiced, share.weeeTaxAppliedRowAmount);
  });
  const { header } = ledger;
  header.subtotalInvoiced = add(header.subtotalInvoiced, totals.subtotal);
  header.taxInvoiced = add(header.taxInvoiced, totals.taxAmount);
  header.shippingInvoiced = add(header.shippingInvoiced, totals.shippingAmount);
  header.discountInvoiced = add(header.discountInvoiced, totals.discountAmount);
  header.totalInvoiced = add(header.totalInvoiced, totals.grandTotal);
  return totals;
}
