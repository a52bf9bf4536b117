import { invalid } from '../errors.ts';
import { isOver, type OrderState } from './order-state.ts';

/** The fields that decide whether an order still takes money. */
export interface Ending {
  state: OrderState;
  posLayawayStatus?: string | null | undefined;
}

/**
 * Not when it is cancelled or closed, nor when its layaway is cancelled: no memo or invoice would account for the
 * money.
 */
export const takesMoney = ({ state, posLayawayStatus }: Ending): boolean =>
  !isOver(state) && posLayawayStatus !== 'cancelled';

/**
 * The one guard before money is booked to an order, in every way: a save, an invoice, a layaway's payment, credit
 * due, credit (our choice). Refused with: 400 an order that is over.
 */
export function refuseMoneyIn(order: Ending): void {
  if (takesMoney(order)) return;
  if (isOver(order.state)) throw invalid('An order in state "%1" is over: it takes no more money.', [order.state]);
  throw invalid('The layaway is cancelled: it takes no more money.');
}
