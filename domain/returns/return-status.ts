import { codeLabels } from '../code-labels.ts';
import { invalid } from '../errors.ts';
import { atLeastNone, minimum, minus, none, together, type Quantity } from '../money.ts';
import { brokenPieces } from '../platform/credit-memos/credit-memo-coins.ts';
import { noRefundToCancel, statusNotReachable, statusSetByVerb } from '../refusals/returns.ts';
import type { SettleMethod } from './resolution.ts';

/** The life of a return (spec 3.2): its statuses, which are final, and which verb leads where. */

export const openStatuses = [
  'pending',
  'requested',
  'authorized',
  'partially_authorized',
  'approved',
  'received',
  'received_partially',
  'items_received',
  'awaiting_refund',
] as const;

export const terminalStatuses = ['resolved', 'closed', 'processed_closed', 'rejected', 'denied'] as const;

export const returnStatuses = [...openStatuses, ...terminalStatuses] as const;
export type ReturnStatus = (typeof returnStatuses)[number];

const labels: Record<ReturnStatus, string> = {
  pending: 'Pending',
  requested: 'Requested',
  authorized: 'Authorized',
  partially_authorized: 'Partially Authorized',
  approved: 'Approved',
  received: 'Received',
  received_partially: 'Received Partially',
  items_received: 'Items Received',
  awaiting_refund: 'Awaiting Refund',
  resolved: 'Resolved',
  closed: 'Closed',
  processed_closed: 'Processed and Closed',
  rejected: 'Rejected',
  denied: 'Denied',
};

export const labelOf = (status: ReturnStatus) => labels[status];

/** A return never leaves a terminal status. */
export const isTerminal = (status: ReturnStatus) => (terminalStatuses as readonly string[]).includes(status);

/** Nothing was taken in, and no money went back: such a return may be deleted. */
export const deletableStatuses = [
  'pending',
  'requested',
  'rejected',
  'denied',
] as const satisfies readonly ReturnStatus[];

const decisions = ['approved', 'rejected', 'denied'] as const;
const arrivals = ['received', 'received_partially', 'items_received'] as const;

/**
 * Where a status may be set by hand, `PUT …/status` (spec 3.2 leaves the permitted moves open: our choice).
 *
 * A status may be set by hand only where it is a decision or describes received goods. Goods and money move only by
 * their own verbs.
 */
export const movesByHand: Record<ReturnStatus, readonly ReturnStatus[]> = {
  pending: ['requested', 'authorized', 'partially_authorized', ...decisions],
  requested: ['authorized', 'partially_authorized', ...decisions],
  authorized: ['partially_authorized', ...decisions],
  partially_authorized: ['authorized', ...decisions],
  approved: ['rejected', 'denied'],
  received: arrivals.filter((status) => status !== 'received'),
  received_partially: arrivals.filter((status) => status !== 'received_partially'),
  items_received: arrivals.filter((status) => status !== 'items_received'),
  awaiting_refund: [],
  resolved: [],
  closed: [],
  processed_closed: [],
  rejected: [],
  denied: [],
};

/** The verb that leads to a status, for statuses that cannot be set by hand alone. */
const verbs: Partial<Record<ReturnStatus, string>> = {
  received: 'receive',
  received_partially: 'receive',
  items_received: 'receive',
  awaiting_refund: 'settle',
  resolved: 'resolve',
  closed: 'close',
  processed_closed: 'close',
};

/**
 * From a parked return, cancelling its refund leads back to `received` (spec 3.2); the goods are not received twice.
 */
const verbFor = (from: ReturnStatus, to: ReturnStatus) =>
  from === 'awaiting_refund' && to === 'received' ? 'cancel-refund' : verbs[to];

/**
 * The status of a return after it was set by hand; setting the same status again changes nothing.
 *
 * Refused with 400: a move that `movesByHand` does not list, so any move from a final status; the message names the
 * permitted moves.
 */
export function moveByHand(from: ReturnStatus, to: ReturnStatus): ReturnStatus {
  if (from === to) return from;
  if (movesByHand[from].includes(to)) return to;
  const verb = isTerminal(from) ? undefined : verbFor(from, to);
  const choice = movesByHand[from].join(', ') || 'nothing';
  throw verb === undefined ? statusNotReachable([from, to, choice]) : statusSetByVerb([from, to, choice, verb]);
}

/**
 * The statuses from which a return may be settled (spec 3.2): once its goods are in. A return that is not parked yet
 * is parked and settled in one step (our choice).
 */
