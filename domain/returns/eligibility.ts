import { type Quantity, atLeastNone, minus, none } from '../money/quantity.ts';
import { asOffered, type ResolutionPeriod, type ReturnRules } from './return-rules.ts';

/** Whether an order and its lines may come back, how much of them, and why not (spec 4.8 eligibility). */

export interface SoldLine {
  orderItemId: number;
  name: string;
  qtyInvoiced: Quantity;
  /** By credit memos, with or without a return. */
  qtyRefunded: Quantity;
  /** In returns and collapsed returns that count and have no memo yet. */
  qtyInReturns: Quantity;
  /** Whether the catalog said "returnable" when the product was sold. */
  isReturnable: boolean;
  /** When the last of it was handed over; null: not yet, or not recorded. */
  handedOverAt: Date | null;
  /** The discount at which it was sold, in percent. */
  percentOff: number;
}

export interface SoldOrder {
  orderedAt: Date;
  /** A layaway that is not paid or settled yet: its goods are not sold, though its open invoice names them. */
  isUnsettledLayaway: boolean;
  lines: readonly SoldLine[];
}

/** What the returns provider itself refuses, with its reason. */
export interface VendorVerdict {
  /** Null: no objection to the order as a whole. */
  order: string | null;
  /** By order item id. */
  lines: Readonly<Record<number, string>>;
}

export const noObjection: VendorVerdict = { order: null, lines: {} };

