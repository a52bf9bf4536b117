import { invalidValue } from '../errors.ts';
import { add, formatAmount, isPositive, toPlain, zero, type Amount, type InBoth } from '../money.ts';
import {
  lineWithoutGateway,
  referenceTwice,
  tenderNamedTwice,
  tendersDiffer,
  tenderTookLess,
  tenderUnclear,
  tenderUnknown,
} from '../refusals/tenders.ts';
import { tenderMethods, type RequestedTender, type TenderMethod } from '../returns/resolution.ts';
import { refuseFinerThanCoin } from '../whole-coins.ts';
import { isCard, type LineSource, type Tender, type TenderLine } from './tender-lines.ts';

/** A tender line of a settlement. */
export interface SettleLine {
  lineId: number;
  method: TenderMethod;
  paymentMethod: string;
  paymentId: string | null;
  source: LineSource;
  paid: InBoth;
  amount: Amount;
  reference: string | null;
}

export interface ToSettle {
  requested: readonly RequestedTender[];
  tenders: readonly TenderLine[];
  /** Lines of earlier settles of the return for which the order has no tender: they keep their numbers. */
  extra: readonly { lineId: number; method: string }[];
  handback: Amount;
  currencyCode: string;
}

/**
 * The lines of a settlement, in the order of their numbers.
 *
 * Refused with: 400 a line that the order has not, one that is named twice, a card that is not clear, a reference of
 * cash or of the gateway's own refund, a sum that is not the handback (with both figures), more than a card can give back.
 */
export function settleLines(settle: ToSettle): SettleLine[] {
  const { requested, tenders, handback, currencyCode } = settle;
  const lines: SettleLine[] = [];
  for (const tender of requested) {
    refuseFinerThanCoin(tender.amount, currencyCode);
    if (!isPositive(tender.amount)) throw invalidValue('amount', formatAmount(tender.amount));
    lines.push(lineOf(tender, settle, lines));
  }
  refuseDoubles(lines);
  const sum = add(zero, ...lines.map(({ amount }) => amount));
  if (sum !== handback) throw tendersDiffer({ sum: toPlain(sum), handback: toPlain(handback) });
  for (const { lineId, method, amount } of lines) {
    const tender = tenders.find((one) => one.lineId === lineId);
    if (tender === undefined || !isCard(method) || amount <= tender.available.order) continue;
    throw tenderTookLess({ line_id: lineId, available: toPlain(tender.available.order), amount: toPlain(amount) });
  }
  return lines.toSorted((one, other) => one.lineId - other.lineId);
}

function lineOf(requested: RequestedTender, settle: ToSettle, before: readonly SettleLine[]): SettleLine {
  const { amount, reference = null } = requested;
  const tender = tenderOf(requested, settle, before);
  const method = requested.method ?? methodOf(tender);
  if (method === 'original_payment' && tender?.method !== 'original_payment') {
    throw lineWithoutGateway({ line_id: tender?.lineId ?? null });
  }
  if (reference !== null && (method === 'cash' || method === 'original_payment'))
    throw invalidValue('reference', reference);
  if (tender) {
    const { lineId, paymentMethod, paymentId, source, paid } = tender;
    return { lineId, method, paymentMethod, paymentId, source, paid, amount, reference };
  }
  const lineId = requested.lineId ?? nextLine(method, settle, before);
  const paid = { order: zero, base: zero };
  const paymentId = requested.paymentId ?? null;
  return { lineId, method, paymentMethod: method, paymentId, source: 'settle', paid, amount, reference };
}

const methodOf = (tender: Tender | undefined): TenderMethod =>
  tenderMethods.find((method) => method === tender?.method) ?? 'cash';

/** Undefined: the order has no such tender. */
function tenderOf(
  { lineId, method, paymentId }: RequestedTender,
  { tenders, extra }: ToSettle,
  before: readonly SettleLine[],
): TenderLine | undefined {
  if (lineId !== undefined) {
    const tender = tenders.find((one) => one.lineId === lineId);
    if (tender) return tender;
    if (method !== undefined && extra.some((one) => one.lineId === lineId && one.method === method)) return undefined;
    throw tenderUnknown({ line_id: lineId });
  }
  if (method === undefined) throw invalidValue('method', '');
  const free = tenders.filter(
    (tender) =>
      !before.some((line) => line.lineId === tender.lineId) &&
      (paymentId === undefined || tender.paymentId === paymentId),
  );
  const same = free.filter((tender) => tender.method === method);
  const candidates = same.length === 0 && isCard(method) ? free.filter((tender) => isCard(tender.method)) : same;
  if (candidates.length > 1 && isCard(method)) throw tenderUnclear({ method });
  if (candidates.length === 0 && method === 'original_payment') throw lineWithoutGateway({ line_id: null });
  return candidates[0];
}

/** After the order's own tenders; the same method has the same number in every settle of a return. */
function nextLine(method: TenderMethod, { tenders, extra }: ToSettle, before: readonly SettleLine[]): number {
  const known = extra.find((line) => line.method === method);
  if (known) return known.lineId;
  return Math.max(0, ...[...tenders, ...extra, ...before].map(({ lineId }) => lineId)) + 1;
}

function refuseDoubles(lines: readonly SettleLine[]): void {
  const twice = lines.find(({ lineId }, index) => lines.findIndex((line) => line.lineId === lineId) !== index);
  if (twice) throw tenderNamedTwice({ line_id: twice.lineId });
  const references = lines.flatMap(({ reference }) => reference ?? []);
  const repeated = references.find((reference, index) => references.indexOf(reference) !== index);
  if (repeated !== undefined) throw referenceTwice({ reference: repeated });
}

/** The method that a return shows which was settled by several lines: that of the largest, the first of equal ones. */
export const methodOfLargest = <Method>(lines: readonly { amount: Amount; method: Method }[]): Method | undefined =>
  lines.reduce<{ amount: Amount; method: Method } | undefined>(
    (largest, line) => (largest === undefined || line.amount > largest.amount ? line : largest),
    undefined,
  )?.method;

/** One sentence of how a refund was split: `150 by original_payment, 100 by cash`. */
export const splitInWords = (lines: readonly { amount: Amount; method: string }[]): string =>
  lines.map(({ amount, method }) => `${toPlain(amount)} by ${method}`).join(', ');
