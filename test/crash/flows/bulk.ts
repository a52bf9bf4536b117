import { aSale, memosOf, refundsOf } from '../cashier.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';
import { countOf } from './count-of.ts';
import { keyed, whileSwept } from './mailed-customer.ts';

const both = ['api', 'worker'] as const;

/** One operation in a bulk of its own: it is accepted, and its end stands in the list. Answers the bulk's id. */
async function carriedOut(lane: Lane, path: string, operation: object): Promise<string> {
  const { body } = await lane.teller.press('POST', `/async/bulk${path}`, [operation], keyed());
  const uuid = String(body.bulk_uuid);
  const ended = 'from bulk where bulk_uuid = ? and finished_at is not null';
  await whileSwept(lane, async () => ((await countOf(lane, ended, uuid)) === 1 ? true : undefined));
  return uuid;
}

const endsOf = async (lane: Lane, uuid: string) =>
  lane.orm.em
    .fork()
    .execute<{ status: number; error_code: number | null }[]>(
      'select o.status, o.error_code from bulk_operation o join bulk b on b.bulk_id = o.bulk_id where b.bulk_uuid = ?',
      [uuid],
    );
const carried = [{ status: 1, error_code: null }];

const refundInABulk: CrashFlow = {
  id: 'F41',
  title: 'refund an order by hand in a bulk of one',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '10.00', { method: 'checkmo' });
    let uuid = '';
    return {
      async go() {
        const items = [{ order_item_id: sale.itemId, qty: 1 }];
        uuid = await carriedOut(lane, '/V1/order/byOrderId/refund', { orderId: sale.orderId, items });
      },
      faults: async () => [
        ...unlessEqual('the end of the operation', await endsOf(lane, uuid), carried),
        ...unlessEqual('credit memos of the order', await memosOf(lane, sale), 1),
      ],
      workflows: () => [`bulk-${uuid}`],
    };
  },
};

const returnInABulk: CrashFlow = {
  id: 'F42',
  title: 'goods and money back through the gateway, in a bulk of one',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '12.00');
    let uuid = '';
    return {
      async go() {
        uuid = await carriedOut(lane, '/V1/pos/rma/process', {
          orderId: sale.orderId,
          items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]),
          ...{ resolution: 'refund', isOnline: true },
        });
      },
      faults: async () => [
        ...unlessEqual('the end of the operation', await endsOf(lane, uuid), carried),
        ...unlessEqual('credit memos of the order', await memosOf(lane, sale), 1),
        ...unlessEqual('refunds of the payment', refundsOf(lane, sale), 1),
      ],
      workflows: () => [`bulk-${uuid}`],
    };
  },
};

export const bulkFlows = [refundInABulk, returnInABulk];
