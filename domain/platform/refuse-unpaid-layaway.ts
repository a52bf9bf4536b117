import { invalid } from '../errors.ts';
import { subtract, toPlain, zero, type Amount } from '../money/amount.ts';
import { coinOf, toCoins } from '../money/coins.ts';

export interface LayawayToSettle {
  posLayawayStatus?: string | null | undefined;
  grandTotal: Amount;
  totalPaid: Amount;
  orderCurrencyCode: string;
}

/**
 * An invoice of a layaway is paid once nothing is owed (spec 3.1: only what is ready to settle is settled). Paid
 * earlier, the rest would count as money although it was never received.
 *
 * Refused with: 400 a layaway that still owes something.
 */
export function refuseUnpaidLayaway(layaway: LayawayToSettle): void {
  const { posLayawayStatus, grandTotal, totalPaid, orderCurrencyCode } = layaway;
  const owed = toCoins(subtract(grandTotal, totalPaid), coinOf(orderCurrencyCode));
  if ((posLayawayStatus ?? '') === '' || owed <= zero) return;
  throw invalid('The layaway still owes %1. Take its payments first: its invoice is paid when nothing is owed.', [
    toPlain(owed),
  ]);
}
