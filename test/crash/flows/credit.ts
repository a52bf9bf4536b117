import { setTimeout as pause } from 'node:timers/promises';
import { aLayaway, anOrderOnCredit } from '../../support/builders/layaway.ts';
import { aSale, memosOf, refundsOf, settleUntilClosed, workflowsOf } from '../cashier.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import type { Lane } from '../lane.ts';

const both = ['api', 'worker'] as const;
const doneWithinMs = 240_000;
const lookEveryMs = 200;

const rows = <Row extends object>({ orm }: Lane, sql: string, ...parameters: unknown[]) =>
  orm.em.fork().execute<Row[]>(sql, parameters);

interface Run {
  request_key: string;
  state: string;
  attempt_id: number | null;
  attempt_state: string | null;
  return_id: number | null;
  return_status: string | null;
}

const runsOf = (lane: Lane, orderId: number) =>
  rows<Run>(
    lane,
    `select p.request_key, p.state, p.return_id, r.status as return_status, a.attempt_id, a.state as attempt_state
     from return_process p left join refund_attempt a on a.attempt_id = p.refund_attempt_id
     left join sale_return r on r.return_id = p.return_id where p.order_id = ?`,
    orderId,
  );

/** Finds what the API died over before it had told a workflow; outside the matrix it comes by each minute. */
async function sweep(lane: Lane): Promise<void> {
  await rows(lane, `update return_process set updated_at = now() - interval '5 minutes' where state = 'open'`);
  await lookNow(lane);
}

/**
 * Nobody presses blindly again: what became of a lost answer is read from the order. A run whose money did not go out
 * left its return parked, with the goods in: the register settles it.
 */
async function processUntilDone(lane: Lane, orderId: number, body: { isOnline: boolean }): Promise<void> {
  const method = body.isOnline ? 'original_payment' : 'cash';
  for (const until = Date.now() + doneWithinMs; Date.now() < until; await pause(lookEveryMs)) {
    const runs = await runsOf(lane, orderId);
    if (runs.some(({ state }) => state === 'done')) return;
    const parked = runs.find(({ state, return_status: status }) => state !== 'open' && status === 'awaiting_refund');
    if (parked?.return_id) return settleUntilClosed(lane, parked.return_id, method);
    if (runs.every(({ state }) => state !== 'open')) await lane.teller.pressOnce('POST', '/V1/pos/rma/process', body);
    // Where Temporal is away the shop's own look comes later.
    else if (runs.every(({ attempt_state }) => attempt_state !== 'uncertain')) await sweep(lane).catch(() => undefined);
  }
  throw new Error(`the goods of order ${orderId} were not taken back within ${doneWithinMs / 1000} s`);
}

export const collapsed: CrashFlow = {
  id: 'F6',
  title: 'goods and money back in one call, through the gateway',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '12.00');
    const body = {
      orderId: sale.orderId,
      items: JSON.stringify([{ order_item_id: sale.itemId, qty: 2 }]),
      resolution: 'refund',
      isOnline: true,
    };
    let workflows: string[] = [];
    return {
      async go() {
        await processUntilDone(lane, sale.orderId, body);
        const runs = await runsOf(lane, sale.orderId);
        const returns = new Set(runs.flatMap(({ return_id: id }) => (id === null ? [] : [id])));
        const settled = await Promise.all([...returns].map((id) => workflowsOf(lane, id)));
        workflows = [
          ...runs.map(({ request_key: key }) => `process-${sale.orderId}-${key}`),
          ...runs.flatMap(({ attempt_id: id }) => (id === null ? [] : [`refund-attempt-${id}`])),
          ...settled.flat(),
        ];
      },
      faults: async () => [
        ...unlessEqual('credit memos of the order', await memosOf(lane, sale), 1),
        ...unlessEqual('refunds at the gateway', refundsOf(lane, sale), 1),
      ],
      workflows: () => workflows,
    };
  },
};

