import type { EntityManager } from '@mikro-orm/postgresql';
import { fillIn } from '../../domain/fill-in.ts';
import type { Refusal } from '../../domain/errors.ts';
import { whoRan, whyUnattempted } from '../../domain/returns/collapsed-return.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { addReturnComment } from '../returns/add-return-comment.ts';
import type { LockedReturn } from '../returns/lock-return.ts';
import { withProcess, type ProcessRow } from './lock-process.ts';

export interface RefusedRun {
  processId: number;
  /** `refused`: the provider or the gateway said no. `failed`: what a provider wrote is unknown. */
  state: 'refused' | 'failed';
  refusal: Refusal;
}

/**
 * Ends a collapsed return without a refund, after its attempt was rolled back. Its lines may be returned again. The
 * histories of the order and the return name the provider and the reason (spec 4.8); the return keeps its status.
 *
 * Safe to repeat: one that has ended is unchanged.
 */
export const refuseProcess = (em: EntityManager, { processId, state, refusal }: RefusedRun): Promise<void> =>
  withProcess(em, processId, async (tx, { order, process, rma }) => {
    if (process.state !== 'open') return;
    process.state = state;
    process.refusal = { ...refusal };
    const entry = { process, orderStatus: order.status, why: fillIn(refusal.message, refusal.parameters) };
    await commentRefusal(tx, entry, rma);
  });

interface Why {
  process: ProcessRow;
  orderStatus: string;
  why: string;
}

/**
 * Ends a collapsed return of an existing return when every provider passed: nothing was tried and nothing is refused.
 * The histories say so. Safe to repeat: one that has ended is unchanged.
 */
export const leaveUnattempted = (em: EntityManager, processId: number): Promise<void> =>
  withProcess(em, processId, async (tx, { order, process, rma }) => {
    if (process.state !== 'open') return;
    process.state = 'unattempted';
    await commentRefusal(
      tx,
      { process, orderStatus: order.status, why: whyUnattempted(rma?.incrementId ?? null) },
      rma,
    );
  });

/** While it is open its result is unknown. When every provider passed, the sentence names no provider. */
function sentenceOf({ process, why }: Why): string {
  const whose = `A return processed by ${whoRan(process.providerCode, process.stage)}`;
  if (process.state === 'open') return `${whose} is undecided: ${why}`;
  return process.state === 'unattempted' ? `A return was not processed: ${why}` : `${whose} did not go through: ${why}`;
}

/** One sentence for the order's history: the provider and the reason (spec 4.8). */
export async function commentRefusalOnOrder(em: EntityManager, given: Why): Promise<void> {
  const { process, orderStatus: status } = given;
  await addOrderComment(em, { orderId: process.orderId, comment: sentenceOf(given), status });
}

/** The same for the return's history, where there is a return. */
async function commentRefusal(em: EntityManager, given: Why, rma: LockedReturn | undefined): Promise<void> {
  await commentRefusalOnOrder(em, given);
  if (!rma) return;
  await addReturnComment(em, { returnId: rma.returnId, comment: sentenceOf(given), status: rma.status });
}
