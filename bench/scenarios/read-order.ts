import type { Scenario } from '../scenario.ts';
import { firstIds } from '../shop.ts';
import { orderOf } from './create-order.ts';

/** How many orders are read in turn; created before the measurement. */
export const orderCount = 200;

/** A register that looks up a sale. */
export const readOrder: Scenario = {
  name: 'order read',
  loads: [{ connections: 16, atLeast: null }],
  request: (orderId) => ({ method: 'GET', path: `/V1/orders/${orderId}` }),
  async prepare({ send }) {
    for (let n = 0; n < orderCount; n++) {
      await send({ method: 'POST', path: '/V1/orders', body: { entity: orderOf(`read-${n}`) } });
    }
  },
  subjectOf: (n) => firstIds.sales_order + (n % orderCount),
};
