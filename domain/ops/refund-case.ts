/** By which means money is handed back that a processor never gave back. */
export const refundCaseMeans = ['processor', 'cash', 'transfer', 'store_credit'] as const;
export type RefundCaseMeans = (typeof refundCaseMeans)[number];

/** How long a wrong "refunded" can be called wrong on the operator's page. */
export const wrongWithinHours = 24;
