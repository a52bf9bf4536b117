import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, definite, text, type Kind } from '../../db/support/entity-columns.ts';
import { statement } from '../../db/support/statement.ts';
import { maskCode } from '../../domain/credits/applied-credit.ts';
import { notFound } from '../../domain/errors.ts';
import { idIn } from '../../domain/ids.ts';
import type { ShownOption } from '../../domain/platform/catalog/entered-options.ts';
import { refundAttemptId } from '../../domain/refunds/refund-finding.ts';
import type { CreditName } from './english-story.ts';
import { at, list } from './json-sql.ts';
import { event, type StoryEvent } from './story.ts';
import {
  workflowOfAttempt,
  type AttemptRow,
  type CaseRow,
  type CreditRow,
  type MemoRow,
  type ReceiptRow,
  type SaleReported,
} from './sale-rows.ts';

/** The shipments of an order `o`, as JSON. */
export const shipmentRows = list(
  {
    incrementId: 's.increment_id',
    sourceCode: 's.source_code',
    lines: list(
      { sku: 'sku', qty: 'qty::text' },
      'from sales_shipment_item where parent_id = s.entity_id',
      'entity_id',
    ),
    at: at('s.created_at'),
  },
  'from sales_shipment s where s.order_id = o.entity_id',
  's.entity_id',
);

/** The sale itself: ordered, paid, invoiced, shipped, and the other comments of its history. */
export function saleEvents(rows: SaleReported): StoryEvent[] {
  const { order, w } = rows;
  const amount = (stored: string) => w.amount(stored, order.currency);
  return [
    event({
      at: order.at,
      who: seller(rows.receipts),
      what: w.orderPlaced(order.incrementId, goods(rows)),
      amount: amount(order.grandTotal),
    }),
    ...rows.receipts.map((receipt) =>
      event({ at: receipt.at, who: seller([receipt]), what: w.receiptStored(receipt.receiptId) }),
    ),
    ...rows.invoices.map((invoice) =>
      event({
        at: invoice.at,
        what: w.invoiceMade(invoice.incrementId, invoiceState(invoice.state)),
        amount: amount(invoice.grandTotal),
      }),
    ),
    ...rows.payments.map((payment) =>
      event({
        at: payment.at,
        what: w.paid(payment.kind, payment.method === null ? null : w.method(payment.method), payment.reference),
        amount: amount(payment.amount),
      }),
    ),
    ...rows.shipments.map((shipment) =>
      event({
        at: shipment.at,
        what: w.shipped(linesText(shipment.lines, w), shipment.sourceCode, shipment.incrementId),
      }),
    ),
    ...rows.comments.map(({ at: moment, comment }) => event({ at: moment, what: w.historySays(comment) })),
  ];
}

/** `2 × MUG, 1 × PLATE` */
const linesText = (lines: readonly { sku: string; qty: string }[], w: SaleReported['w']): string =>
  lines.length === 0 ? w.nothing : lines.map(({ sku, qty }) => `${w.qty(qty)} × ${sku}`).join(', ');

/** `2 × Mug (MUG) with Text "Ann"` */
export const goods = ({ lines, w }: Pick<SaleReported, 'lines' | 'w'>): string =>
  lines
    .map(({ name, sku, qtyOrdered, options }) => `${w.qty(qtyOrdered)} × ${name ?? sku} (${sku})${entered(options, w)}`)
    .join(', ') || w.noGoods;

/** ` with Text "Ann"` */
const entered = (options: readonly ShownOption[], w: SaleReported['w']): string =>
  options.length === 0 ? '' : w.withOptions(options.map(({ label, value }) => `${label} "${value}"`));

function seller(receipts: readonly ReceiptRow[]): string | null {
  const [receipt] = receipts;
  if (!receipt) return null;
  const parts = [receipt.staffName, receipt.terminalName, receipt.locationName].filter((name) => name !== null);
  return parts.join(', ') || null;
}

