import { invalid } from '../errors.ts';

/** The life of a return (spec 3.2): its words, which of them are final, and which verb moves it where. */

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

/** Terminal states are sticky: nothing moves a return out of one. */
export const isTerminal = (status: ReturnStatus) => (terminalStatuses as readonly string[]).includes(status);

const decisions = ['approved', 'rejected', 'denied'] as const;
const arrivals = ['received', 'received_partially', 'items_received'] as const;

/**
 * Where a status may be set by hand, `PUT …/status` (spec 3.2 leaves the permitted moves open: our choice).
 *
 * By hand only what is a decision or a word for goods that are in: goods and money move by the verbs made for them.
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

/** The verb that does what a status means, for those nobody sets by hand alone. */
const verbs: Partial<Record<ReturnStatus, string>> = {
  received: 'receive',
  received_partially: 'receive',
  items_received: 'receive',
  awaiting_refund: 'settle',
  resolved: 'resolve',
  closed: 'close',
  processed_closed: 'close',
};

/** From a parked return cancelling its refund leads back to `received` (spec 3.2); nothing is received a second time. */
const verbFor = (from: ReturnStatus, to: ReturnStatus) =>
  from === 'awaiting_refund' && to === 'received' ? 'cancel-refund' : verbs[to];

/**
 * The status a return has after somebody set it by hand; one that is set again stays.
 *
 * Refused with 400: a move that `movesByHand` does not have, so any move from a final status; the message names the moves
 * there are.
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