export const collapsedInCash: CrashFlow = {
  id: 'F33',
  title: 'goods and money back in one call, by hand',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '10.00', { method: 'checkmo' });
    const items = JSON.stringify([{ order_item_id: sale.itemId, qty: 2 }]);
    const body = { orderId: sale.orderId, items, resolution: 'refund', isOnline: false };
    return {
      go: () => processUntilDone(lane, sale.orderId, body),
      faults: async () => [
        ...unlessEqual('credit memos of the order', await memosOf(lane, sale), 1),
        ...unlessEqual(
          'runs of the order',
          (await runsOf(lane, sale.orderId)).map(({ state, return_status: status }) => `${state}, ${status}`),
          ['done, closed'],
        ),
      ],
      workflows: () => [],
    };
  },
};

const totalsOf = async (lane: Lane, orderId: number) => {
  const [order] = await rows<{ paid: string; payments: string }>(
    lane,
    `select round(total_paid, 2)::text as paid,
       (select count(*)::text from sales_money_in m where m.order_id = o.entity_id) as payments
     from sales_order o where o.entity_id = ?`,
    orderId,
  );
  return order;
};

export const layawayCapture: CrashFlow = {
  id: 'F7',
  title: 'two payments of a layaway, the second above what is owed',
  processes: both,
  async prepare(lane) {
    const { orderId } = await aLayaway(lane.orm.em.fork());
    const pay = (amount: number, reference: string) =>
      lane.teller.press('POST', `/V1/pos/layaways/${orderId}/payments`, { amount, paymentMethod: 'cash', reference });
    const statuses: number[] = [];
    return {
      async go() {
        for (const [amount, reference] of [
          [50, 'deposit'],
          [70, 'rest'],
          [50, 'deposit'],
        ] as const)
          statuses.push((await pay(amount, reference)).status);
      },
      faults: async () => [
        ...unlessEqual('the answers', statuses, [200, 200, 200]),
        ...unlessEqual('what was paid', await totalsOf(lane, orderId), { paid: '108.00', payments: '2' }),
      ],
      workflows: () => [],
    };
  },
};

export const layawayCancel: CrashFlow = {
  id: 'F8',
  title: 'cancel a layaway with a fee',
  processes: both,
  async prepare(lane) {
    const { orderId } = await aLayaway(lane.orm.em.fork());
    const at = `/V1/pos/layaways/${orderId}`;
    await lane.teller.press('POST', `${at}/payments`, { amount: 40, paymentMethod: 'cash', reference: 'deposit' });
    const sale = { orderId, itemId: 0, incrementId: '' };
    let status = 0;
    return {
      async go() {
        ({ status } = await lane.teller.press('POST', `${at}/cancel`, { feePercent: 10, reason: 'moved away' }));
      },
      faults: async () => [
        // Pressed again after its answer was lost, it is told that there is nothing left to cancel.
        ...(status === 200 || status === 400 ? [] : [`an answer of ${status}`]),
        ...unlessEqual('credit memos of the order', await memosOf(lane, sale), 1),
        ...unlessEqual(
          'the layaway',
          await rows(lane, 'select pos_layaway_status as status, state from sales_order where entity_id = ?', orderId),
          [{ status: 'cancelled', state: 'canceled' }],
        ),
      ],
      workflows: () => [`layaway-${orderId}`],
    };
  },
};

export const duePayment: CrashFlow = {
  id: 'F9',
  title: 'collect credit that is due, in two parts',
  processes: ['api'],
  async prepare(lane) {
    const { orderId } = await anOrderOnCredit(lane.orm.em.fork(), '60');
    const pay = async (amount: number, reference: string) =>
      (await lane.teller.press('POST', `/V1/pos/orders/${orderId}/due-payments`, { amount, reference })).body
        .remaining_due;
    const left: unknown[] = [];
    return {
      async go() {
        left.push(await pay(20, 'part'), await pay(40, 'rest'), await pay(20, 'part'));
      },
      faults: async () => [
        ...unlessEqual('what was left, as answered', left, [40, 0, 40]),
        ...unlessEqual(
          'bookings of the order',
          (await rows(lane, 'select 1 from sales_money_in where order_id = ?', orderId)).length,
          2,
        ),
      ],
      workflows: () => [],
    };
  },
};

export const creditFlows = [collapsed, collapsedInCash, layawayCapture, layawayCancel, duePayment];