const invoiceState = (state: number) => (state === 1 ? 'open' : state === 3 ? 'cancelled' : 'paid');

/** The attempts of an order `o`, as JSON. */
export const attemptRows = list(
  {
    attemptId: 'attempt_id',
    returnId: 'return_id',
    state: 'state',
    paymentMethod: 'payment_method',
    amount: 'amount::text',
    credited: 'credited::text',
    currency: 'currency_code',
    idempotencyKey: 'idempotency_key',
    nameTail: 'name_tail',
    gatewayOutcome: 'gateway_outcome',
    gatewayReference: 'gateway_reference',
    message: 'message',
    resolvedBy: 'resolved_by',
    resolutionNote: 'resolution_note',
    callStartedAt: at('call_started_at'),
    callDeadline: at('call_deadline'),
    at: at('created_at'),
    updatedAt: at('updated_at'),
  },
  'from refund_attempt where order_id = o.entity_id',
  'attempt_id',
);

/** The cases of an order `o`, as JSON. */
export const caseRows = list(
  {
    caseId: 'k.case_id',
    attemptId: 'k.attempt_id',
    firstBy: 'k.first_by',
    firstNote: 'k.first_note',
    firstAt: at('k.first_at'),
    secondBy: 'k.second_by',
    secondNote: 'k.second_note',
    amount: 'k.amount::text',
    currency: 'k.currency_code',
    means: 'k.means',
    at: at('k.opened_at'),
    closedBy: 'k.closed_by',
    proof: 'k.proof',
    closedAt: at('k.closed_at'),
  },
  'from refund_case k join refund_attempt a on a.attempt_id = k.attempt_id where a.order_id = o.entity_id',
  'k.case_id',
);

/** Both words of a case, and the proof that the money was handed back. */
const caseEvents = (
  { caseId: id, firstBy, firstAt, firstNote, secondBy, secondNote: note, means, ...one }: CaseRow,
  w: SaleReported['w'],
): StoryEvent[] => {
  const amount = w.amount(one.amount, one.currency);
  const first = { by: firstBy, at: w.moment(firstAt), note: firstNote ?? '' };
  return [
    event({ at: one.at, who: secondBy, what: w.caseOpened({ id, amount, means, note, first }), amount }),
    ...(one.closedAt === null
      ? []
      : [event({ at: one.closedAt, who: one.closedBy, what: w.caseClosed(id, one.proof ?? ''), amount })]),
  ];
};

/** One refund attempt through a gateway: recorded, called, its outcome, and a case about a wrong word. */
export function attemptEvents(
  attempt: AttemptRow,
  { cases, processes, w }: Pick<SaleReported, 'cases' | 'processes' | 'w'>,
): StoryEvent[] {
  const workflow = workflowOfAttempt(attempt, processes);
  const amount = w.amount(attempt.amount, attempt.currency);
  const credited = Number(attempt.credited) === 0 ? null : w.amount(attempt.credited, attempt.currency);
  const { attemptId: id, idempotencyKey: key } = attempt;
  const method = w.method(attempt.paymentMethod);
  const events = [
    event({
      at: attempt.at,
      what: w.attemptRecorded({ id, method, key, credited }),
      amount,
      workflow,
    }),
  ];
  if (attempt.callStartedAt !== null) {
    const request = w.gatewayAsked(attempt.callDeadline === null ? null : w.clock(attempt.callDeadline));
    events.push(event({ at: attempt.callStartedAt, what: request, workflow }));
  }
  if (attempt.state !== 'started') {
    events.push(
      event({
        at: attempt.updatedAt,
        who: attempt.resolvedBy,
        what: outcomeText(attempt, w),
        workflow:
          attempt.state === 'uncertain' || attempt.resolvedBy !== null ? refundAttemptId(attempt.attemptId) : workflow,
      }),
    );
  }
  events.push(...cases.filter(({ attemptId }) => attemptId === id).flatMap((one) => caseEvents(one, w)));
  return events;
}

