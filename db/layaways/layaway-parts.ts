import { Order } from '../platform/orders/order.entity.ts';
import { of } from '../support/rows.ts';

/** What every read of a layaway takes from its order. */
export const layawayParts = {
  ...of(Order, 'entityId', 'incrementId', 'state', 'posLayawayStatus', 'orderCurrencyCode', 'grandTotal'),
  ...of(Order, 'totalPaid', 'dueTakenOff', 'posLayawayExpiresAt'),
};
