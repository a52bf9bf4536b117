import { inWords } from '../../domain/fill-in.ts';
import { whoRan } from '../../domain/returns/collapsed-return.ts';
import { amountText } from './amount-text.ts';
import { at, list } from './json-sql.ts';
import type { SaleRows } from './sale-rows.ts';
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
export function processEvents(run: ProcessRow, { order }: Pick<SaleRows, 'order'>): StoryEvent[] {
  const workflow = workflowOfRun(run);
  const how = run.isOnline && run.resolution === 'refund' ? 'through the gateway' : 'not through a gateway';
  const asked = run.isFastTrack ? `Return ${run.returnId ?? ''} was to be finished` : 'Goods were to come back';
  const events = [
    event({ at: run.at, who: run.author, what: `${asked} in one call: ${run.resolution}, ${how}.`, workflow }),
  ];
  if (run.state !== 'open') events.push(event({ at: run.updatedAt, what: endText(run, order.currency), workflow }));
  return events;
}

function endText(run: ProcessRow, currency: string): string {
  const who = whoRan(run.providerCode, run.stage);
  if (run.state === 'unattempted') return 'No returns provider took the run on.';
  if (run.state !== 'done')
    return `The collapsed return by ${who} ended ${run.state}: "${run.refusal === null ? '' : inWords(run.refusal)}"`;
  const credit =
    Number(run.storeCredit) > 0
      ? ` Store credit issued: ${amountText(run.storeCredit, currency)}.`
      : Number(run.exchangeCredit) > 0
        ? ` For other goods: ${amountText(run.exchangeCredit, currency)}.`
        : '';
  return `The collapsed return by ${who} is done.${credit}`;
}
