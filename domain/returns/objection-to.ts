import { invalid, type PosError } from '../errors.ts';
import { fillIn } from '../fill-in.ts';
import { type Quantity, minus } from '../money/quantity.ts';
import type { Eligibility, LineEligibility, OrderEligibility, RefusalReason } from './eligibility.ts';

export interface WantedLine {
  orderItemId: number;
  qty: Quantity;
  /** The option's id; null: the row does not name one. */
  resolutionId: string | null;
}

/** The reason that forbids a return; `orderItemId` 0 means the order. */
export interface Objection {
  orderItemId: number;
  reasonCode: RefusalReason | 'resolution_not_allowed' | 'resolution_unsupported';
  periodDays: number;
  reason: string;
  resolutionId?: string;
  allowedResolutionIds?: readonly string[];
}

const tooMuch = 'more was requested than is left to return.';

/**
 * The first reason that forbids a return (spec 4.8): the order, a line of another order, a forbidden line, too large
 * a quantity (per row and per order item), a resolution the line may not have.
 *
 * A row without a resolution must meet the line's own period: there is no override (our choice).
 *
 * @returns undefined when nothing forbids it
 */
export function objectionTo(order: OrderEligibility, wanted: readonly WantedLine[]): Objection | undefined {
  if (order.outcome === 'forbidden') return ownObjection(order, wanted) ?? lineObjection(0, order);
  for (const orderItemId of new Set(wanted.map((row) => row.orderItemId))) {
    const rows = wanted.filter((row) => row.orderItemId === orderItemId);
    const line = order.lines.find((candidate) => candidate.orderItemId === orderItemId);
    if (!line) return objection(orderItemId, 'quantity', tooMuch, order.periodDays);
    if (line.outcome === 'forbidden') return lineObjection(orderItemId, line);
    if (isTooMuch(rows, line.qtyReturnable)) return objection(orderItemId, 'quantity', tooMuch, line.periodDays);
    const against = rows.map((row) => againstResolution(line, row.resolutionId)).find((one) => one !== undefined);
    if (against) return against;
  }
  return undefined;
}

/** Compared row by row with what is left: the sum of all requests could overflow. */
function isTooMuch(rows: readonly WantedLine[], left: Quantity): boolean {
  let rest = left;
  for (const { qty } of rows) {
    if (qty > rest) return true;
    rest = minus(rest, qty);
  }
  return false;
}

/** For a forbidden order, a line's own reason explains more. An expired period applies to all lines. */
function ownObjection({ lines }: OrderEligibility, wanted: readonly WantedLine[]): Objection | undefined {
  const line = lines.find(
    ({ orderItemId, outcome, reasonCode }) =>
      outcome === 'forbidden' &&
      reasonCode !== 'outside_period' &&
      wanted.some((row) => row.orderItemId === orderItemId),
  );
  return line && lineObjection(line.orderItemId, line);
}

function againstResolution(line: LineEligibility, resolutionId: string | null): Objection | undefined {
  const { orderItemId, allowedResolutionIds, resolutionPeriods, periodDays } = line;
  const own = resolutionPeriods.find((one) => one.resolutionId === resolutionId);
  const isListed = resolutionId !== null && allowedResolutionIds?.includes(resolutionId);
  if (isListed || (resolutionId === null && !line.isPeriodOver) || allowedResolutionIds === null) return undefined;
  if (resolutionId === null)
    return objection(orderItemId, 'outside_period', `The return period of ${periodDays} days is over.`, periodDays);
  return {
    orderItemId,
    reasonCode: 'resolution_not_allowed',
    periodDays: own?.periodDays ?? periodDays,
    reason: `the resolution "${resolutionId}" is not allowed for it.`,
    resolutionId,
    allowedResolutionIds,
  };
}

const lineObjection = (orderItemId: number, { reasonCode, reason, periodDays }: Eligibility) =>
  objection(orderItemId, reasonCode, reason, periodDays);

const objection = (
  orderItemId: number,
  reasonCode: RefusalReason | null,
  reason: string | null,
  periodDays: number,
): Objection => ({ orderItemId, reasonCode: reasonCode ?? 'quantity', periodDays, reason: reason ?? tooMuch });

/** 400 `return_not_eligible` (spec 4.8), naming the reason. */
export const notEligible = (given: Objection): PosError =>
  invalid(`${given.orderItemId === 0 ? 'The order' : 'An item'} cannot be returned: ${given.reason}`, {
    outcome: 'return_not_eligible',
    reason_code: given.reasonCode,
    period_days: given.periodDays,
    order_item_id: given.orderItemId,
    ...(given.resolutionId === undefined ? {} : { resolution_id: given.resolutionId }),
    ...(given.allowedResolutionIds === undefined ? {} : { allowed_resolution_ids: given.allowedResolutionIds }),
  });

/** Why a return is not eligible whose money cannot go back: the settlement's own sentence, as a rule of the shop. */
export const moneyObjection = ({ message, parameters }: PosError) => ({
  outcome: 'forbidden' as const,
  reasonCode: 'vendor_rule' as const,
  reason: fillIn(message, parameters),
});