const settleable: readonly ReturnStatus[] = ['awaiting_refund', 'items_received', 'received', 'received_partially'];

export const canSettle = (status: ReturnStatus) => settleable.includes(status);

/**
 * 400 where there is no refund to cancel (spec 3.2). `received` is the status after a cancel, so it may be asked
 * again.
 */
export function refuseUnlessParked(status: ReturnStatus): void {
  if (status !== 'awaiting_refund' && status !== 'received') throw noRefundToCancel([status]);
}

/** The goods that go back to the buyer when a return ends without a refund (spec 3.2 close). */

export interface TakenIn {
  returnItemId: number;
  sku: string;
  /** The source it was put into; null: written off, no stock was changed. */
  sourceCode: string | null;
  qty: Quantity;
  /** The quantity requested, whether it reached the counter or not. */
  qtyRequested: Quantity;
  /** The part that was never handed over to the buyer: it stays in stock. */
  qtyNeverShipped: Quantity;
}

export interface OnShelf {
  sku: string;
  sourceCode: string;
  qty: Quantity;
}

export interface ReturnedToBuyer {
  returnItemId: number;
  sku: string;
  sourceCode: string | null;
  qty: Quantity;
  /** What should have gone back but is no longer there: sold or moved meanwhile. */
  qtyMissing: Quantity;
}

/**
 * Takes each line out of the source it was put into, as far as it is still there: never below zero.
 *
 * Lines of one product at one source share its stock, in their order.
 */
export function returnToBuyer(lines: readonly TakenIn[], shelves: readonly OnShelf[]): ReturnedToBuyer[] {
  const left = shelves.map((shelf) => ({ ...shelf, qty: atLeastNone(shelf.qty) }));
  return lines.map(({ returnItemId, sku, sourceCode, qty: takenIn, qtyRequested, qtyNeverShipped }) => {
    const due = minimum(takenIn, atLeastNone(minus(qtyRequested, qtyNeverShipped)));
    if (sourceCode === null) return { returnItemId, sku, sourceCode, qty: due, qtyMissing: none };
    const shelf = left.find((one) => one.sku === sku && one.sourceCode === sourceCode);
    const qty = minimum(due, shelf?.qty ?? none);
    if (shelf) shelf.qty = minus(shelf.qty, qty);
    return { returnItemId, sku, sourceCode, qty, qtyMissing: minus(due, qty) };
  });
}

/** A collapsed return: goods back and money back in one call (spec 4.8). */

export const processResolutions = ['refund', 'store_credit', 'exchange'] as const;
export type ProcessResolution = (typeof processResolutions)[number];

/**
 * `open` covers a refund whose end is not known; `refused` a definite no; `failed` a provider that cannot be relied on;
 * `unattempted` an existing return that no provider took on, which is no refusal.
 */
export const processStates = ['open', 'done', 'refused', 'failed', 'unattempted'] as const;
export type ProcessState = (typeof processStates)[number];

/** Why a collapsed return is `unattempted`, in words for a register and for the histories. */
export const whyUnattempted = (returnIncrementId: string | null) =>
  `No returns provider took return ${returnIncrementId ?? ''} on.`;

/** `taken`: a provider took it on. `passed`: every provider declined. Until then they are asked in order. */
export const processStages = ['asking', 'taken', 'passed'] as const;
export type ProcessStage = (typeof processStages)[number];

/**
 * How the money of a collapsed return goes back. Only a refund goes through the gateway: store credit and an exchange
 * stay in the shop, whatever `isOnline` says (our choice).
 */
export function methodOfProcess({
  resolution,
  isOnline,
}: {
  resolution: ProcessResolution;
  isOnline: boolean;
}): SettleMethod {
  if (resolution !== 'refund') return resolution;
  return isOnline ? 'original_payment' : 'cash';
}

/** The provider's option for a collapsed return's resolution; undefined when it has none. */
export const optionOfProcess = (resolution: ProcessResolution, options: readonly ReturnOption[]) =>
  options.find(({ behavior, isStoreCredit }) =>
    resolution === 'exchange'
      ? behavior === 'exchange'
      : behavior === 'refund' && isStoreCredit === (resolution === 'store_credit'),
  );

/** The provider that the order's history names for the failure of a collapsed return. */
export const whoRan = (providerCode: string | null, stage: ProcessStage) =>
  stage === 'passed' || providerCode === null ? 'the core refund' : `the returns provider "${providerCode}"`;

