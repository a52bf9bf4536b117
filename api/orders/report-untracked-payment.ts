import type { OrderHook } from '../../db/platform/order-saves/create-order.ts';
import type { SavedOrder } from '../../db/platform/orders/insert-order.ts';
import type { PostedOrder } from '../../db/platform/orders/posted-order.ts';
import type { FactsOfGateways } from '../../providers/gateways/payment-gateway.ts';
import type { RouteContext } from '../http/route.ts';

type Place = (posted: PostedOrder, around: RouteContext, noted: OrderHook) => Promise<SavedOrder>;

/** The store view of an order without a store. */
const defaultStoreId = 1;

/**
 * Adds a comment to a new order whose card payment cannot be refunded through a gateway, because it came without a
 * transaction. The order is still placed (our choice), because its money was taken. A later save can add the
 * transaction.
 *
 * Checked before the order's transaction begins; for a payment with a transaction nothing is read.
 */
export const reportUntrackedPayment =
  (place: Place): Place =>
  async (posted, around, noted) => {
    const storeId = posted.columns.storeId ?? (around.store.storeId || defaultStoreId);
    return place(await withRemark(posted, around.providers.gatewayFacts, storeId), around, noted);
  };

async function withRemark(posted: PostedOrder, gateways: FactsOfGateways, storeId: number): Promise<PostedOrder> {
  const { method: paymentMethod = '', lastTransId } = posted.payment ?? {};
  if (paymentMethod === '' || (lastTransId ?? '') !== '') return posted;
  const gateway = await gateways.for({ paymentMethod, storeId });
  if (gateway === undefined || gateway.canTrack(null)) return posted;
  return { ...posted, ownComments: [{ comment: remark(paymentMethod) }] };
}

const remark = (method: string) =>
  `This payment by "${method}" cannot be tracked: the order came without its transaction id. Until a save of the order tells it, the register cannot refund the card.`;
