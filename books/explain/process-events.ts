import { inWords } from '../../domain/fill-in.ts';
import { at, list } from './json-sql.ts';
import type { SaleTold } from './sale-rows.ts';
import { event, type StoryEvent } from './story.ts';
import { workflowOfRun } from './workflow-of.ts';
import type { ProcessRow } from './process-row.ts';

/** Of the order `o`. */
export const processRows = list(
  {
    processId: 'process_id',
    orderId: 'order_id',
    requestKey: 'request_key',
    returnId: 'return_id',
    attemptId: 'refund_attempt_id',
    isFastTrack: 'is_fast_track',
    resolution: 'resolution',
    isOnline: 'is_online',
    state: 'state',
    stage: 'stage',
    providerCode: 'provider_code',
    storeCredit: 'store_credit_issued::text',
    exchangeCredit: 'exchange_credit_amount::text',
    refusal: 'refusal',
    author: 'author',
    at: at('created_at'),
    updatedAt: at('updated_at'),
  },
  'from return_process where order_id = o.entity_id',
  'process_id',
);

/** A collapsed return: asked for, and what came of it. Its return, attempt and memo tell their own part. */
export function processEvents(run: ProcessRow, { order, w }: Pick<SaleTold, 'order' | 'w'>): StoryEvent[] {
  const workflow = workflowOfRun(run);
  const asked = w.runAsked({
    finishes: run.isFastTrack ? (run.returnId ?? 0) : null,
    resolution: run.resolution,
    isByGateway: run.isOnline && run.resolution === 'refund',
  });
  const events = [event({ at: run.at, who: run.author, what: asked, workflow })];
  if (run.state !== 'open') events.push(event({ at: run.updatedAt, what: endText(run, order.currency, w), workflow }));
  return events;
}

function endText(run: ProcessRow, currency: string, w: SaleTold['w']): string {
  const provider = run.stage === 'passed' ? null : run.providerCode;
  if (run.state === 'unattempted') return w.runUnattempted;
  if (run.state !== 'done') return w.runEnded(provider, run.state, run.refusal === null ? '' : inWords(run.refusal));
  const credit =
    Number(run.storeCredit) > 0
      ? w.storeCreditIssued(w.amount(run.storeCredit, currency))
      : Number(run.exchangeCredit) > 0
        ? w.forOtherGoods(w.amount(run.exchangeCredit, currency))
        : '';
  return `${w.runDone(provider)}${credit}`;
}
