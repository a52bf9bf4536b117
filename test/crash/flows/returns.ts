import { randomUUID } from 'node:crypto';
import type { CrashFlow } from '../crash-flow.ts';
import {
  aParkedReturn,
  aSale,
  memosOf,
  returnBody,
  settledFaults,
  settleUntilClosed,
  workflowsOf,
} from '../cashier.ts';
import { unlessEqual } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';

const both = ['api', 'worker'] as const;
const cashSale = { method: 'checkmo' };

/** Creates until there is a return: a refusal after it was recorded names it. */
async function create(lane: Lane, body: object): Promise<number> {
  const answer = await lane.teller.press('POST', '/V1/pos/rma', body);
  const id: unknown = answer.body?.id ?? answer.body?.parameters?.return_id;
  if (typeof id !== 'number') throw new Error(`no return came of it: ${JSON.stringify(answer)}`);
  return id;
}

export const createWithRefund: CrashFlow = {
  id: 'F1',
  title: 'create with autoApprove and original_payment',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '12.00');
    const body = returnBody(lane, sale, { refundMethod: 'original_payment' });
    const ids = new Set<number>();
    let workflows: string[] = [];
    return {
      async go() {
        const rmaId = await create(lane, body);
        ids.add(rmaId);
        await settleUntilClosed(lane, rmaId, 'original_payment');
        ids.add(await create(lane, body));
        workflows = await workflowsOf(lane, rmaId);
      },
      faults: async () => [
        ...unlessEqual('returns of one sale id', ids.size, 1),
        ...(await settledFaults(lane, { sale, rmaId: [...ids][0] ?? 0, refunds: 1 })),
      ],
      workflows: () => workflows,
    };
  },
};

export const parkThenSettle: CrashFlow = {
  id: 'F2',
  title: 'create parked, then settle in cash',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '10.00', cashSale);
    const body = returnBody(lane, sale, { refundMethod: 'cash' });
    let rmaId = 0;
    return {
      async go() {
        rmaId = await create(lane, body);
        await settleUntilClosed(lane, rmaId, 'cash');
      },
      faults: () => settledFaults(lane, { sale, rmaId, refunds: 0 }),
      workflows: () => [`return-${rmaId}`],
    };
  },
};

export const settleResumed: CrashFlow = {
  id: 'F3',
  title: 'settle a parked return by original_payment',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '12.00');
    const rmaId = await aParkedReturn(lane, sale);
    let workflows: string[] = [];
    return {
      async go() {
        await settleUntilClosed(lane, rmaId, 'original_payment');
        workflows = await workflowsOf(lane, rmaId);
      },
      faults: () => settledFaults(lane, { sale, rmaId, refunds: 1 }),
      workflows: () => workflows,
    };
  },
};

export const closeWithoutRefund: CrashFlow = {
  id: 'F12',
  title: 'close a received return, goods handed back',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '10.00', cashSale);
    const rmaId = await create(lane, returnBody(lane, sale));
    let status = '';
    return {
      async go() {
        const { body } = await lane.teller.press('POST', `/V1/pos/rma/${rmaId}/close`, { comment: 'kept after all' });
        status = body.status;
      },
      faults: async () => [
        ...unlessEqual('the answer’s status', status, 'closed'),
        ...unlessEqual('credit memos of the order', await memosOf(lane, sale), 0),
        ...unlessEqual('movements of the line', await movementsOf(lane, rmaId), ['closed', 'received']),
      ],
      workflows: () => [`return-${rmaId}`],
    };
  },
};

const movementsOf = async ({ orm }: Lane, rmaId: number) =>
  (
    await orm.em.fork().execute<{ kind: string }[]>(
      `select m.kind from sale_return_movement m join sale_return_item i on i.entity_id = m.return_item_id
          where i.return_id = ? order by 1`,
      [rmaId],
    )
  ).map(({ kind }) => kind);

