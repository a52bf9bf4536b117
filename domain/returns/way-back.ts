import { settleMethods, type SettleMethod } from './refund-method.ts';

/**
 * How the money of a credit memo went back. A settle method: its return or collapsed return was settled so.
 * `layaway`: its cancellation. `referenced`: by hand, with the reference of a payment. `by_hand`: by hand without a
 * reference.
 */
export const waysBack = [...settleMethods, 'layaway', 'referenced', 'by_hand'] as const;
export type WayBack = SettleMethod | 'layaway' | 'referenced' | 'by_hand';

/**
 * Whether money that went back this way may be issued as credit (spec 4.6; our choice where the interface allows
 * more).
 *
 * Only where no tender gave money back: a return settled with `store_credit`, or an offline platform memo without a
 * payment reference. For an exchange, the new goods took the memo's money.
 */
export const mayBecomeCredit: Record<WayBack, boolean> = {
  original_payment: false,
  cash: false,
  terminal: false,
  manual_card: false,
  exchange: false,
  layaway: false,
  referenced: false,
  store_credit: true,
  by_hand: true,
};
