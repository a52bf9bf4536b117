import type { EntityManager } from '@mikro-orm/postgresql';
import { refundRefused } from '../../domain/refunds/refund-refused.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import type { AttemptRow } from '../refunds/refund-attempt.repository.ts';
import { kept, saveRows } from '../support/kept-rows.ts';
import { finishProcess } from './finish-process.ts';
import { openRunOf } from './lock-process.ts';
import { readMemoOfRun } from './read-memo-of-run.ts';
import { commentRefusalOnOrder } from './refuse-process.ts';
import { ReturnProcess } from './return-process.entity.ts';

/**
 * Applies a verdict about a refund to the collapsed return that requested it, in the verdict's transaction. Booked ends
 * it as done, failed ends it as refused, uncertain keeps it open. Nothing happens when no open collapsed return has
 * this attempt.
 *
 * @returns whether it wrote the order's comment
 */
export async function concludeProcess(
  em: EntityManager,
  { order, attempt }: { order: LockedOrder; attempt: AttemptRow },
): Promise<boolean> {
  const process = await openRunOf(em, attempt.attemptId);
  if (!process) return false;
  if (attempt.state === 'booked') {
    await finishProcess(em, { order, process, memo: await readMemoOfRun(em, attempt.creditMemoId) });
    await saveRows(em, [kept(ReturnProcess, [process])]);
    return true;
  }
  const why = attempt.message ?? 'the gateway did not say why.';
  const isOpen = attempt.state === 'uncertain';
  if (attempt.state === 'failed') {
    process.state = 'refused';
    process.refusal = refundRefused({ attemptId: attempt.attemptId, returnId: process.returnId, message: why });
  }
  await commentRefusalOnOrder(em, {
    process,
    orderStatus: order.status,
    why: isOpen ? `it is not known yet whether refund attempt ${attempt.attemptId} gave the money back. ${why}` : why,
  });
  await saveRows(em, [kept(ReturnProcess, [process])]);
  return true;
}
