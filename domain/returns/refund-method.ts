/** How a return's money goes back (spec 2.11, 4.8). */

/** What a create with `autoApprove` may ask for, and what a return can show. */
export const refundMethods = ['original_payment', 'cash', 'terminal', 'exchange', 'store_credit'] as const;

/** What a settle may say: `manual_card` is a card refunded by hand at its terminal. */
export const settleMethods = [...refundMethods, 'manual_card'] as const;
export type SettleMethod = (typeof settleMethods)[number];

/** As a return shows it (spec 2.11): by hand or not, the money went back at the terminal. */
export const shownMethod = (method: SettleMethod | null): (typeof refundMethods)[number] | null =>
  method === 'manual_card' ? 'terminal' : method;
