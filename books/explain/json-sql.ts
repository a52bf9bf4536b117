import { invoiceStates } from '../../db/platform/invoices/invoice.entity.ts';
import { maskCode } from '../../domain/credits/applied-credit.ts';
import { inWords } from '../../domain/fill-in.ts';
import { isRunning } from '../../domain/layaways.ts';
import {
  workflowOfRun,
  type AttemptRow,
  type AuditRow,
  type CommentRow,
  type InvoiceRow,
  type LayawayRow,
  type MovementRow,
  type ProcessRow,
  type ReturnRow,
  type SaleReported,
} from './sale-rows.ts';

/** The most lines of a story, to limit memory and reading. */
const rowsEach = 500;

/** A moment as ISO 8601 in UTC. */
export const at = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL for a list of JSON objects: `fields` are pairs of name and SQL. */
export const list = (fields: Record<string, string>, from: string, order: string) => `
  (select coalesce(json_agg(row), '[]') from (
    select json_build_object(${pairs(fields)}) as row ${from} order by ${order} limit ${rowsEach}) as rows)`;

/** `'name', sql, 'name', sql` */
export const pairs = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(', ');

/** One event, in words for a reader who was not there. */
export interface StoryEvent {
  /** ISO 8601, UTC. */
  at: string;
  /** A person, a register, or null when the service acted by itself. */
  who: string | null;
  what: string;
  /** With its currency, such as `54.00 USD`; null where no money moved. */
  amount: string | null;
  /** The id of the workflow that did it, as on the Temporal page. */
  workflow: string | null;
}

/** What happened to the money of a sale, in order. */
export interface Story {
  title: string;
  /** Facts to know first: what was bought, how it was paid. */
  facts: string[];
  events: StoryEvent[];
  totals: { what: string; amount: string }[];
  /** What a person can do now, each with the exact command or request. */
  next: string[];
}

/** Completes an event with default values. */
export const event = (parts: Pick<StoryEvent, 'at' | 'what'> & Partial<StoryEvent>): StoryEvent => ({
  who: null,
  amount: null,
  workflow: null,
  ...parts,
});

/** In order of time; events of the same moment keep the order in which they were added. */
export const inOrder = (events: readonly StoryEvent[]): StoryEvent[] =>
  events.toSorted((one, other) => (one.at === other.at ? 0 : one.at < other.at ? -1 : 1));

/** The rows of an order `o`, as JSON. */
export const pointsRows = list(
  { kind: 'e.kind', delta: 'e.delta', at: at('e.created_at') },
  `from reward_points_entry e where e.order_id = o.entity_id and e.kind in ('earned', 'voided')`,
  'e.entry_id',
);

/** `100 reward points were earned.`, one event for each entry of the ledger. */
export const pointsEvents = ({ points, w }: Pick<SaleReported, 'points' | 'w'>): StoryEvent[] =>
  points.map(({ kind, delta, at: moment }) =>
    event({
      at: moment,
      what: kind === 'earned' ? w.pointsEarned(delta) : w.pointsVoided(-delta),
    }),
  );

/** The rows of an order `o`, as JSON. */
export const creditRefundRows = list(
  {
    refundId: 'f.refund_id',
    kind: 'f.kind',
    code: 'f.code',
    amount: 'f.amount::text',
    state: 'f.state',
    message: 'f.message',
    at: at('coalesce(f.concluded_at, f.created_at)'),
  },
  'from credit_refund f where f.order_id = o.entity_id',
  'f.refund_id',
);

/** The outcome of each: given, refused, or not known yet. */
export const creditRefundEvents = ({ order, creditRefunds, w }: SaleReported): StoryEvent[] =>
  creditRefunds.map(({ refundId: id, kind, code, state, message, amount, at: moment }) =>
    event({
      at: moment,
      what: w.creditRefund({ id, kind, code: maskCode(code ?? ''), state, message }),
      amount: w.amount(amount, order.currency),
    }),
  );

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
  w.changed(fieldName, oldValue ?? '', newValue ?? '');

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

