import { inWords } from '../../domain/fill-in.ts';
import { at, list } from './json-sql.ts';
import { event, type StoryEvent } from './story.ts';
import {
  workflowOfRun,
  type AttemptRow,
  type AuditRow,
  type CommentRow,
  type MovementRow,
  type ProcessRow,
  type ReturnRow,
  type SaleReported,
} from './sale-rows.ts';

/** A return: the request, goods received, comments, changes of status. Its refunds have events of their own. */
export function returnEvents(
  rma: ReturnRow,
  { audits, attempts, w }: Pick<SaleReported, 'audits' | 'attempts' | 'w'>,
): StoryEvent[] {
  const workflow = `return-${rma.returnId}`;
  return [
    event({ at: rma.at, who: rma.locationName, what: w.returnMade(rma.incrementId, request(rma, w)), workflow }),
    ...rma.movements.map((movement) => event({ at: movement.at, what: movementText(movement, w), workflow })),
    ...rma.comments
      .filter((comment) => !attempts.some((attempt) => reportsOutcome(comment, attempt)))
      .map(({ at, author, comment }) => event({ at, who: author, what: w.said(comment), workflow })),
    ...audits
      .filter(({ returnId }) => returnId === rma.returnId)
      .map((audit) => event({ at: audit.at, who: whoOf(audit), what: auditText(audit, w), workflow })),
    ...(rma.refundDifference === null ? [] : [event({ at: rma.updatedAt, what: rma.refundDifference, workflow })]),
  ];
}

const atOnceMs = 1_000;

/** The comment written with an attempt's final outcome: the attempt's event shows it already. */
const reportsOutcome = ({ at, comment }: CommentRow, { attemptId, updatedAt }: AttemptRow) =>
  new RegExp(`refund attempt ${attemptId}\\b`, 'i').test(comment) &&
  Math.abs(Date.parse(at) - Date.parse(updatedAt)) < atOnceMs;

/** `1 × Mug (MUG), "Too small", by register sale abc` */
function request({ lines, posSaleId }: ReturnRow, w: SaleReported['w']): string {
  const described = lines.map(({ qty, name, sku, reason }) => {
    const because = reason === null ? '' : w.because(reason);
    return `${w.qty(qty)} × ${name ?? sku} (${sku})${because}`;
  });
  return `${described.join('; ') || w.noGoods}${posSaleId === null ? '' : w.bySale(posSaleId)}`;
}

function movementText({ kind, sku, qty, sourceCode, inspectedCondition }: MovementRow, w: SaleReported['w']): string {
  const goods = `${w.qty(qty)} × ${sku}${inspectedCondition === null ? '' : `, ${w.condition(inspectedCondition)},`}`;
  return w.moved({ goods, isBack: kind === 'closed', source: sourceCode });
}

const whoOf = ({ staffName, terminalName, changeSource }: AuditRow) =>
  [staffName, terminalName].filter((name) => name !== null).join(', ') || changeSource.replaceAll('_', ' ');

const auditText = ({ fieldName, oldValue, newValue }: AuditRow, w: SaleReported['w']) =>
  fieldName.startsWith('asked_')
    ? w.asked(fieldName.slice('asked_'.length), newValue ?? '')
    : w.changed(fieldName, oldValue ?? '', newValue ?? '');

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
export function processEvents(run: ProcessRow, { order, w }: Pick<SaleReported, 'order' | 'w'>): StoryEvent[] {
  const workflow = workflowOfRun(run);
  const query = w.runAsked({
    finishes: run.isFastTrack ? (run.returnId ?? 0) : null,
    resolution: run.resolution,
    isByGateway: run.isOnline && run.resolution === 'refund',
  });
  const events = [event({ at: run.at, who: run.author, what: query, workflow })];
  if (run.state !== 'open') events.push(event({ at: run.updatedAt, what: endText(run, order.currency, w), workflow }));
  return events;
}

function endText(run: ProcessRow, currency: string, w: SaleReported['w']): string {
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