export function memoEvents(
  memo: MemoRow,
  rows: Pick<SaleReported, 'order' | 'attempts' | 'processes' | 'w'>,
): StoryEvent[] {
  const { order, w } = rows;
  const amount = (stored: string) => w.amount(stored, order.currency);
  const parts = [
    [w.memoParts.goods, memo.subtotal],
    [w.memoParts.discount, memo.discount],
    [w.memoParts.shipping, memo.shipping],
    [w.memoParts.tax, memo.tax],
    [w.memoParts.adjustment, memo.adjustment],
  ] as const;
  const changes = parts
    .filter(([, stored]) => Number(stored) !== 0)
    .map(([name, stored]) => `${name} ${amount(stored)}`);
  return [
    event({
      at: memo.at,
      what: w.memoBooked(memo.incrementId, linesText(memo.lines, w), changes.join(', ') || w.nothing, memo.isOnline),
      amount: amount(memo.grandTotal),
      workflow: bookedBy(memo, rows),
    }),
  ];
}

/** The outcome of an attempt, in words. */
function outcomeText(attempt: AttemptRow, w: SaleReported['w']): string {
  const { attemptId: id, state, resolvedBy, resolutionNote, gatewayReference: reference } = attempt;
  return resolvedBy === null
    ? w.outcome({ id, state, reference, because: reason(attempt, w) })
    : w.operatorAnswered(id, state, resolutionNote ?? '');
}

/** ` (declined: The card was declined.)`; empty without an outcome and a message. */
function reason({ gatewayOutcome, message }: AttemptRow, w: SaleReported['w']): string {
  const lastAnswer = [gatewayOutcome === null ? null : w.outcomeCode(gatewayOutcome), message].filter(
    (part) => part !== null,
  );
  return lastAnswer.length === 0 ? '' : ` (${lastAnswer.join(': ')})`;
}

/**
 * An operator's answer is booked by the attempt's own workflow, everything else by the workflow of its return or
 * collapsed return.
 */
function bookedBy(
  { attemptId, returnId }: MemoRow,
  { attempts, processes }: Pick<SaleReported, 'attempts' | 'processes'>,
): string | null {
  const attempt = attempts.find((one) => one.attemptId === attemptId);
  if (attempt)
    return attempt.resolvedBy === null ? workflowOfAttempt(attempt, processes) : refundAttemptId(attempt.attemptId);
  return returnId === null ? null : `return-${returnId}`;
}

/** The rows of an order `o`, as JSON. */
export const creditRows = list(
  {
    creditId: 'c.credit_id',
    kind: 'c.kind',
    appliesAs: 'c.applies_as',
    code: 'c.code',
    amount: 'c.amount::text',
    points: 'c.points',
    amountReturned: 'c.amount_returned::text',
    amountReserved: 'c.amount_reserved::text',
    keptBy: 's.provider_code',
    keeperNumber: 's.transaction_id',
    returns: list(
      {
        creditMemoId: 'r.credit_memo_id',
        amount: 'r.amount::text',
        points: 'r.points',
        state: 'r.state',
        at: at('r.created_at'),
      },
      'from order_credit_return r where r.credit_id = c.credit_id',
      'r.credit_return_id',
    ),
  },
  `from order_credit c left join credit_spending s
     on s.order_id = c.order_id and concat_ws('-', 'credit-spending', s.spending_id, s.name_tail) = c.spend_key
   where c.order_id = o.entity_id`,
  'c.credit_id',
);

/** One sentence for each credit: `40.00 USD was paid with store credit; 20.00 USD of it is back.` */
export const creditFacts = ({ order, credits, w }: Pick<SaleReported, 'order' | 'credits' | 'w'>): string[] =>
  credits.map((credit) => {
    const some = (stored: string) => (Number(stored) === 0 ? null : w.amount(stored, order.currency));
    const fact = w.creditFact({
      ...nameOf(credit),
      isTender: credit.appliesAs === 'tender',
      amount: w.amount(credit.amount, order.currency),
      back: some(credit.amountReturned),
      promised: some(credit.amountReserved),
    });
    return `${fact}${credit.keptBy === null ? '' : w.keptBy(credit.keptBy, credit.keeperNumber ?? '')}`;
  });

