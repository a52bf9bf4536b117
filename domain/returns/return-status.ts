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

/** Goods of a return count against what may still come back, unless it ended without them (our choice, I-18). */
export const countsAsReturned = (status: ReturnStatus, hasCreditMemo: boolean) =>
  status !== 'rejected' && status !== 'denied' && (status !== 'closed' || hasCreditMemo);
