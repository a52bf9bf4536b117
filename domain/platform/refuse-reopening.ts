import { invalid } from '../errors.ts';
import type { OrderState } from './order-state.ts';

/**
 * A cancelled order stays cancelled (our choice; the stock platform takes any state). Its credit, points and reserved
 * goods were given back, and a reopened order would use them twice.
 *
 * @param sent what a save asks for; undefined leaves the state as it is
 *
 * Refused with: 400 another state for a cancelled order.
 */
export function refuseReopening(stored: OrderState, sent: OrderState | undefined): void {
  if (stored !== 'canceled' || sent === undefined || sent === stored) return;
  throw invalid('A cancelled order cannot be opened again. Place a new one.');
}
