/** Order states and the status each starts with (platform facts 5.3). */

export const orderStates = [
  'new',
  'pending_payment',
  'processing',
  'complete',
  'closed',
  'canceled',
  'holded',
  'payment_review',
] as const;
export type OrderState = (typeof orderStates)[number];

/** The status a state gets when nothing else is asked for. */
export const defaultStatus: Record<OrderState, string> = {
  new: 'pending',
  pending_payment: 'pending_payment',
  processing: 'processing',
  complete: 'complete',
  closed: 'closed',
  canceled: 'canceled',
  holded: 'holded',
  payment_review: 'payment_review',
};
