import { invalid } from '../errors.ts';
import { isOver, type OrderState } from './order-state.ts';

/** What says whether an order still takes money. */
export interface Ending {
  state: OrderState;
  posLayawayStatus?: string | null | undefined;
}

/** Not once it is cancelled or closed, nor once its layaway is cancelled: no memo and no invoice would account for it. */
export const takesMoney = ({ state, posLayawayStatus }: Ending): boolean =>
  !isOver(state) && posLayawayStatus !== 'cancelled';

/**
 * The one guard of money into an order, whichever way it comes: a save, an invoice, a layaway's payment, credit due, credit
 * (our choice). Refused with: 400 an order that is over.
 */
export function refuseMoneyIn(order: Ending): void {
  if (takesMoney(order)) return;
  if (isOver(order.state)) throw invalid('An order in state "%1" is over: it takes no more money.', [order.state]);
  throw invalid('The layaway is cancelled: it takes no more money.');
}
