import type { EntityManager } from '@mikro-orm/postgresql';
import type { ProcessResolution } from '../../domain/returns/collapsed-return.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { itemsOf } from '../refunds/open-refund-attempt.ts';
import { refuseUnlessReady, refuseWhileRefunding } from '../returns/refuse-unless-quiet.ts';
import { changeReturn } from '../returns/lock-return.ts';
import { customerOf, reopenProcess } from './open-process.ts';
import { refuseUnlessPayable } from './refuse-unless-payable.ts';
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
      await refuseUnlessPayable(tx, { order, returnId, items: itemsOf(rma), wanted });
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

/** The collapsed return of a return that waits for nobody: its money was not given back yet. Undefined: none. */
export const openProcessOf = async (em: EntityManager, returnId: number): Promise<number | undefined> =>
  (await readOpen.first(em, { returnId }))?.processId;

/** The newest collapsed return of a return; undefined: none. */
export const runOfReturn = (em: EntityManager, returnId: number) => readNewest.first(em, { returnId });

const readNewest = statement({
  takes: { returnId: integer },
  gives: of(ReturnProcess, 'processId', 'state'),
  text: 'select process_id, state from return_process where return_id = $returnId order by process_id desc limit 1',
});

const readOpen = statement({
  takes: { returnId: integer },
  gives: of(ReturnProcess, 'processId'),
  text: `
    select p.process_id from return_process p left join refund_attempt a on a.attempt_id = p.refund_attempt_id
    where p.return_id = $returnId and p.state = 'open' and a.state is distinct from 'uncertain'`,
});

const runsOf = statement({
  takes: { returnId: integer, requestKey: text },
  gives: { ...of(ReturnProcess, 'processId', 'state'), isOwn: surely(flag), isHeldUp: surely(flag) },
  text: `
    select process_id, state, request_key = $requestKey as is_own,
      state = 'refused' and (refusal ->> 'status') = '409' as is_held_up
    from return_process
    where return_id = $returnId and (state in ('open', 'done') or request_key = $requestKey) order by process_id`,
});
