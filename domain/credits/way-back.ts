import { settleMethods, type SettleMethod } from '../returns/refund-method.ts';

/**
 * How the money of a credit memo went back: as its return or its run was settled, with a layaway's cancellation, by hand
 * with the reference of a payment (`referenced`), or by hand without a word of any payment (`by_hand`).
 */
export const waysBack = [...settleMethods, 'layaway', 'referenced', 'by_hand'] as const;
export type WayBack = SettleMethod | 'layaway' | 'referenced' | 'by_hand';

/**
 * Whether money that went back this way may be issued as credit (spec 4.6; our choice where the interface allows more).
 *
 * Only money that no tender gave back: a return settled with `store_credit`, and an offline memo of the platform that
 * names no payment. The goods of an exchange have the money of its memo.
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
