import type { SettleMethod } from '../returns/refund-method.ts';

/** Whether `notifyCustomer` is honoured for a method; where cash or goods cross the counter there is nothing to tell (spec 4.8). */
const honoured: Record<SettleMethod, boolean> = {
  original_payment: true,
  store_credit: true,
  terminal: true,
  cash: false,
  exchange: false,
  manual_card: false,
};

export const tellsCustomer = (method: SettleMethod, { notifyCustomer }: { notifyCustomer: boolean }): boolean =>
  notifyCustomer && honoured[method];
