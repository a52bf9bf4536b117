/** What a receipt is of (spec 2.14). A regular sale has neither. */
export const saleTypes = ['refund', 'exchange'] as const;

export const layawayKinds = ['deposit', 'top_up', 'settlement', 'credit_due'] as const;
