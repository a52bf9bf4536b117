import { type Amount, atLeastNone, minimum, minus, type Quantity } from '../money.ts';
import {
  lineNamedTwice,
  lineNeedsResolution,
  resolutionMovesNoMoney,
  resolutionsDiffer,
  returnHasNoLine,
} from '../refusals/returns.ts';

/** Refused with: 400 a line of another return, or the same line twice. */
export function refuseWrongLines(itemIds: readonly number[], named: readonly number[]): void {
  const stranger = named.find((itemId) => !itemIds.includes(itemId));
  if (stranger !== undefined) throw returnHasNoLine([stranger]);
  const twice = named.find((itemId, at) => named.indexOf(itemId) !== at);
  if (twice !== undefined) throw lineNamedTwice([twice]);
}

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
  if (missing !== undefined) throw lineNeedsResolution([missing]);
  for (const { rmaItemId, mode, refundMethod } of resolutions) {
    if (refundMethod !== null && !movesMoney(mode)) throw resolutionMovesNoMoney([mode, rmaItemId]);
  }
  const methods = new Set(resolutions.flatMap(({ refundMethod }) => refundMethod ?? []));
  const [method = null, another] = methods;
  if (another !== undefined) throw resolutionsDiffer([method, another]);
  return method;
}

/** How a return's money goes back (spec 2.11, 4.8). */

/** The methods that a create with `autoApprove` may ask for, and that a return can show. */
export const refundMethods = ['original_payment', 'cash', 'terminal', 'exchange', 'store_credit'] as const;

/** The methods that a settle may name: `manual_card` is a card refunded by hand at its terminal. */
export const settleMethods = [...refundMethods, 'manual_card'] as const;
export type SettleMethod = (typeof settleMethods)[number];

/** The methods by which a tender line gives money back. */
export const tenderMethods = ['original_payment', 'cash', 'terminal', 'manual_card'] as const;
export type TenderMethod = (typeof tenderMethods)[number];

/** A tender line as a settle sends it: by its number or by its method. */
export interface RequestedTender {
  lineId?: number;
  method?: TenderMethod;
  amount: Amount;
  reference?: string;
  paymentId?: string;
}

/** The method a return shows (spec 2.11): `manual_card` is shown as `terminal`, where the money went back. */
export const shownMethod = (method: SettleMethod | null): (typeof refundMethods)[number] | null =>
  method === 'manual_card' ? 'terminal' : method;

/**
 * How the money of a credit memo went back. A settle method: its return or collapsed return was settled so.
 * `layaway`: its cancellation. `referenced`: by hand, with the reference of a payment. `by_hand`: by hand without a
 * reference.
 */
export const waysBack = [...settleMethods, 'layaway', 'referenced', 'by_hand'] as const;
export type WayBack = SettleMethod | 'layaway' | 'referenced' | 'by_hand';

/**
 * Whether money that went back this way may be issued as credit (spec 4.6; our choice where the interface allows
 * more).
 *
 * Only where no tender gave money back: a return settled with `store_credit`, or an offline platform memo without a
 * payment reference. For an exchange, the new goods took the memo's money.
 */
export const mayBecomeCredit: Record<WayBack, boolean> = {
  original_payment: false,
  cash: false,
  terminal: false,
  manual_card: false,
  exchange: false,
  layaway: false,
  referenced: false,
  store_credit: true,
  by_hand: true,
};

/** Where the goods of a returned line go (spec 4.8): the condition decides, unless the caller names a destination. */

export interface InspectedLine {
  inspectedCondition: 'pristine' | 'damaged' | 'dispose' | null;
  returnToStock: boolean;
  qtyRequested: Quantity;
  /** The real quantity on the counter; it never changes the refund, only the stock. */
  qtyReceived: Quantity | null;
  targetSourceCode: string | null;
}

export interface Places {
  /** Where the line was shipped from. */
  originSourceCode: string | null;
  damagedSourceCode: string | null;
}

export type Destination =
  | { kind: 'source'; sourceCode: string; qty: Quantity }
  | { kind: 'written_off'; qty: Quantity }
  /** No destination is known: the receive is refused and names the reason. */
  | { kind: 'unknown'; condition: 'pristine' | 'damaged' };

/**
 * Each line has one destination. Without an inspection it counts as pristine. The received quantity is at most the
 * requested one.
 */
export function routeReturnedLine(line: InspectedLine, places: Places): Destination {
  const qty = line.qtyReceived === null ? line.qtyRequested : minimum(line.qtyReceived, line.qtyRequested);
  const condition = line.inspectedCondition ?? 'pristine';
  if (condition === 'dispose' || !line.returnToStock) return { kind: 'written_off', qty };
  const usual = condition === 'damaged' ? places.damagedSourceCode : places.originSourceCode;
  const sourceCode = line.targetSourceCode ?? usual;
  return sourceCode === null ? { kind: 'unknown', condition } : { kind: 'source', sourceCode, qty };
}

/** How much of a returned line came from the buyer, and how much never left the shop (spec 4.8 quantity contract). */

export interface ReturnedQuantities {
  requested: Quantity;
  /** The quantity on the counter; at most what was requested. */
  received: Quantity;
}

export interface ShippedLine {
  /** Virtual goods are never handed over from a stock. */
  isVirtual: boolean;
  qtyShipped: Quantity;
  /** How many shipped ones came back before. */
  qtyCameBack: Quantity;
}

export interface Arrived {
  /** Back from the buyer, on the counter now. */
  cameBack: Quantity;
  /** Never handed over, but inspected now: it goes where the line's condition says. */
  lookedAt: Quantity;
  /** Never handed over, inspected or not. */
  neverShipped: Quantity;
}

/** Shipped goods come back first; only the quantity beyond them was never handed over. */
export function arrivedOf({ requested, received }: ReturnedQuantities, line: ShippedLine | undefined): Arrived {
  const withBuyer = line && !line.isVirtual ? atLeastNone(minus(line.qtyShipped, line.qtyCameBack)) : requested;
  const neverShipped = atLeastNone(minus(requested, withBuyer));
  const cameBack = minimum(received, minus(requested, neverShipped));
  return { cameBack, lookedAt: minus(received, cameBack), neverShipped };
}