/** Of an order `o`, as JSON; null when it is no layaway. */
export const layawayRow = `
case when o.pos_layaway_status is not null then json_build_object(${pairs({
  status: 'o.pos_layaway_status',
  balanceOwed: 'o.total_due::text',
  depositAmount: 'o.pos_layaway_deposit_amount::text',
  depositMethod: 'o.pos_layaway_initial_payment_method',
  expiresAt: at('o.pos_layaway_expires_at'),
  followedAt: at('o.pos_layaway_followed_at'),
  cancellation: `(select json_build_object(${pairs({
    feePercent: 'l.fee_percent::text',
    fee: 'l.fee::text',
    refund: 'l.refund::text',
    refundMethod: 'l.refund_method',
    reason: 'l.reason',
    creditMemoId: 'l.credit_memo_id',
    at: at('l.created_at'),
  })}) from layaway_cancellation l where l.order_id = o.entity_id)`,
})}) end`;

/** How much of the credit granted is still due, as JSON; null when no credit was granted. */
export const creditDueText = 'o.pos_credit_due::text';

/**
 * The state in words: `A layaway, open: 68.00 USD owed of 108.00 USD, until 2026-12-21.`, or that it is paid in full;
 * and the credit due.
 */
export function layawayFacts({ layaway, creditDue, order, w }: LayawayParts): string[] {
  const amount = (stored: string) => w.amount(stored, order.currency);
  const due = creditDue === null ? [] : [w.creditDue(amount(creditDue))];
  if (!layaway) return due;
  const { status, balanceOwed, depositAmount, depositMethod, expiresAt } = layaway;
  const owed = isPaidInFull(layaway)
    ? w.layawayPaid
    : w.layawayOwed(amount(balanceOwed), amount(order.grandTotal), expiresAt?.slice(0, 10) ?? null);
  const deposit =
    Number(depositAmount ?? 0) === 0 || depositAmount === null
      ? []
      : [w.layawayDeposit(amount(depositAmount), depositMethod)];
  return [w.layaway(status, status === 'cancelled' ? '' : owed), ...deposit, ...due];
}

/** The cancellation: the fee, the cash handed back, the reason. The legs of credits have events of their own. */
export function layawayEvents({ layaway, order, memos, w }: SaleReported): StoryEvent[] {
  const cancelled = layaway?.cancellation;
  if (!cancelled) return [];
  const amount = (stored: string) => w.amount(stored, order.currency);
  const memo = memos.find(({ creditMemoId }) => creditMemoId === cancelled.creditMemoId);
  return [
    event({
      at: cancelled.at,
      what: w.layawayCancelled({
        memo: memo?.incrementId,
        fee: Number(cancelled.fee) === 0 ? null : amount(cancelled.fee),
        percent: percentText(cancelled.feePercent),
        method: cancelled.refundMethod,
        reason: cancelled.reason,
      }),
      amount: amount(cancelled.refund),
      workflow: `layaway-${order.orderId}`,
    }),
  ];
}

/** What can be done about a layaway, and about credit due. */
export function waysOnForLayaway({ layaway, creditDue, order, invoices, w }: LayawayParts): string[] {
  const amount = (stored: string) => w.amount(stored, order.currency);
  const ways: string[] = [];
  if (layaway && isRunning(layaway.status) && !isPaidInFull(layaway)) {
    ways.push(w.ways.payLayaway(order.orderId, amount(layaway.balanceOwed)), w.ways.cancelLayaway(order.orderId));
    if (layaway.followedAt === null) ways.push(w.ways.notFollowed);
  }
  if (layaway && isPaidInFull(layaway))
    ways.push(...openInvoices({ invoices }).map(({ invoiceId }) => w.ways.settleLayaway(invoiceId)));
  if (creditDue !== null && Number(creditDue) > 0) ways.push(w.ways.collectDue(order.orderId, amount(creditDue)));
  return ways;
}

/** Unpaid invoices: no other invoice can collect the same money. */
export const openInvoices = ({ invoices }: Pick<SaleReported, 'invoices'>): InvoiceRow[] =>
  invoices.filter(({ state }) => state === invoiceStates.open);

/** The balance decides, not the status: collecting credit due pays a layaway without its own verbs (spec 4.6). */
const isPaidInFull = ({ balanceOwed, status }: LayawayRow): boolean =>
  status === 'ready_to_settle' || (isRunning(status) && Number(balanceOwed) === 0);

type LayawayParts = Pick<SaleReported, 'layaway' | 'creditDue' | 'order' | 'invoices' | 'w'>;

/** `20.0000` → `20` */
const percentText = (stored: string) => String(Number(stored));
