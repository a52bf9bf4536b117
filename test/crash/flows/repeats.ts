import { randomUUID } from 'node:crypto';
import { anOrder } from '../../support/builders/order.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import { countOf } from './count-of.ts';

const api = ['api'] as const;
const none = () => [];

/** Nothing but the key makes these requests the same. */
const keyed = () => ({ 'idempotency-key': randomUUID() });

export const refundUnderKey: CrashFlow = {
  id: 'F20',
  title: 'refund an order by hand, twice under one key',
  processes: api,
  async prepare(lane) {
    const { orderId, itemIds } = await anOrder(lane.orm.em.fork());
    const body = { items: [{ order_item_id: itemIds[0], qty: 1 }] };
    const headers = keyed();
    const answers: unknown[] = [];
    return {
      async go() {
        for (let sent = 0; sent < 2; sent++) {
          const { status, body: memo } = await lane.teller.press('POST', `/V1/order/${orderId}/refund`, body, headers);
          answers.push(status === 200 ? memo : `${status}`);
        }
      },
      faults: async () => [
        ...unlessEqual('answers', new Set(answers).size, 1),
        ...unlessEqual('the answer is a memo', typeof answers[0], 'number'),
        ...unlessEqual('memos', await countOf(lane, 'from sales_creditmemo where order_id = ?', orderId), 1),
      ],
      workflows: none,
    };
  },
};

export const orderUnderKey: CrashFlow = {
  id: 'F21',
  title: 'place an order without a sale id, twice under one key',
  processes: api,
  async prepare(lane) {
    const mark = randomUUID();
    const entity = aPostedSale({ customer_note: mark });
    const headers = keyed();
    const answers: unknown[] = [];
    return {
      async go() {
        for (let sent = 0; sent < 2; sent++) {
          const { status, body } = await lane.teller.press('POST', '/V1/orders', { entity }, headers);
          answers.push(status === 200 ? body.entity_id : `${status}`);
        }
      },
      faults: async () => [
        ...unlessEqual('answers', new Set(answers).size, 1),
        ...unlessEqual('the answer is an order', typeof answers[0], 'number'),
        ...unlessEqual('orders', await countOf(lane, 'from sales_order where customer_note = ?', mark), 1),
      ],
      workflows: none,
    };
  },
};

export const repeatFlows = [refundUnderKey, orderUnderKey];
