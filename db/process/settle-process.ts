import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, PosError } from '../../domain/errors.ts';
import { memoRequest, plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { methodOfProcess } from '../../domain/returns/collapsed-return.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { bookMemoWithCredits } from '../credits/book-memo-with-credits.ts';
import { explainUsedUp } from '../refunds/nothing-left.ts';
import { settleLocked } from '../returns/book-settlement.ts';
import type { LockedReturn } from '../returns/lock-return.ts';
import { finishProcess } from './finish-process.ts';
import { linesOfProcess, withProcess, type LockedProcess } from './lock-process.ts';
import { readMemoOfRun, type MemoOfRun } from './read-memo-of-run.ts';
import { refuseProcess } from './refuse-process.ts';

/**
 * Books the offline memo of a collapsed return, settles its return where it has one, and gives the promised store
 * credit. All in one transaction (spec 4.8).
 *
 * Safe to repeat: one that has ended is unchanged. A refusal ends it, and the histories give the reason.
 *
 * Refused with: 400 the refusals of a settle · 409 `gateway_uncertain`.
 */
export async function settleProcess(em: EntityManager, processId: number): Promise<void> {
  try {
    await withProcess(em, processId, async (tx, locked) => {
      const { rma } = locked;
      if (locked.process.state !== 'open') return;
      const memo = rma ? await settleReturn(tx, locked, rma) : await bookAlone(tx, locked);
      await finishProcess(tx, { ...locked, memo });
      // It is its return's own workflow that asks for this, and ends with it.
      if (rma && isTerminal(rma.status)) rma.followedAt = null;
    });
  } catch (error) {
    if (error instanceof PosError) await refuseProcess(em, { processId, state: 'refused', refusal: error.refusal });
    throw error;
  }
}

async function settleReturn(
  em: EntityManager,
  { order, process }: LockedProcess,
  rma: LockedReturn,
): Promise<MemoOfRun> {
  if (isTerminal(rma.status)) throw endedMeanwhile(rma.incrementId, rma.status);
  await settleLocked(em, {
    order,
    rma,
    settlement: {
      returnId: rma.returnId,
      method: methodOfProcess(process),
      options: plainSettlement,
    },
  });
  return readMemoOfRun(em, rma.creditMemoId);
}

export const endedMeanwhile = (incrementId: string, status: string) =>
  invalid('Return %1 is %2: somebody else ended it meanwhile.', [incrementId, status]);

async function bookAlone(em: EntityManager, { order, process }: LockedProcess): Promise<MemoOfRun> {
  const items = (await linesOfProcess(em, process)).map(({ orderItemId, qty }) => ({ orderItemId, qty }));
  try {
    const { memo } = await bookMemoWithCredits(em, {
      order,
      request: memoRequest(items, plainSettlement, order),
      isOnline: false,
      // Goods move last, at the end of the collapsed return.
      movesStock: false,
    });
    return memo;
  } catch (error) {
    throw await explainUsedUp(em, error, { order, returnId: null, items });
  }
}