export interface RowOfLine {
  orderItemId: number;
  qty: Quantity;
}

/** A line may come back in several rows, each with its own condition: this sums them for each line. */
export function perLine(rows: readonly RowOfLine[]): RowOfLine[] {
  const sums = new Map<number, Quantity>();
  for (const { orderItemId, qty } of rows) sums.set(orderItemId, together([sums.get(orderItemId) ?? none, qty]));
  return [...sums].map(([orderItemId, qty]) => ({ orderItemId, qty }));
}

/** The choices a register offers when goods come back (spec 4.8 options). The built-in labels are their own ids. */

export const resolutionBehaviors = ['refund', 'exchange', 'unsupported'] as const;
export type ResolutionBehavior = (typeof resolutionBehaviors)[number];

export interface ReturnOption {
  id: string;
  label: string;
  behavior: ResolutionBehavior | null;
  isStoreCredit: boolean | null;
}

/** The choices of a returns provider in a store view. */
export interface ReturnOptions {
  reasons: readonly ReturnOption[];
  conditions: readonly ReturnOption[];
  resolutions: readonly ReturnOption[];
}

const plain = (label: string): ReturnOption => ({ id: label, label, behavior: null, isStoreCredit: null });
const resolution = (label: string, behavior: ResolutionBehavior, isStoreCredit = false): ReturnOption => ({
  id: label,
  label,
  behavior,
  isStoreCredit,
});

/** The conditions of the built-in provider. */
export const builtInConditions = ['Unopened', 'Opened', 'Damaged'].map(plain);

/**
 * The built-in provider's choices. Reasons are a setting of the store, as `Changed mind,Wrong size`: the spec leaves
 * them to the provider.
 */
export const builtInOptions = (reasons: string): ReturnOptions => ({
  reasons: codeLabels(reasons).map(({ label }) => plain(label)),
  conditions: builtInConditions,
  resolutions: [
    resolution('Refund', 'refund'),
    resolution('Exchange', 'exchange'),
    resolution('Store Credit', 'refund', true),
  ],
});

/** Finds the option that a row names by id or by label; undefined when it is not on offer. */
export const findOption = (options: readonly ReturnOption[], id: string | undefined, label: string | undefined) =>
  options.find((option) => (id === undefined ? option.label === label : option.id === id));

/** Finds the option for one word, where a row has no separate id: by label first, then by id. */
export const optionNamed = (options: readonly ReturnOption[], word: string | undefined) =>
  word === undefined ? undefined : (findOption(options, undefined, word) ?? findOption(options, word, undefined));

/** The result of the inspection at the counter; it decides where the goods go (spec 4.8). */
export const inspections = ['pristine', 'damaged', 'dispose'] as const;
export type Inspection = (typeof inspections)[number];

/** A receive may use the inspection's words or a customer's words for the condition (our choice). */
const meanings = new Map<string, Inspection>([
  ['pristine', 'pristine'],
  ['unopened', 'pristine'],
  ['opened', 'pristine'],
  ['damaged', 'damaged'],
  ['dispose', 'dispose'],
]);

/** The inspection that a receive's `condition` means, in any letter case; undefined for an unknown word. */
export const inspectionOf = (condition: string): Inspection | undefined => meanings.get(condition.trim().toLowerCase());

/**
 * What a line's condition means for received goods without an inspection. Only damaged goods are kept from sale,
 * where a source for them exists (our choice). Null: they count as pristine.
 */
export const inspectionByCondition = (
  condition: string | null | undefined,
  { hasDamagedShelf }: { hasDamagedShelf: boolean },
): Inspection | null => (hasDamagedShelf && inspectionOf(condition ?? '') === 'damaged' ? 'damaged' : null);

/** The customer's word for the condition, where the receive used one: from then on the line shows it. */
export const conditionLabelOf = (condition: string): string | undefined =>
  builtInConditions.find(({ label }) => label === condition.trim())?.label;

interface Sold {
  orderItemId: number;
  sku: string;
  isQtyDecimal: boolean;
}

/**
 * Refuses a fraction of goods sold by the piece, in the words of the credit memo that could not be booked. Each row
 * counts by itself: two halves are not one whole piece in stock.
 */
export function refuseBrokenPieces(sold: readonly Sold[], rows: readonly { orderItemId: number; qty: Quantity }[]) {
  const [broken] = brokenPieces(sold, rows);
  if (broken !== undefined) throw invalid(broken);
}
