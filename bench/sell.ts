import { orderOf } from './scenarios/create-order.ts';
import { send } from './send.ts';
import { firstIds } from './shop.ts';

export interface Sold {
  orderId: number;
  orderItemId: number;
}

export interface Register {
  apiUrl: string;
  token: string;
}

const atOnce = 4;

/** Paid by card, invoiced and shipped sales that can be returned. */
export async function sell(register: Register, names: readonly string[]): Promise<Sold[]> {
  return inTurns(names, (name) => sellOne(register, name));
}

async function sellOne({ apiUrl, token }: Register, name: string): Promise<Sold> {
  const entity = orderOf(name, { method: 'provider_a' });
  const payment = { ...entity.payment, last_trans_id: `pay-${name}` };
  const body = { entity: { ...entity, payment } };
  const order = await send(apiUrl, token, { method: 'POST', path: '/V1/orders', body });
  const { entity_id: orderId, items } = order as { entity_id: number; items: { item_id: number }[] };
  await send(apiUrl, token, { method: 'POST', path: `/V1/order/${orderId}/invoice`, body: { capture: true } });
  const from = { arguments: { extension_attributes: { source_code: 'floor' } } };
  await send(apiUrl, token, { method: 'POST', path: `/V1/order/${orderId}/ship`, body: from });
  return { orderId, orderItemId: items[0]?.item_id ?? 0 };
}

/** Refunds a sale, as far as its payment method permits. */
export async function giveBack(
  { apiUrl, token }: Register,
  { orderId, orderItemId }: Sold,
  refundMethod: 'original_payment' | 'cash',
): Promise<{ id: number; status: string }> {
  const row = { order_item_id: orderItemId, qty_requested: 1, resolution: 'Refund', inspected_condition: 'pristine' };
  const body = {
    orderId,
    items: JSON.stringify([row]),
    autoApprove: true,
    locationId: firstIds.pos_location,
    refundMethod,
    posSaleId: `return-of-${orderId}`,
  };
  const rma = await send(apiUrl, token, { method: 'POST', path: '/V1/pos/rma', body });
  return rma as { id: number; status: string };
}

/** A durable return, opened and closed, with its credit memo and its goods back on the shelf; answers its id. */
export async function returnInOneCall({ apiUrl, token }: Register, { orderId, orderItemId }: Sold): Promise<number> {
  const items = JSON.stringify([{ order_item_id: orderItemId, qty: 1 }]);
  const body = { orderId, items, resolution: 'refund', isOnline: false };
  const answer = await send(apiUrl, token, { method: 'POST', path: '/V1/pos/rma/process', body });
  const { success, rma_id: id } = answer as { success: boolean; rma_id: number };
  if (!success) throw new Error(`The return is not closed: ${JSON.stringify(answer)}`);
  return id;
}

interface Stepped {
  id: number;
  status: string;
  items: { entity_id: number }[];
}

/** Created, approved, received, settled in cash: four calls, each of them durable; answers its id. */
export async function returnInSteps({ apiUrl, token }: Register, { orderId, orderItemId }: Sold): Promise<number> {
  const ask = async (method: 'POST' | 'PUT', path: string, body: object) =>
    (await send(apiUrl, token, { method, path: `/V1/pos/rma${path}`, body })) as Stepped;
  const row = { order_item_id: orderItemId, qty_requested: 1, resolution: 'Refund', condition: 'Unopened' };
  const { id, items } = await ask('POST', '', { orderId, items: JSON.stringify([row]) });
  await ask('PUT', `/${id}/status`, { status: 'approved' });
  const received = JSON.stringify([{ rma_item_id: items[0]?.entity_id, qty_received: 1 }]);
  await ask('POST', `/${id}/receive`, { itemsJson: received, locationId: firstIds.pos_location });
  const { status } = await ask('POST', `/${id}/settle`, { method: 'cash' });
  if (status !== 'closed') throw new Error(`Return ${id} is ${status}, not closed.`);
  return id;
}

/** Returns with received goods, whose money waits for a cashier. */
export const park = (register: Register, sales: readonly Sold[]): Promise<number[]> =>
  inTurns(sales, async (sale) => {
    const { id, status } = await giveBack(register, sale, 'cash');
    if (status !== 'awaiting_refund') throw new Error(`Return ${id} is ${status}, not parked.`);
    return id;
  });

/** Runs a few at a time and keeps the order. */
async function inTurns<Wanted, Got>(
  requested: readonly Wanted[],
  one: (target: Wanted) => Promise<Got>,
): Promise<Got[]> {
  const got: Got[] = [];
  for (let at = 0; at < requested.length; at += atOnce)
    got.push(...(await Promise.all(requested.slice(at, at + atOnce).map(one))));
  return got;
}
