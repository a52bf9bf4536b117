/** How a return's money goes back (spec 2.11, 4.8). */

/** The methods that a create with `autoApprove` may ask for, and that a return can show. */
export const refundMethods = ['original_payment', 'cash', 'terminal', 'exchange', 'store_credit'] as const;

/** The methods that a settle may name: `manual_card` is a card refunded by hand at its terminal. */
export const settleMethods = [...refundMethods, 'manual_card'] as const;
export type SettleMethod = (typeof settleMethods)[number];

/** The method a return shows (spec 2.11): `manual_card` is shown as `terminal`, where the money went back. */
export const shownMethod = (method: SettleMethod | null): (typeof refundMethods)[number] | null =>
  method === 'manual_card' ? 'terminal' : method;
