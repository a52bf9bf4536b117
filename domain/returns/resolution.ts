import { invalid } from '../errors.ts';
import { refuseWrongLines } from './named-lines.ts';
import type { SettleMethod } from './refund-method.ts';

/** What a shop decides for the lines of a return (spec 4.8 resolve), and which lines give money back. */

export const resolutionModes = ['refund', 'store_credit', 'exchange', 'repair', 'dispose'] as const;
export type ResolutionMode = (typeof resolutionModes)[number];

/** The label on the line (spec 2.11 `resolution`). */
export const resolutionLabels: Record<ResolutionMode, string> = {
  refund: 'Refund',
  store_credit: 'Store Credit',
  exchange: 'Exchange',
  repair: 'Repair',
  dispose: 'Dispose',
};

/** Goods that are repaired or disposed of stay paid for. */
const movesMoney = (mode: ResolutionMode) => mode !== 'repair' && mode !== 'dispose';

export interface Decided {
  resolutionMode?: ResolutionMode | null | undefined;
  refundMethod?: SettleMethod | null | undefined;
}

/**
 * Whether a settlement gives the line's money back. Undecided lines do; decided lines only when they move money and
 * name a method (our choice).
 */
export const isRefunded = ({ resolutionMode, refundMethod }: Decided) =>
  resolutionMode == null || (movesMoney(resolutionMode) && refundMethod != null);

/** A return whose lines all have a resolution ends as resolved, any other as closed. */
export const settledStatus = (lines: readonly Decided[]): 'resolved' | 'closed' =>
  lines.length > 0 && lines.every(({ resolutionMode }) => resolutionMode != null) ? 'resolved' : 'closed';

/** One sentence for the history: `Resolved: MUG Refund by cash; PLATE Repair, no money moves.` */
export const describeResolutions = (lines: readonly (Decided & { sku: string })[]): string =>
  `Resolved: ${lines.map((line) => `${line.sku} ${describe(line)}`).join('; ')}.`;

const describe = (line: Decided): string =>
  `${line.resolutionMode == null ? 'undecided' : resolutionLabels[line.resolutionMode]}${
    isRefunded(line) && line.refundMethod != null ? ` by ${line.refundMethod}` : ', no money moves'
  }`;

export interface LineResolution {
  rmaItemId: number;
  mode: ResolutionMode;
  /** Null: the line gives no money back. */
  refundMethod: SettleMethod | null;
}

/**
 * The refund method of a set of resolutions.
 *
 * A return has one settlement and one credit memo, so all lines with money must name the same method (our choice).
 *
 * @param itemIds the lines of the return
 * @returns null when no money moves
 *
 * Refused with 400: a line of another return, a line named twice or missing, a method on a line that moves no money,
 * two methods.
 */
export function methodOfResolutions(
  itemIds: readonly number[],
  resolutions: readonly LineResolution[],
): SettleMethod | null {
  const named = resolutions.map(({ rmaItemId }) => rmaItemId);
  refuseWrongLines(itemIds, named);
  const missing = itemIds.find((itemId) => !named.includes(itemId));
  if (missing !== undefined) throw invalid('Every line of the return needs a resolution; line %1 has none.', [missing]);
  for (const { rmaItemId, mode, refundMethod } of resolutions) {
    if (refundMethod !== null && !movesMoney(mode))
      throw invalid('The resolution "%1" of line %2 moves no money: leave its refund_method out.', [mode, rmaItemId]);
  }
  const methods = new Set(resolutions.flatMap(({ refundMethod }) => refundMethod ?? []));
  const [method = null, another] = methods;
  if (another !== undefined)
    throw invalid('A return is settled in one way; its lines name "%1" and "%2".', [method, another]);
  return method;
}
