import { invalid } from '../errors.ts';

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
  throw verb === undefined
    ? invalid('A return in status "%1" cannot be set to "%2". By hand it can be set to: %3.', [from, to, choice])
    : invalid('A return in status "%1" cannot be set to "%2" by hand; the verb "%4" does that. It can be set to: %3.', [
        from,
        to,
        choice,
        verb,
      ]);
}