export const refusalReasons = ['quantity', 'not_returnable', 'outside_period', 'vendor_rule'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export interface Eligibility {
  outcome: 'allowed' | 'forbidden';
  reasonCode: RefusalReason | null;
  reason: string | null;
  /** 0: no window. */
  periodDays: number;
}

export interface LineEligibility extends Eligibility {
  orderItemId: number;
  name: string;
  qtyReturnable: Quantity;
  /** Empty on a forbidden line; null where nothing limits them. */
  allowedResolutionIds: readonly string[] | null;
  resolutionPeriods: readonly ResolutionPeriod[];
  /** Whether the line's own window is over; a resolution may still have a longer window. */
  isPeriodOver: boolean;
}

export interface OrderEligibility extends Eligibility {
  lines: readonly LineEligibility[];
}

export interface Judgement {
  order: SoldOrder;
  rules: ReturnRules;
  /** Every resolution of the returns provider. */
  resolutionIds: readonly string[];
  verdict: VendorVerdict;
  now: Date;
}

/**
 * Judges every line, and from them the order. The order is forbidden when the vendor says so or when no line may come
 * back.
 */
export function eligibilityOf(given: Judgement): OrderEligibility {
  const verdict = given.order.isUnsettledLayaway ? notSettled(given.order) : given.verdict;
  const judgement = { ...given, verdict, rules: asOffered(given.rules, given.resolutionIds) };
  const lines = judgement.order.lines.map((line) => lineEligibility(line, judgement));
  return { ...orderVerdict(lines, judgement), lines };
}

/** Our choice: a return would give the deposit back without the fee of a cancelled layaway (spec 4.7). */
const notSettled = ({ lines }: SoldOrder): VendorVerdict => ({
  order: unsettled,
  lines: Object.fromEntries(lines.map(({ orderItemId }) => [orderItemId, unsettled])),
});

const unsettled = 'The layaway is not settled yet. Settle it first, or cancel it.';

/** Invoiced, less refunded, less claimed by open returns. */
export const qtyReturnable = (line: SoldLine) =>
  atLeastNone(minus(line.qtyInvoiced, line.qtyRefunded, line.qtyInReturns));

function lineEligibility(line: SoldLine, judgement: Judgement): LineEligibility {
  const { order, rules, now } = judgement;
  const daysOut = wholeDays(line.handedOverAt ?? order.orderedAt, now);
  const offered = offeredAfter(daysOut, judgement);
  const isPeriodOver = isOver(rules.periodDays, daysOut);
  const isTimeUp = offered === null ? isPeriodOver : offered.length === 0;
  const against = objectionTo(line, { ...judgement, isTimeUp });
  return {
    orderItemId: line.orderItemId,
    name: line.name,
    outcome: against ? 'forbidden' : 'allowed',
    reasonCode: against?.code ?? null,
    reason: against?.reason ?? null,
    periodDays: rules.periodDays,
    qtyReturnable: qtyReturnable(line),
    allowedResolutionIds: against ? [] : offered,
    resolutionPeriods: rules.resolutionPeriods.filter(
      ({ resolutionId }) => rules.resolutionIds?.includes(resolutionId) ?? true,
    ),
    isPeriodOver,
  };
}

/** The resolutions still open for a line after so many days; null where neither a list nor a window limits them. */
function offeredAfter(daysOut: number, { rules, resolutionIds }: Judgement): string[] | null {
  if (rules.resolutionIds === null && rules.resolutionPeriods.length === 0) return null;
  const windowOf = (id: string) =>
    rules.resolutionPeriods.find(({ resolutionId }) => resolutionId === id)?.periodDays ?? rules.periodDays;
  return (rules.resolutionIds ?? resolutionIds).filter((id) => !isOver(windowOf(id), daysOut));
}

interface Against {
  code: RefusalReason;
  reason: string;
}

/** The first objection to a line: permanent reasons come first. */
function objectionTo(
  line: SoldLine,
  { rules, verdict, isTimeUp }: Judgement & { isTimeUp: boolean },
): Against | undefined {
  if (!line.isReturnable) return { code: 'not_returnable', reason: 'This product cannot be returned.' };
  if (qtyReturnable(line) <= none) return { code: 'quantity', reason: 'Nothing of this line is left to return.' };
  if (isTimeUp) return { code: 'outside_period', reason: periodIsOver(rules) };
  const vendorSays = verdict.lines[line.orderItemId] ?? finalSale(line, rules);
  return vendorSays === undefined ? undefined : { code: 'vendor_rule', reason: vendorSays };
}

/** The vendor's built-in rule: goods on deep discount cannot come back. */
const finalSale = ({ percentOff }: SoldLine, { finalSalePercent }: ReturnRules) =>
  finalSalePercent > 0 && percentOff >= finalSalePercent
    ? `Sold at ${finalSalePercent} percent off or more: final sale.`
    : undefined;

function orderVerdict(lines: readonly LineEligibility[], { rules, verdict }: Judgement): Eligibility {
  const { periodDays } = rules;
  const forbidden = (code: RefusalReason, reason: string): Eligibility => ({
    outcome: 'forbidden',
    reasonCode: code,
    reason,
    periodDays,
  });
  if (verdict.order !== null) return forbidden('vendor_rule', verdict.order);
  if (lines.some(({ outcome }) => outcome === 'allowed'))
    return { outcome: 'allowed', reasonCode: null, reason: null, periodDays };
  // A remaining line with an objection explains more than a line with nothing left.
  const telling = lines.find(({ reasonCode }) => reasonCode !== 'quantity');
  switch (telling?.reasonCode) {
    case 'outside_period':
    case 'vendor_rule':
      return forbidden(telling.reasonCode, telling.reason ?? '');
    case 'not_returnable':
      return forbidden('not_returnable', 'Nothing of this order can be returned.');
    case 'quantity':
    case null:
    case undefined:
      return forbidden('quantity', 'Nothing of this order is left to return.');
  }
}

const dayMs = 86_400_000;

/** Full days: goods of Monday noon are one day out until Wednesday noon. */
const wholeDays = (from: Date, now: Date) => Math.floor((now.getTime() - from.getTime()) / dayMs);
const isOver = (periodDays: number, daysOut: number) => periodDays > 0 && daysOut > periodDays;
const periodIsOver = ({ periodDays, resolutionPeriods }: ReturnRules) =>
  `The return period of ${Math.max(periodDays, ...resolutionPeriods.map((one) => one.periodDays))} days is over.`;
