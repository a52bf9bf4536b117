import { codeLabels } from '../code-labels.ts';
import type { ShopSettings } from '../configuration/setting-defaults.ts';
import { invalid, type PosError } from '../errors.ts';
import { fillIn } from '../fill-in.ts';
import { atLeastNone, minus, none, type Quantity } from '../money.ts';

/** A store view's rules for returns; set per store by `pos config` (the spec leaves the rules to the provider). */
export interface ReturnRules {
  /** Whole days after the goods were handed over; 0: no window. */
  periodDays: number;
  /** The resolutions on offer; null: all of them. */
  resolutionIds: readonly string[] | null;
  /** Resolutions with a window of their own, longer or shorter. */
  resolutionPeriods: readonly ResolutionPeriod[];
  /** Goods sold at this discount or more cannot come back, in percent; 0: no such limit. */
  finalSalePercent: number;
}

interface ResolutionPeriod {
  resolutionId: string;
  /** 0: no window. */
  periodDays: number;
}

export const returnRulePaths = [
  'vendor_pos_advanced/returns/period_days',
  'vendor_pos_advanced/returns/resolutions',
  'vendor_pos_advanced/returns/resolution_periods',
  'vendor_pos_advanced/returns/final_sale_percent',
] as const;

/** Reads the four settings; a text that is not a number, or a negative number, counts as 0. */
export const returnRules = (settings: ShopSettings): ReturnRules => {
  const resolutionIds = codeLabels(settings.text('vendor_pos_advanced/returns/resolutions')).map(({ code }) => code);
  return {
    periodDays: days(settings.number('vendor_pos_advanced/returns/period_days')),
    resolutionIds: resolutionIds.length === 0 ? null : resolutionIds,
    resolutionPeriods: codeLabels(settings.text('vendor_pos_advanced/returns/resolution_periods')).map(
      ({ code, label }) => ({ resolutionId: code, periodDays: days(Number(label)) }),
    ),
    finalSalePercent: Math.max(0, settings.number('vendor_pos_advanced/returns/final_sale_percent')),
  };
};

/** The rules with the spelling of the provider's own resolutions: a setting may use other capitals. */
function asOffered(rules: ReturnRules, offered: readonly string[]): ReturnRules {
  const idOf = (typed: string) =>
    offered.find((id) => id === typed) ?? offered.find((id) => id.toLowerCase() === typed.toLowerCase()) ?? typed;
  return {
    ...rules,
    resolutionIds: rules.resolutionIds?.map(idOf) ?? null,
    resolutionPeriods: rules.resolutionPeriods.map((one) => ({ ...one, resolutionId: idOf(one.resolutionId) })),
  };
}

const days = (input: number) => (Number.isFinite(input) ? Math.max(0, Math.trunc(input)) : 0);

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
type RefusalReason = (typeof refusalReasons)[number];

export interface Eligibility {
  outcome: 'allowed' | 'forbidden';
  reasonCode: RefusalReason | null;
  reason: string | null;
  /** 0: no window. */
  periodDays: number;
}

interface LineEligibility extends Eligibility {
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
export function eligibilityOf(input: Judgement): OrderEligibility {
  const verdict = input.order.isUnsettledLayaway ? notSettled(input.order) : input.verdict;
  const judgement = { ...input, verdict, rules: asOffered(input.rules, input.resolutionIds) };
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
  const against = eligibilityObjectionTo(line, { ...judgement, isTimeUp });
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
function eligibilityObjectionTo(
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

/** The code of the built-in returns provider in rows, settings and answers. */
export const builtInCode = 'builtin';

export interface RequestedLine {
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
export function objectionTo(order: OrderEligibility, requested: readonly RequestedLine[]): Objection | undefined {
  if (order.outcome === 'forbidden') return ownObjection(order, requested) ?? lineObjection(0, order);
  for (const orderItemId of new Set(requested.map((row) => row.orderItemId))) {
    const rows = requested.filter((row) => row.orderItemId === orderItemId);
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
function isTooMuch(rows: readonly RequestedLine[], left: Quantity): boolean {
  let rest = left;
  for (const { qty } of rows) {
    if (qty > rest) return true;
    rest = minus(rest, qty);
  }
  return false;
}

/** For a forbidden order, a line's own reason explains more. An expired period applies to all lines. */
function ownObjection({ lines }: OrderEligibility, requested: readonly RequestedLine[]): Objection | undefined {
  const line = lines.find(
    ({ orderItemId, outcome, reasonCode }) =>
      outcome === 'forbidden' &&
      reasonCode !== 'outside_period' &&
      requested.some((row) => row.orderItemId === orderItemId),
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
export const notEligible = (input: Objection): PosError =>
  invalid(`${input.orderItemId === 0 ? 'The order' : 'An item'} cannot be returned: ${input.reason}`, {
    outcome: 'return_not_eligible',
    reason_code: input.reasonCode,
    period_days: input.periodDays,
    order_item_id: input.orderItemId,
    ...(input.resolutionId === undefined ? {} : { resolution_id: input.resolutionId }),
    ...(input.allowedResolutionIds === undefined ? {} : { allowed_resolution_ids: input.allowedResolutionIds }),
  });

/** Why a return is not eligible whose money cannot go back: the settlement's own sentence, as a rule of the shop. */
export const moneyObjection = ({ message, parameters }: PosError) => ({
  outcome: 'forbidden' as const,
  reasonCode: 'vendor_rule' as const,
  reason: fillIn(message, parameters),
});
