import type { Scenario } from '../scenario.ts';
import { orderOf } from './create-order.ts';

const sales: { orderId: number; orderItemId: number }[] = [];
const saleCount = 50;

const lineOf = (orderId: unknown) => sales.find((sale) => sale.orderId === orderId)?.orderItemId;

/** A cashier's preview of a refund. */
export const previewRefund: Scenario = {
  name: 'refund preview',
  loads: [{ connections: 16, atLeast: null }],
  async prepare({ send }) {
    for (let n = 0; n < saleCount; n++) {
      const entity = orderOf(`previewed-${n}`);
      const { answer } = await send({ method: 'POST', path: '/V1/orders', body: { entity } });
      const { entity_id: orderId, items } = answer as { entity_id: number; items: { item_id: number }[] };
      await send({ method: 'POST', path: `/V1/order/${orderId}/invoice`, body: { capture: true } });
      sales.push({ orderId, orderItemId: items[0]?.item_id ?? 0 });
    }
  },
  request: (orderId) => ({
    method: 'POST',
    path: '/V1/pos/refunds/preview',
    body: { orderId, items: JSON.stringify([{ order_item_id: lineOf(orderId), qty: 1 }]) },
  }),
  subjectOf: (n) => sales[n % saleCount]?.orderId ?? 0,
};
