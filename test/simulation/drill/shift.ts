import { aSale, type Sale } from '../../crash/cashier.ts';
import type { Lane } from '../../crash/lane.ts';

/** What the registers of a drill were answered. */
export interface Ledger {
  lane: Lane;
  /** How often each status came. */
  statuses: Map<string, number>;
  slowestSeconds: number;
  /** Comments that were answered with 200. */
  comments: string[];
  /** Returns whose id was answered, with their order. */
  returns: { id: number; orderId: number }[];
  wrong: string[];
}

export interface Register {
  name: string;
  email: string;
  sales: readonly Sale[];
}

/** A register waits so long for a step of a workflow, and so long for anything else. */
const workflowSeconds = 40;
const plainSeconds = 15;

/** A register that sells were made at before: it signs in, reads, comments and takes back until the shift is over. */
export async function work(ledger: Ledger, register: Register, isOver: () => boolean): Promise<void> {
  for (let step = 0; !isOver(); step++) {
    const sale = register.sales[step % register.sales.length];
    if (!sale) return;
    await signIn(ledger, register);
    await ask(ledger, 'GET', `/V1/orders/${sale.orderId}`);
    await comment(ledger, sale, `${register.name}-${step}`);
    if (step < register.sales.length) await takeBack(ledger, sale, `${register.name}-${step}`);
  }
}

export const salesFor = (lane: Lane, count: number): Promise<Sale[]> =>
  Promise.all(Array.from({ length: count }, () => aSale(lane, '10.00')));

const signIn = (ledger: Ledger, { email }: Register) =>
  ask(ledger, 'POST', '/V1/pos/staff/authenticate', { email, passcode: '1234' });

async function comment(ledger: Ledger, { orderId }: Sale, words: string): Promise<void> {
  const answer = await ask(ledger, 'POST', `/V1/orders/${orderId}/comments`, { statusHistory: { comment: words } });
  if (answer?.status === 200) ledger.comments.push(words);
}

async function takeBack(ledger: Ledger, { orderId, itemId }: Sale, posSaleId: string): Promise<void> {
  const items = JSON.stringify([{ order_item_id: itemId, qty_requested: 1, resolution: 'Refund' }]);
  const body = { orderId, items, autoApprove: true, refundMethod: 'cash', posSaleId };
  const locationId = ledger.lane.shop.locationId;
  const answer = await ask(ledger, 'POST', '/V1/pos/rma', { ...body, locationId }, workflowSeconds);
  const id: unknown = answer?.body?.id;
  if (answer?.status !== 200 || typeof id !== 'number') return;
  ledger.returns.push({ id, orderId });
  await ask(ledger, 'POST', `/V1/pos/rma/${id}/settle`, { method: 'cash' }, workflowSeconds);
}

/** Every request has an answer in time, and none of them is a fault. */
async function ask(ledger: Ledger, method: string, path: string, body?: unknown, withinSeconds = plainSeconds) {
  const began = performance.now();
  const answer = await ledger.lane.teller.pressOnce(method, path, body, {
    patienceMs: withinSeconds * 1_000,
  });
  const seconds = (performance.now() - began) / 1_000;
  ledger.slowestSeconds = Math.max(ledger.slowestSeconds, seconds);
  const kind = `${path.includes('authenticate') ? 'sign-in' : method} ${answer?.status ?? 'silence'}`;
  ledger.statuses.set(kind, (ledger.statuses.get(kind) ?? 0) + 1);
  if (!answer) ledger.wrong.push(`${method} ${path} had no answer for ${seconds.toFixed(1)} s`);
  return answer;
}
