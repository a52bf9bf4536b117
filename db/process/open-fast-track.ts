import type { EntityManager } from '@mikro-orm/postgresql';
import type { ProcessResolution } from '../../domain/returns/collapsed.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { itemsOf } from '../refunds/open-refund-attempt.ts';
import { refuseUnlessReady, refuseWhileRefunding } from '../returns/refuse-unless-quiet.ts';
import { lockOrderAndReturn } from '../returns/return.repository.ts';
import { transact } from '../support/transact.ts';
import { customerOf } from './open-process.ts';
import { refuseUnlessPayable } from './refuse-unless-payable.ts';
import { ReturnProcess } from './return-process.entity.ts';

export interface FastTrack {
  returnId: number;
  requestKey: string;
  resolution: ProcessResolution;
  isOnline: boolean;
  author: string;
  canRefundThrough: (paymentMethod: string) => boolean;
  /** Who keeps store credit in the order's store, by its code; undefined: nobody. */
  storeCreditIn: string | undefined;
}

/**
 * Writes down that an existing return is to be taken through to its end in one call (spec 4.8 fast track).
 *
 * Safe to repeat: a run of the return that is open is answered, whatever this one asks for; a return that is over needs
 * none, and the run that ended it is answered.
 *
 * Refused with: 404 unknown return · 409 `return_not_ready` · 409 `gateway_uncertain` · 400 as for a new run.
 */
export const openFastTrack = (em: EntityManager, wanted: FastTrack): Promise<{ processId: number | null }> =>
  transact(em, async (tx) => {
    const { returnId, requestKey, resolution, isOnline, author, storeCreditIn } = wanted;
    const { order, rma } = await lockOrderAndReturn(tx, returnId);
    const open = await tx.findOne(ReturnProcess, { returnId, state: 'open' });
    if (open) return { processId: open.processId };
    if (isTerminal(rma.status)) {
      const done = await tx.findOne(ReturnProcess, { returnId, state: 'done' });
      return { processId: done?.processId ?? null };
    }
    refuseUnlessReady(rma);
    await refuseWhileRefunding(tx, rma);
    await refuseUnlessPayable(tx, { order, returnId, items: itemsOf(rma), wanted });
    const process = tx.create(ReturnProcess, {
      orderId: order.entityId,
      requestKey,
      customerId: await customerOf(tx, order, { customerId: rma.customerId ?? null, resolution, storeCreditIn }),
      resolution,
      isOnline,
      author: author.slice(0, 255),
      returnId,
      isFastTrack: true,
    });
    await tx.flush();
    return { processId: process.processId };
  });
