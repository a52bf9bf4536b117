import { add, amount, scale, zero, type Amount } from '../../../domain/money/amount.ts';
import { unitsPerWhole } from '../../../domain/money/fixed-point.ts';
import { plus, quantity, type Quantity } from '../../../domain/money/quantity.ts';
import { type LockedOrder, type OrderLine } from '../orders/lock-order.ts';
import type { InvoiceLine, InvoiceRow } from './invoice.repository.ts';

type RegisteredItem = Omit<InvoiceLine, 'entityId' | 'invoice' | 'name' | 'productId' | 'sku'>;

/**
 * Writes an invoice into the registers of its order and its lines, or out of them again (platform facts 6).
 *
 * Open or paid makes no difference: what is invoiced is invoiced.
 */
export function registerInvoice(
  order: LockedOrder,
  invoice: InvoiceRow,
  items: readonly RegisteredItem[],
  direction: 'in' | 'out',
): void {
  const sign = direction === 'in' ? 1 : -1;
  const lines = new Map(order.lines.map((line) => [line.itemId, line]));
  let baseCost = zero;
  for (const item of items) {
    const line = lines.get(item.orderItemId);
    if (!line) throw new Error(`invoice item of an unknown order item ${item.orderItemId}`);
    registerLine(line, item, sign);
    baseCost = add(baseCost, scale(line.baseCost ?? zero, item.qty, unitsPerWhole, 1));
  }
  registerHeader(order, invoice, sign);
  order.baseTotalInvoicedCost = moved(order.baseTotalInvoicedCost, baseCost, sign);
}

const moved = (register: Amount, by: Amount, sign: 1 | -1): Amount => add(register, amount(sign * by));
const movedQuantity = (register: Quantity, by: Quantity, sign: 1 | -1): Quantity => plus(register, quantity(sign * by));

function registerLine(line: OrderLine, item: RegisteredItem, sign: 1 | -1): void {
  line.qtyInvoiced = movedQuantity(line.qtyInvoiced, item.qty, sign);
  line.rowInvoiced = moved(line.rowInvoiced, item.rowTotal, sign);
  line.baseRowInvoiced = moved(line.baseRowInvoiced, item.baseRowTotal, sign);
  line.taxInvoiced = moved(line.taxInvoiced, item.taxAmount, sign);
  line.baseTaxInvoiced = moved(line.baseTaxInvoiced, item.baseTaxAmount, sign);
  line.discountInvoiced = moved(line.discountInvoiced, item.discountAmount, sign);
  line.baseDiscountInvoiced = moved(line.baseDiscountInvoiced, item.baseDiscountAmount, sign);
  line.discountTaxCompensationInvoiced = moved(
    line.discountTaxCompensationInvoiced,
    item.discountTaxCompensationAmount,
    sign,
  );
  line.baseDiscountTaxCompensationInvoiced = moved(
    line.baseDiscountTaxCompensationInvoiced,
    item.baseDiscountTaxCompensationAmount,
    sign,
  );
  line.weeeTaxAmountInvoiced = moved(line.weeeTaxAmountInvoiced, item.weeeTaxAppliedRowAmount, sign);
  line.baseWeeeTaxAmountInvoiced = moved(line.baseWeeeTaxAmountInvoiced, item.baseWeeeTaxAppliedRowAmount, sign);
}

/** The order's discount register counts the invoice's negative discount, as the platform's does. */
function registerHeader(order: LockedOrder, invoice: InvoiceRow, sign: 1 | -1): void {
  order.totalInvoiced = moved(order.totalInvoiced, invoice.grandTotal, sign);
  order.baseTotalInvoiced = moved(order.baseTotalInvoiced, invoice.baseGrandTotal, sign);
  order.subtotalInvoiced = moved(order.subtotalInvoiced, invoice.subtotal, sign);
  order.baseSubtotalInvoiced = moved(order.baseSubtotalInvoiced, invoice.baseSubtotal, sign);
  order.taxInvoiced = moved(order.taxInvoiced, invoice.taxAmount, sign);
  order.baseTaxInvoiced = moved(order.baseTaxInvoiced, invoice.baseTaxAmount, sign);
  order.shippingInvoiced = moved(order.shippingInvoiced, invoice.shippingAmount, sign);
  order.baseShippingInvoiced = moved(order.baseShippingInvoiced, invoice.baseShippingAmount, sign);
  order.discountInvoiced = moved(order.discountInvoiced, invoice.discountAmount, sign);
  order.baseDiscountInvoiced = moved(order.baseDiscountInvoiced, invoice.baseDiscountAmount, sign);
  order.discountTaxCompensationInvoiced = moved(
    order.discountTaxCompensationInvoiced,
    invoice.discountTaxCompensationAmount,
    sign,
  );
  order.baseDiscountTaxCompensationInvoiced = moved(
    order.baseDiscountTaxCompensationInvoiced,
    invoice.baseDiscountTaxCompensationAmount,
    sign,
  );
}
