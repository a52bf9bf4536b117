import { invalid } from '../errors.ts';
import { unitsPerWhole } from '../money/fixed-point.ts';
import { atLeastNone, fewest, minus, none, plus, quantity, type Quantity } from '../money/quantity.ts';
import type { RefundableLine, RefundableOrder, RequestedItem } from './credit-memo-figures.ts';

/** A line of the order with the quantity the memo takes of it. */
export interface ChosenLine {
  line: RefundableLine;
  qty: Quantity;
  /** Invoiced and not yet refunded. */
  available: Quantity;
  /** Takes all that is left, so it takes the rest of the money instead of a share. */
  isLast: boolean;
}

/**
 * How much of each line comes back (platform facts 7.2): all that is left when nothing is listed, else what is listed
 * and nothing of the others. Two rows of one line are added up (our choice; the platform keeps the last).
 *
 * Refused with: 400 for a quantity below zero or beyond what is left of a line.
 */
export function chooseLines({ lines }: RefundableOrder, items: readonly RequestedItem[] = []): ChosenLine[] {
  const wanted = new Map<number, Quantity>();
  for (const { orderItemId, qty } of items) {
    wanted.set(orderItemId, qty < none ? qty : plus(wanted.get(orderItemId) ?? none, qty));
  }
  const own = lines.filter((line) => line.carriedBy === undefined);
  const chosen = own.map((line) =>
    choose(line, items.length === 0 ? available(line) : (wanted.get(line.orderItemId) ?? none)),
  );
  return [...chosen, ...lines.filter((line) => line.carriedBy !== undefined).map((line) => follow(line, chosen))];
}

const available = (line: RefundableLine): Quantity => atLeastNone(minus(line.qtyInvoiced, line.qtyRefunded));

function choose(line: RefundableLine, qty: Quantity): ChosenLine {
  const left = available(line);
  if (qty < none || qty > left) throw invalid('We found an invalid quantity to refund item "%1".', [line.name]);
  return { line, qty, available: left, isLast: qty === left };
}

/** A part of a set comes back as the set does: in proportion, whole ones only, all of it with the last. */
function follow(line: RefundableLine, chosen: readonly ChosenLine[]): ChosenLine {
  const carrier = chosen.find((one) => one.line.orderItemId === line.carriedBy);
  const left = available(line);
  if (!carrier) return { line, qty: none, available: left, isLast: false };
  const qty = carrier.isLast && carrier.qty > none ? left : fewest(left, proportion(line, carrier));
  return { line, qty, available: left, isLast: qty === left };
}

function proportion(line: RefundableLine, carrier: ChosenLine): Quantity {
  if (carrier.line.qtyOrdered === none) return none;
  const exact = (BigInt(line.qtyOrdered) * BigInt(carrier.qty)) / BigInt(carrier.line.qtyOrdered);
  return quantity(line.isQtyDecimal ? Number(exact) : Number(exact) - (Number(exact) % unitsPerWhole));
}
