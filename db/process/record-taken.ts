import type { EntityManager } from '@mikro-orm/postgresql';
import { methodOfProcess } from '../../domain/returns/collapsed-return.ts';
import { inspectionOf } from '../../domain/returns/inspection.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { judgeMoney } from '../refunds/judge-money.ts';
import { itemsOf } from '../refunds/open-refund-attempt.ts';
import { addReturnComment, type NewReturnComment } from '../returns/add-return-comment.ts';
import { changeStatus } from '../returns/change-status.ts';
import { approveInFull } from '../returns/approve-in-full.ts';
import { insertReturn } from '../returns/insert-return.ts';
import { receiveGoods } from '../returns/receive-goods.ts';
import { lockReturn, type LockedReturn } from '../returns/lock-return.ts';
import { linesOfProcess, withProcess, type LockedProcess } from './lock-process.ts';
import type { ProcessedItem } from './open-process.ts';

export interface TakenRun {
  processId: number;
  providerCode: string;
  /** The provider's reference of the return; null for the built-in one. */
  reference: string | null;
  isRestockedHere: boolean;
}

/**
 * Records that a provider accepted a collapsed return (spec 3.2, 4.8). One transaction creates its return when there is
 * none, approves it in full and receives its goods. The return then waits for its money.
 *
 * Safe to repeat: an accepted one is unchanged. Refused with: 400 no destination for the goods, money that cannot go back.
 */
export const recordTaken = (em: EntityManager, taken: TakenRun): Promise<void> =>
  withProcess(em, taken.processId, async (tx, locked) => {
    const { order, process } = locked;
    if (process.state !== 'open' || process.stage !== 'asking') return;
    const rma = locked.rma ?? (await makeReturn(tx, locked, taken));
    process.stage = 'taken';
    process.providerCode = taken.providerCode;
    process.returnId = rma.returnId;
    if (isTerminal(rma.status)) return;
    if (taken.reference !== null) rma.providerReference = taken.reference;
    await takeIn(tx, locked, { rma, isRestockedHere: taken.isRestockedHere });
    rma.refundMethod = methodOfProcess(process);
    await changeStatus(tx, rma, 'awaiting_refund');
    await addReturnComment(tx, processedAtOnce(rma, { ...process, orderIncrementId: order.incrementId }));
  });

/** The line of a return's history about its collapsed return. */
export const processedAtOnce = (
  { returnId, status }: Pick<LockedReturn, 'returnId' | 'status'>,
  { resolution, author, orderIncrementId }: { resolution: string; author: string | null; orderIncrementId: string },
): NewReturnComment => ({
  returnId,
  comment: `Processed at once as ${resolution}; order ${orderIncrementId}.`,
  status,
  author,
});

async function makeReturn(em: EntityManager, locked: LockedProcess, { providerCode }: TakenRun): Promise<LockedReturn> {
  const { order, process } = locked;
  const lines = await linesOfProcess(em, process);
  const rma = await insertReturn(em, {
    storeId: order.storeId,
    rma: {
      orderId: order.entityId,
      customerId: process.customerId,
      providerCode,
      comment: process.comment,
    },
    ...goodsOfReturn(order, lines),
    author: process.author,
  });
  // The order is unchanged so far: it is read again, now with its return.
  const made = await lockReturn(em, rma.returnId);
  Object.assign(locked, made);
  return made.rma;
}

/** The lines of a collapsed return as a return asks for them, beside the order's lines that they are of. */
export const goodsOfReturn = (order: LockedOrder, lines: readonly Omit<ProcessedItem, 'resolutionId'>[]) => ({
  items: lines.map(({ orderItemId, qty, reason, condition, resolution }) => ({
    orderItemId,
    qtyRequested: qty,
    reason,
    condition,
    resolution,
  })),
  sold: order.lines.map(({ itemId, name, sku }) => ({ orderItemId: itemId, name, sku })),
});

const undecided: readonly string[] = ['pending', 'requested', 'authorized', 'partially_authorized'];

/**
 * Works from any status of the return: it approves undecided lines in full and receives missing goods. Their money is
 * judged before they move; whether a gateway can give it back was judged when the run was opened.
 */
async function takeIn(
  em: EntityManager,
  { order, process }: LockedProcess,
  { rma, isRestockedHere }: { rma: LockedReturn; isRestockedHere: boolean },
): Promise<void> {
  if (undecided.includes(rma.status)) approveInFull(rma);
  if (rma.status !== 'approved') return;
  const { returnId } = rma;
  const method = methodOfProcess(process);
  await judgeMoney(em, { order, returnId, items: itemsOf(rma), method, canRefundThrough: () => true });
  inspectAsReported(rma);
  if (!isRestockedHere) for (const item of rma.items) item.returnToStock = false;
  await receiveGoods(em, { order, rma });
}

/** No inspection took place, so the condition that the request named decides where the goods go. */
export function inspectAsReported(rma: LockedReturn): void {
  for (const item of rma.items) {
    const seen = item.inspectedCondition ?? (item.condition === null ? undefined : inspectionOf(item.condition));
    // Without a location there is no known source for damaged goods: they are written off (our choice).
    item.inspectedCondition = seen === 'damaged' && rma.locationId === null ? 'dispose' : (seen ?? null);
  }
}
