import type { EntityManager } from '@mikro-orm/postgresql';
import { methodOfProcess } from '../../domain/returns/collapsed-return.ts';
import { inspectionOf } from '../../domain/returns/inspection.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { addReturnComment, type NewReturnComment } from '../returns/add-return-comment.ts';
import { changeStatus } from '../returns/change-status.ts';
import { approveInFull } from '../returns/approve-in-full.ts';
import { insertReturn } from '../returns/insert-return.ts';
import { receiveGoods } from '../returns/receive-goods.ts';
import { lockReturn, type LockedReturn } from '../returns/lock-return.ts';
import { linesOfProcess, withProcess, type LockedProcess } from './lock-process.ts';

export interface TakenRun {
  processId: number;
  providerCode: string;
  /** The provider's reference of the return; null for the built-in one. */
  reference: string | null;
  isRestockedHere: boolean;
}

/**
 * A provider took a collapsed return on. Its return is created where there is none, approved in full, and its goods
 * are received; then it waits for its money (spec 3.2, 4.8). One transaction.
 *
 * Safe to repeat: one that was taken on is unchanged. Refused with: 400 no destination for the goods.
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

/** The line of a return's history that names the run. */
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
    items: lines.map(({ orderItemId, qty, reason, condition, resolution }) => ({
      orderItemId,
      qtyRequested: qty,
      reason,
      condition,
      resolution,
    })),
    sold: order.lines.map(({ itemId, name, sku }) => ({ orderItemId: itemId, name, sku })),
    author: process.author,
  });
  // The order is unchanged so far: it is read again, now with its return.
  const made = await lockReturn(em, rma.returnId);
  Object.assign(locked, made);
  return made.rma;
}

const undecided: readonly string[] = ['pending', 'requested', 'authorized', 'partially_authorized'];

/** From any status of the return: undecided lines are approved in full, missing goods are received. */
async function takeIn(
  em: EntityManager,
  { order }: LockedProcess,
  { rma, isRestockedHere }: { rma: LockedReturn; isRestockedHere: boolean },
): Promise<void> {
  if (undecided.includes(rma.status)) approveInFull(rma);
  if (rma.status !== 'approved') return;
  inspectAsTold(rma);
  if (!isRestockedHere) for (const item of rma.items) item.returnToStock = false;
  await receiveGoods(em, { order, rma });
}

/** Nobody looked at the goods: what was said of them tells where they go. */
export function inspectAsTold(rma: LockedReturn): void {
  for (const item of rma.items) {
    const seen = item.inspectedCondition ?? (item.condition === null ? undefined : inspectionOf(item.condition));
    // Without a location no source for damaged goods is known: they are written off (our choice).
    item.inspectedCondition = seen === 'damaged' && rma.locationId === null ? 'dispose' : (seen ?? null);
  }
}