/**
 * Every leg that was given back.
 *
 * @param memoId only the legs of this credit memo; absent: all of the sale
 */
export const creditEvents = ({ order, credits, memos, w }: SaleReported, memoId?: number | null): StoryEvent[] =>
  credits.flatMap((credit) =>
    credit.returns
      .filter(({ creditMemoId }) => memoId === undefined || creditMemoId === memoId)
      .map((leg) => {
        const memo = memos.find(({ creditMemoId }) => creditMemoId === leg.creditMemoId);
        return event({
          at: leg.at,
          what: w.creditBack({
            ...nameOf(credit),
            backPoints: leg.points,
            memo: memo?.incrementId,
            isPending: leg.state === 'pending',
          }),
          amount: w.amount(leg.amount, order.currency),
          workflow: memo?.returnId == null ? null : `return-${memo.returnId}`,
        });
      }),
  );

const nameOf = ({ kind, code, points }: CreditRow): CreditName => ({ kind, code: maskCode(code ?? ''), points });

export type SubjectKind = 'order' | 'return' | 'refund';

/** The subject of a story, and the order it belongs to. */
export interface Subject {
  orderId: number;
  /** Of the return, the refund attempt or the credit memo; the order's own for an order. */
  id: number;
  kind: 'order' | 'return' | 'attempt' | 'memo';
}

/** The prefixes that an id may have: its own name, or its workflow's. */
const prefixes: Record<SubjectKind, RegExp> = {
  order: /^(order|layaway)-(?=\d+$)/,
  return: /^return-(?=\d+$)/,
  refund: /^(refund|refund-attempt)-(?=\d+$)/,
};

/** A document number wins over an id; among several stores, the newest document wins. */
const selectAttemptsOf = (kinds: string) =>
  statement({
    takes: { number: text, id: integer },
    gives: { kind: definite(text as Kind<Subject['kind']>), id: definite(integer), orderId: definite(integer) },
    text: `select kind, id, order_id from (${kinds}) found order by is_number desc, id desc limit 1`,
  });

const queries = {
  order: selectAttemptsOf(`
    select 'order' as kind, entity_id as id, entity_id as order_id, increment_id = $number as is_number
    from sales_order where increment_id = $number or entity_id = $id`),
  return: selectAttemptsOf(`
    select 'return' as kind, return_id as id, order_id, increment_id = $number as is_number
    from sale_return where increment_id = $number or return_id = $id`),
  refund: selectAttemptsOf(`
    select 'attempt' as kind, attempt_id as id, order_id, false as is_number
    from refund_attempt where attempt_id = $id
    union all
    select case when refund_attempt_id is null then 'memo' else 'attempt' end,
           coalesce(refund_attempt_id, entity_id), order_id, true
    from sales_creditmemo where increment_id = $number and figures_from <> 'save'`),
} satisfies Record<SubjectKind, unknown>;

/**
 * Finds the subject that a person names: by document number (`000000042`), by id (`42`), or by a workflow's id.
 * `return-42` means only the return, not a refund with the same number. A document number wins over an id; among
 * several stores, the newest document wins.
 *
 * A refund is a refund attempt by id, or a credit memo by number.
 *
 * Refused with 404 when nothing has that name.
 */
export async function findSubject(em: EntityManager, kind: SubjectKind, input: string): Promise<Subject> {
  const name = input.trim().replace(prefixes[kind], '');
  const subject = await queries[kind].first(em, { number: name, id: idIn(name) ?? 0 });
  if (!subject) throw notFound(`No ${kind} is known as %1.`, [input]);
  return subject;
}
