import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { anOrder, type WantedOrder } from '../support/builders/order.ts';
import { unlessEqual } from './crash-flow.ts';
import type { Lane } from './lane.ts';

export interface Sale {
  orderId: number;
  itemId: number;
  incrementId: string;
}

/** Nothing that is decided by itself takes longer: two look-ups of a call that is surely over. */
const closedWithinMs = 240_000;
const lookEveryMs = 150;

/** A sold, paid and handed-over order of two mugs whose refund of one piece comes to the given amount. */
export async function aSale({ orm }: Lane, price: string, wanted: WantedOrder = {}): Promise<Sale> {
  const order = await anOrder(orm.em.fork(), {
    lines: [{ sku: 'MUG', qty: 2, price }],
    method: 'provider_a',
    lastTransId: `pay_${randomUUID()}`,
    ...wanted,
  });
  const [row] = await orm.em
    .fork()
    .execute<{ increment_id: string }[]>('select increment_id from sales_order where entity_id = ?', [order.orderId]);
  return { orderId: order.orderId, itemId: order.itemIds[0]!, incrementId: row?.increment_id ?? '' };
}

export const returnBody = (lane: Lane, sale: Sale, more: Record<string, unknown> = {}) => ({
  orderId: sale.orderId,
  items: JSON.stringify([{ order_item_id: sale.itemId, qty_requested: 1, resolution: 'Refund' }]),
  autoApprove: true,
  locationId: lane.shop.locationId,
  posSaleId: randomUUID(),
  ...more,
});

/** A return that waits at the register for its money. */
export async function aParkedReturn(lane: Lane, sale: Sale): Promise<number> {
  const { status, body } = await lane.teller.press(
    'POST',
    '/V1/pos/rma',
    returnBody(lane, sale, { refundMethod: 'cash' }),
  );
  if (status !== 200) throw new Error(`a return could not be parked: ${JSON.stringify(body)}`);
  return body.id;
}

/**
 * What a cashier does who does not give up: whatever the answer was, the return is read, and settled again as long as
 * it is parked and nothing is undecided.
 */
export async function settleUntilClosed(
  { teller }: Lane,
  rmaId: number,
  by: string | { tenders: readonly object[] },
): Promise<void> {
  const settleBody = typeof by === 'string' ? { method: by } : by;
  for (const until = Date.now() + closedWithinMs; Date.now() < until; await pause(lookEveryMs)) {
    const { body } = await teller.press('GET', `/V1/pos/rma/${rmaId}`);
    if (isTerminal(body.status as ReturnStatus)) return;
    const lines: { state: string }[] = body.tender_lines ?? [];
    // An attempt of a tender line that went back is `started` until the memo: its line says so.
    const isUndecided =
      lines.length > 0
        ? lines.some(({ state }) => state === 'started' || state === 'uncertain')
        : body.refund_attempt_state === 'uncertain' || body.refund_attempt_state === 'started';
    if (!isUndecided && body.status === 'awaiting_refund')
      await teller.press('POST', `/V1/pos/rma/${rmaId}/settle`, settleBody);
  }
  throw new Error(`return ${rmaId} was not closed within ${closedWithinMs / 1000} s`);
}

export const memosOf = async ({ orm }: Lane, { orderId }: Sale): Promise<number> =>
  (await orm.em.fork().execute('select entity_id from sales_creditmemo where order_id = ?', [orderId])).length;

/** How often the gateway really gave money back for the order. */
export const refundsOf = ({ gateway }: Lane, { incrementId }: Sale): number =>
  gateway.ledger.refunds.filter((refund) => refund.state === 'refunded' && refund.orderReference === incrementId)
    .length;

/** The end every refund must come to: one memo, and as much at the gateway as it took. */
export async function settledFaults(
  lane: Lane,
  { sale, rmaId, status = 'closed', refunds }: { sale: Sale; rmaId: number; status?: string; refunds: number },
): Promise<string[]> {
  const { body } = await lane.teller.press('GET', `/V1/pos/rma/${rmaId}`);
  return [
    ...unlessEqual('the status of the return', body.status, status),
    ...unlessEqual('credit memos of the order', await memosOf(lane, sale), 1),
    ...unlessEqual('refunds at the gateway', refundsOf(lane, sale), refunds),
  ];
}

/** The workflows of a return: its own, and one for each of its attempts. */
export async function workflowsOf({ orm }: Lane, rmaId: number): Promise<string[]> {
  const attempts = await orm.em
    .fork()
    .execute<{ attempt_id: number }[]>('select attempt_id from refund_attempt where return_id = ?', [rmaId]);
  return [`return-${rmaId}`, ...attempts.map(({ attempt_id }) => `refund-attempt-${attempt_id}`)];
}
