import { invalid } from '../errors.ts';
import { none, plus, type Quantity } from '../money/quantity.ts';
import { wantedQuantity, type ChosenLine, type OrderedLine, type WantedLine } from './document-lines.ts';
import { isLeftToInvoice, toInvoice, type LineQuantities } from './line-quantities.ts';
import { isReadyForInvoice, type OrderState } from './order-state.ts';

/**
 * The lines an invoice takes: those named, or everything left when none are. The answer has every line with something
 * left to invoice, with quantity zero where it waits. Lines of other orders and fully invoiced lines are left out.
 *
 * Refused with: 400 more of a line than is left of it.
 */
export function invoiceLines<Line extends OrderedLine>(
  lines: readonly Line[],
  wanted: readonly WantedLine[],
): ChosenLine<Line>[] {
  return lines.filter(isLeftToInvoice).map((line) => {
    const qty = wanted.length === 0 ? toInvoice(line) : wantedQuantity(line, wanted);
    if (qty <= toInvoice(line)) return { line, qty };
    throw invalid('We found an invalid quantity to invoice item "%1".', [line.name ?? line.sku]);
  });
}

/** The reasons that forbid an invoice of these lines; empty when nothing does (platform facts 6). */
export function invoiceErrors(
  order: { state: OrderState; status: string; lines: readonly LineQuantities[] },
  chosen: readonly { qty: Quantity }[],
): string[] {
  const isEmpty = plus(...chosen.map(({ qty }) => qty)) <= none;
  return [
    ...(isEmpty ? ["The invoice can't be created without products. Add products and try again."] : []),
    ...(isReadyForInvoice(order.state)
      ? order.lines.some(isLeftToInvoice)
        ? []
        : ['The order does not allow an invoice to be created.']
      : [`An invoice cannot be created when an order has a status of ${order.status}`]),
  ];
}
