import { type Quantity, atLeastNone, minus, none, plus } from '../money/quantity.ts';

/** What may still come back, and why not (spec 4.8 eligibility). The built-in rule is the quantity; others come later. */

export interface SoldLine {
  orderItemId: number;
  name: string;
  qtyInvoiced: Quantity;
  /** Through credit memos, with a return or without. */
  qtyRefunded: Quantity;
  /** In returns that count and have no memo yet. */
  qtyInReturns: Quantity;
}

export const refusalReasons = ['quantity', 'not_returnable', 'outside_period', 'vendor_rule'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export interface Eligibility {
  outcome: 'allowed' | 'forbidden';
  reasonCode: RefusalReason | null;
  reason: string | null;
  periodDays: number;
}

export interface LineEligibility extends Eligibility {
  orderItemId: number;
  name: string;
  qtyReturnable: Quantity;
}

const allowed: Eligibility = { outcome: 'allowed', reasonCode: null, reason: null, periodDays: 0 };
const nothingLeft = (reason: string): Eligibility => ({
  outcome: 'forbidden',
  reasonCode: 'quantity',
  reason,
  periodDays: 0,
});

/** Invoiced less refunded less what open returns already claim. */
export const qtyReturnable = (line: SoldLine) =>
  atLeastNone(minus(line.qtyInvoiced, line.qtyRefunded, line.qtyInReturns));

export function lineEligibility(line: SoldLine): LineEligibility {
  const returnable = qtyReturnable(line);
  const verdict = returnable > 0 ? allowed : nothingLeft('Nothing of this line is left to return.');
  return { ...verdict, orderItemId: line.orderItemId, name: line.name, qtyReturnable: returnable };
}

/** An order is forbidden when no line has anything left. */
export function orderEligibility(lines: readonly SoldLine[]): Eligibility {
  const left = plus(none, ...lines.map(qtyReturnable));
  return left > 0 ? allowed : nothingLeft('Nothing of this order is left to return.');
}

export interface WantedLine {
  orderItemId: number;
  qty: Quantity;
}

export interface TooMuch {
  orderItemId: number;
  reasonCode: RefusalReason;
  periodDays: number;
}

/**
 * The first thing that stands against a return: the order, a line of another order, or a quantity that is too much,
 * per row and summed per order item.
 *
 * @returns undefined when all of it may come back; `orderItemId` 0 means the order
 */
export function whatForbids(lines: readonly SoldLine[], wanted: readonly WantedLine[]): TooMuch | undefined {
  if (orderEligibility(lines).outcome === 'forbidden') return { orderItemId: 0, reasonCode: 'quantity', periodDays: 0 };
  const sums = new Map<number, Quantity>();
  for (const { orderItemId, qty } of wanted) sums.set(orderItemId, plus(sums.get(orderItemId) ?? none, qty));
  for (const [orderItemId, qty] of sums) {
    const line = lines.find((candidate) => candidate.orderItemId === orderItemId);
    if (!line || qty > qtyReturnable(line)) return { orderItemId, reasonCode: 'quantity', periodDays: 0 };
  }
  return undefined;
}