export const cancelThenSettle: CrashFlow = {
  id: 'F13',
  title: 'cancel the refund of a parked return, settle it later',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '10.00', cashSale);
    const rmaId = await aParkedReturn(lane, sale);
    let cancelled = '';
    return {
      async go() {
        const { body } = await lane.teller.press('POST', `/V1/pos/rma/${rmaId}/cancel-refund`, { comment: 'later' });
        cancelled = body.status;
        await lane.teller.press('POST', `/V1/pos/rma/${rmaId}/settle`, { method: 'cash' });
      },
      faults: async () => [
        ...unlessEqual('the answer’s status', cancelled, 'received'),
        ...(await settledFaults(lane, { sale, rmaId, refunds: 0 })),
      ],
      workflows: () => [`return-${rmaId}`],
    };
  },
};

export const receiveThenResolve: CrashFlow = {
  id: 'F14',
  title: 'approve, receive and resolve with a card refund',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '12.00');
    const asked = await lane.teller.press('POST', '/V1/pos/rma', returnBody(lane, sale, { autoApprove: false }));
    const { id: rmaId, items } = asked.body;
    const [{ entity_id: itemId }] = items;
    let workflows: string[] = [];
    return {
      async go() {
        const at = `/V1/pos/rma/${rmaId}`;
        await lane.teller.press('PUT', `${at}/status`, { status: 'approved' });
        await lane.teller.press('POST', `${at}/receive`, {
          locationId: lane.shop.locationId,
          itemsJson: JSON.stringify([{ rma_item_id: itemId, condition: 'Unopened', return_to_stock: true }]),
        });
        await resolveUntilDone(lane, rmaId, itemId);
        workflows = await workflowsOf(lane, rmaId);
      },
      faults: async () => [
        ...(await settledFaults(lane, { sale, rmaId, status: 'resolved', refunds: 1 })),
        ...unlessEqual('movements of the line', await movementsOf(lane, rmaId), ['received']),
      ],
      workflows: () => workflows,
    };
  },
};

/** A refund that was cut off leaves the lines decided: then a settle finishes what the resolve began. */
async function resolveUntilDone(lane: Lane, rmaId: number, itemId: number): Promise<void> {
  const resolutions = [{ rma_item_id: itemId, resolution_mode: 'refund', refund_method: 'original_payment' }];
  await lane.teller.press('POST', `/V1/pos/rma/${rmaId}/resolve`, { resolutionsJson: JSON.stringify(resolutions) });
  await settleUntilClosed(lane, rmaId, 'original_payment');
}

/** Two cards and cash: one settle, whose lines go back one after the other. */
export const settleThreeTenders: CrashFlow = {
  id: 'F47',
  title: 'settle a parked return by two cards and cash',
  processes: both,
  async prepare(lane) {
    const cards = [randomUUID(), randomUUID()].map((id) => ({
      method: 'provider_a',
      amount: 7,
      payment_id: `pay_${id}`,
    }));
    const tenders = [...cards, { method: 'cash', amount: 6 }];
    const sale = await aSale(lane, '10.00', { columns: { extensionAttributes: { pos_tenders: tenders } } });
    const rmaId = await aParkedReturn(lane, sale);
    const lines = [4, 3, 3].map((amount, index) => ({ lineId: index + 1, amount }));
    let workflows: string[] = [];
    return {
      async go() {
        await settleUntilClosed(lane, rmaId, { tenders: lines });
        workflows = await workflowsOf(lane, rmaId);
      },
      faults: async () => [
        ...(await settledFaults(lane, { sale, rmaId, refunds: 2 })),
        ...unlessEqual('movements of the refund', await amountsOf(lane, sale.orderId), [
          '-3.0000',
          '-3.0000',
          '-4.0000',
        ]),
      ],
      workflows: () => workflows,
    };
  },
};

const amountsOf = async ({ orm }: Lane, orderId: number) =>
  (
    await orm.em
      .fork()
      .execute<{ amount: string }[]>(
        `select amount::text from pos_movement where order_id = ? and source = 'memo' order by pos_movement.amount desc`,
        [orderId],
      )
  ).map(({ amount }) => amount);

export const returnFlows = [
  createWithRefund,
  parkThenSettle,
  settleResumed,
  closeWithoutRefund,
  cancelThenSettle,
  receiveThenResolve,
  settleThreeTenders,
];
