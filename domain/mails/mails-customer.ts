import type { SettleMethod } from '../returns/refund-method.ts';

/** Whether a method honours `notifyCustomer`. Where cash or goods cross the counter, no mail is needed (spec 4.8). */
const honoured: Record<SettleMethod, boolean> = {
  original_payment: true,
  store_credit: true,
  terminal: true,
  cash: false,
  exchange: false,
  manual_card: false,
};

export const mailsCustomer = (method: SettleMethod, { notifyCustomer }: { notifyCustomer: boolean }): boolean =>
  notifyCustomer && honoured[method];
