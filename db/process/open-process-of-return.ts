import type { EntityManager } from '@mikro-orm/postgresql';
import { methodOfProcess, type ProcessResolution } from '../../domain/returns/collapsed-return.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { refuseUnlessPayable } from '../refunds/judge-money.ts';
import { itemsOf } from '../refunds/open-refund-attempt.ts';
import { refuseUnlessReady, refuseWhileRefunding } from '../returns/refuse-unless-quiet.ts';
import { changeReturn } from '../returns/lock-return.ts';
import { customerOf, reopenProcess } from './open-process.ts';
import { flag, integer, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { insertProcess } from './insert-process.ts';
import { ReturnProcess } from './return-process.entity.ts';

export interface ProcessOfReturn {
  returnId: number;
  requestKey: string;
  /** Until then it may begin, by the database's clock. Absent: at any time. */
  beginBefore?: string | undefined;
  resolution: ProcessResolution;
  isOnline: boolean;
  author: string;
  canRefundThrough: (paymentMethod: string) => boolean;
  /** The provider of store credit in the order's store, by its code; undefined: none. */
  storeCreditIn: string | undefined;
}

/**
 * Writes down a collapsed return that finishes an existing return in one call (spec 4.8 fast track).
 *
 * Safe to repeat: the return's open one is answered, whatever this request contains, and under its key the one that it
 * opened before. One that a doubt about another refund held up is opened again. When the return has ended, the one that
 * ended it is answered.
 *
 * Refused with: 404 unknown return · 409 `return_not_ready` · 409 `gateway_uncertain` · 400 as for a new one.
 */
export const openProcessOfReturn = (
  em: EntityManager,
  wanted: ProcessOfReturn,
): Promise<{ processId: number | null }> =>
  changeReturn(
    em,
    { returnId: wanted.returnId, beginBefore: wanted.beginBefore },
    async (tx, { order, rma, refuseLate }) => {
      const { returnId, requestKey, resolution, isOnline, author, storeCreditIn } = wanted;
      const runs = await runsOf.all(tx, { returnId, requestKey });
      const open = runs.find(({ state }) => state === 'open');
      if (open) return { processId: open.processId };
      const own = runs.find(({ isOwn }) => isOwn);
      if (own && !own.isHeldUp) return { processId: own.processId };
      if (isTerminal(rma.status)) return { processId: runs.find(({ state }) => state === 'done')?.processId ?? null };
      refuseUnlessReady(rma);
      await refuseWhileRefunding(tx, rma);
      refuseLate();
      const { canRefundThrough } = wanted;
      const method = methodOfProcess({ resolution, isOnline });
      await refuseUnlessPayable(tx, { order, returnId, items: itemsOf(rma), method, canRefundThrough });
      if (own) return { processId: (await reopenProcess(tx, own.processId)).processId };
      const run = {
        orderId: order.entityId,
        requestKey,
        customerId: await customerOf(tx, order, { customerId: rma.customerId, resolution, storeCreditIn }),
        resolution,
        isOnline,
        author: author.slice(0, 255),
        returnId,
        isFastTrack: true,
      };
      return { processId: await insertProcess(tx, { run, items: [] }) };
    },
  );

const runsOf = statement({
  takes: { returnId: integer, requestKey: text },
  gives: { ...of(ReturnProcess, 'processId', 'state'), isOwn: surely(flag), isHeldUp: surely(flag) },
  text: `
    select process_id, state, request_key = $requestKey as is_own,
      state = 'refused' and (refusal ->> 'status') = '409' as is_held_up
    from return_process
    where return_id = $returnId and (state in ('open', 'done') or request_key = $requestKey) order by process_id`,
});
