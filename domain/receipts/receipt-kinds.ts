/** The kinds of receipts (spec 2.14). A regular sale has no such word. */
export const saleTypes = ['refund', 'exchange'] as const;

export const layawayKinds = ['deposit', 'top_up', 'settlement', 'credit_due'] as const;
