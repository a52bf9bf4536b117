import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { add, isPositive, subtract, type Quantity } from '../../domain/money.ts';
import {
  memoRequest,
  type ExpectedLeg,
  type RefundedItem,
  type RegisterReference,
  type SettlementOptions,
} from '../../domain/refunds/quote-refund.ts';
import { gatewayUncertain, type RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { isRefunded, settledStatus, type Decided } from '../../domain/returns/resolution.ts';
import { goodsOf, splitRefund, type RefundSplit } from '../credits/give-credits-back.ts';
import { reserveLegs } from '../credits/reserve-legs.ts';
import { outsideName } from '../installation/outside-name.ts';
import { quoteCreditMemo } from '../platform/credit-memos/book-credit-memo.ts';
import { withPendingMemo } from '../platform/credit-memos/pending-memos.ts';
import { moneyOfOrder } from '../platform/orders/add-order-comment.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { integer, listOf, text, type NewRowOf } from '../support/entity-columns.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { merchantReference } from './merchant-reference.ts';
import { RefundAttempt, type FixedMemo } from './refund-attempt.entity.ts';
import { dropOpenTenders } from '../tenders/return-tenders.ts';
import { findOpenAttempt, type AttemptRow } from './refund-attempt.repository.ts';
import { explainUsedUp, nothingLeft, paymentToRefund } from './refundable-money.ts';
import type { ThroughGateway } from './through-gateway.ts';
import type { CreditMemoFigures } from '../../domain/platform/credit-memos/credit-memo-figures.ts';

/** Writes an attempt whose call is not claimed yet, in the caller's transaction. A repeat writes another one. */
export async function insertAttempt(
  em: EntityManager,
  attempt: NewRowOf<typeof RefundAttempt>,
): Promise<Pick<AttemptRow, 'attemptId' | 'orderId' | 'lineId' | 'callStartedAt'>> {
  const drawn = await draw.first(em);
  if (!drawn) throw new Error('no id for a refund attempt');
  const now = shopNow();
  await insertRows(em, [into(RefundAttempt, [{ ...attempt, ...drawn, createdAt: now, updatedAt: now }])]);
  return { ...drawn, orderId: attempt.orderId, lineId: attempt.lineId ?? null, callStartedAt: null };
}

const draw = sql('refund-intent.draw')`select nextval('refund_attempt_attempt_id_seq') as attempt_id`;

/** What the gateway call needs; the rest is read by id. */
export interface OpenAttempt {
  attemptId: number;
  orderId: number;
  /** True for an attempt that was claimed before: a call may have been made, so it is looked up, not made again. */
  isClaimed: boolean;
  /** Seconds until such a call is over for certain; absent: it is over, or was never made. */
  waitSeconds?: number;
  /** It gives back one tender line of its return. */
  isLine?: true;
  /** Set when every line has a resolution: then the booked refund ends the return as resolved, otherwise as closed. */
  endsAs?: 'resolved';
}

/** The fields of a locked return that its refund needs. */
export interface ReturnToRefund {
  returnId: number;
  /** The suffix of its outside name. */
  nameTail: string;
  /** Counts its refunds that ended for good. */
  refundGeneration: number;
  /** It has tender lines. */
  hasTenders?: boolean;
  items: readonly (Decided & { orderItemId: number; qtyRequested: Quantity; qtyApproved: Quantity | null })[];
}

/** Goods of an order that are refunded without a return. */
export interface RefundWithoutReturn {
  returnId: null;
  /** The intent's key: under the same key the gateway sees the same refund. */
  intent: string;
  items: readonly RefundedItem[];
}

export interface OpenRefundAttempt extends ThroughGateway {
  order: LockedOrder;
  rma: ReturnToRefund | RefundWithoutReturn;
  options: SettlementOptions;
  /** The register's reference of the refund: its transaction row is written with the memo. */
  reported?: RegisterReference;
  /** The legs that the register expected: stored with the attempt, to compare with the booked ones. */
  expectedLegs?: readonly ExpectedLeg[];
  /** The memo, where it was worked out and judged already; absent: it is worked out here. */
  memo?: FixedMemo;
  /** The creation of the return opened it, perhaps in an earlier run: an attempt that is `started` is its own. */
  takesUp?: true;
  /** 503 where nobody waits any more; after what another refund under way refuses. */
  refuseLate?: () => void;
}

/**
 * Records the refund through the original gateway before the gateway is called (spec 3.3).
 *
 * In the caller's transaction, with order and return locked. Another attempt that is open is refused; only the creation
 * of a return takes its own up again (`takesUp`). The gateway is asked for the handback only. The memo's goods,
 * shipping and total, and its credit legs, are reserved against other refunds until the attempt is decided.
 *
 * @returns undefined, with nothing written, where all of it is credit or it comes to zero: no gateway is needed
 *
 * Refused with: 409 `gateway_uncertain` · 400 no gateway for the payment, more than the card took, nothing left.
 */
export async function openRefundAttempt(
  em: EntityManager,
  request: OpenRefundAttempt,
): Promise<OpenAttempt | undefined> {
  const { order, rma } = request;
  const open = await findOpenAttempt(em, { orderId: order.entityId, returnId: rma.returnId });
  await dropOpenTenders(em, rma);
  if (open && (open.state === 'uncertain' || request.takesUp !== true)) throw uncertainty(open);
  if (open) return asOpen(open, rma);
  request.refuseLate?.();
  const { figures, refund, legs, handback } = await quoteRefund(em, request);
  if (!isPositive(handback.order)) return undefined;
  const { returnId } = rma;
  const { canRefundThrough } = request;
  const payment = await paymentToRefund(em, { order, returnId, asked: handback.order, canRefundThrough });
  const attempt = await insertAttempt(em, {
    orderId: order.entityId,
    returnId,
    ...payment,
    channel: 'original',
    state: 'started',
    baseAmount: handback.base,
    amount: handback.order,
    baseCredited: subtract(refund.base, handback.base),
    credited: subtract(refund.order, handback.order),
    currencyCode: order.orderCurrencyCode,
    // A changed amount is a new intent with a new key: the gateway would refuse the old key.
    idempotencyKey: `${intentOf(rma)}-${handback.order}`,
    plan: { ...planOf(rma, request.options), baseGoods: goodsOf(figures), legs, ...registerPlanOf(request) },
  });
  order.basePendingRefund = add(order.basePendingRefund, refund.base);
  order.pendingMemos = withPendingMemo(order, { refundAttemptId: attempt.attemptId, figures });
  await reserveLegs(em, { orderId: order.entityId, legs });
  return asOpen(attempt, rma);
}

type Called = Partial<AttemptRow> & Pick<AttemptRow, 'attemptId' | 'orderId' | 'callStartedAt'>;

export const asOpen = (
  { attemptId, orderId, lineId, callStartedAt, callDeadline, callEndedAt }: Called,
  rma: ReturnToRefund | RefundWithoutReturn,
): OpenAttempt => ({
  attemptId,
  orderId,
  isClaimed: callStartedAt !== null,
  // By this machine's clock: it only says how long to wait before asking.
  ...(callDeadline == null || callEndedAt != null
    ? {}
    : { waitSeconds: Math.max(0, Math.ceil((callDeadline.getTime() - Date.now()) / 1_000)) }),
  ...(lineId == null ? {} : { isLine: true as const }),
  ...(rma.returnId !== null && settledStatus(rma.items) === 'resolved' ? { endsAs: 'resolved' as const } : {}),
});

export const intentOf = (rma: ReturnToRefund | RefundWithoutReturn) =>
  rma.returnId === null ? rma.intent : `${outsideName(`return-${rma.returnId}`, rma.nameTail)}-${rma.refundGeneration}`;

/** 409: the attempt that is open. See `gatewayUncertain`. */
export const uncertainty = ({
  effectiveAt,
  ...attempt
}: Pick<AttemptRow, 'attemptId' | 'state' | 'returnId' | 'effectiveAt'>) =>
  gatewayUncertain({ ...attempt, effectiveAt: effectiveAt === null ? null : upToSecond(effectiveAt) });

/** As \`effective_at\` of the attempt is answered. */
const upToSecond = (moment: Date) =>
  new Date(Math.ceil(moment.getTime() / 1_000) * 1_000).toISOString().slice(0, 19).replace('T', ' ');

/** What a refund would book now: its figures, its credit legs, and the handback. Refused with: 400 nothing left. */
export async function quoteRefund(
  em: EntityManager,
  { order, rma, options, memo }: Pick<OpenRefundAttempt, 'order' | 'rma' | 'options' | 'memo'>,
): Promise<RefundSplit & { figures: CreditMemoFigures }> {
  const figures = memo?.figures ?? (await orUsedUp(em, { order, rma, options }));
  const { paid, returned } = moneyOfOrder(order).base;
  const left = subtract(paid, returned, order.basePendingRefund);
  if (figures.base.grandTotal > left)
    throw await nothingLeft(em, { order, returnId: rma.returnId, items: itemsOf(rma) });
  return { figures, ...(await splitRefund(em, order, figures)) };
}

/** The memo's figures; a refusal because the lines are used up says so. */
async function orUsedUp(
  em: EntityManager,
  { order, rma, options }: Pick<OpenRefundAttempt, 'order' | 'rma' | 'options'>,
) {
  const items = itemsOf(rma);
  try {
    return quoteCreditMemo(order, memoRequest(items, options, order));
  } catch (error) {
    throw await explainUsedUp(em, error, { order, returnId: rma.returnId, items });
  }
}

/**
 * The refunded lines of the return: the quantity requested, never the quantity received (spec 4.8 quantity contract),
 * without lines resolved without money.
 */
export const itemsOf = (rma: ReturnToRefund | RefundWithoutReturn): RefundedItem[] =>
  rma.returnId === null
    ? [...rma.items]
    : rma.items
        .filter(isRefunded)
        .map(({ orderItemId, qtyRequested, qtyApproved }) => ({ orderItemId, qty: qtyApproved ?? qtyRequested }));

export const planOf = (
  rma: ReturnToRefund | RefundWithoutReturn,
  { adjustmentPositive, adjustmentNegative, shippingAmount, notifyCustomer }: SettlementOptions,
) => ({
  items: itemsOf(rma),
  adjustmentPositive,
  adjustmentNegative,
  shippingAmount,
  notifyCustomer,
});

const registerPlanOf = ({ reported, expectedLegs, memo }: OpenRefundAttempt) => ({
  ...(memo === undefined ? {} : { memo }),
  ...(reported === undefined ? {} : { reported }),
  ...(expectedLegs === undefined ? {} : { expectedLegs: [...expectedLegs] }),
});

export interface ReportedRefund {
  orderId: number;
  returnId: number;
  reference: string;
}

/**
 * A terminal's refund is one memo: its reference belongs to that memo, and to a refund under way that will book one.
 * Other orders may have the same, because terminals count their slips anew. Call it under the order lock.
 *
 * Refused with: 400 `reference_in_use`, naming the memo or the attempt, and its return.
 */
export async function refuseReferenceInUse(em: EntityManager, reported: ReportedRefund): Promise<void> {
  const taken = await findTaker.first(em, reported);
  if (!taken) return;
  const { memoNumber, attemptId, returnNumber } = taken;
  const whose = memoNumber === null ? `refund attempt ${attemptId}, which is under way` : `credit memo ${memoNumber}`;
  const ofReturn = returnNumber === null ? '' : ` of return ${returnNumber}`;
  throw invalid(
    `The reference "${reported.reference}" is that of ${whose}${ofReturn}: a refund of the terminal is settled once.`,
    {
      outcome: 'reference_in_use',
      reference: reported.reference,
      return_id: taken.returnId,
      return_increment_id: returnNumber,
      ...(memoNumber === null
        ? { refund_attempt_id: attemptId }
        : { credit_memo_id: taken.memoId, credit_memo_increment_id: memoNumber }),
    },
  );
}

const findTaker = sql('refund-intent.findTaker')`
  select t.memo_id, t.memo_number, t.attempt_id, r.return_id, r.increment_id as return_number
  from (
    select m.entity_id as memo_id, m.increment_id as memo_number, null::bigint as attempt_id,
      (select y.return_id from sale_return y where y.credit_memo_id = m.entity_id limit 1) as return_id
    from sales_creditmemo m left join refund_attempt a on a.attempt_id = m.refund_attempt_id
    where m.order_id = $orderId and m.figures_from <> 'save' and m.state <> 3
      and $reference in (trimmed_reference(m.transaction_id),
        trimmed_reference(a.plan -> 'reported' ->> 'reference'))
    union all
    select y.credit_memo_id, m.increment_id, t.attempt_id, t.return_id from sale_return_tender t
    join sale_return y on y.return_id = t.return_id left join sales_creditmemo m on m.entity_id = y.credit_memo_id
    where t.order_id = $orderId and t.return_id is distinct from $returnId and trimmed_reference(t.reference) = $reference
    union all
    select null, null, a.attempt_id, a.return_id from refund_attempt a
    where a.order_id = $orderId and a.state in ('started', 'uncertain') and a.return_id is distinct from $returnId
      and trimmed_reference(a.plan -> 'reported' ->> 'reference') = $reference
  ) t left join sale_return r on r.return_id = t.return_id
  order by t.memo_id limit 1`;

/**
 * The attempts with the same intent as an attempt `a`: a gateway that gets the key again describes the first one that
 * arrived.
 */
export const sameIntentSql = `(
  select coalesce(json_agg(json_build_object('attemptId', b.attempt_id, 'nameTail', b.name_tail)), '[]')
  from refund_attempt b where b.order_id = a.order_id and b.idempotency_key = a.idempotency_key)`;

export const sameIntent = listOf({ attemptId: integer, nameTail: text });

interface Named {
  attemptId: number;
  nameTail: string;
}

/** The names that the gateway may use for a refund of this attempt. */
export const namesOf = (attempt: Named & { sameIntent: readonly Named[] }) => ({
  merchantReference: merchantReference(attempt),
  ownReferences: attempt.sameIntent.map(merchantReference),
});

/** Everything a gateway call needs, read by the statement that claims it. */
export type ClaimedCall = RowFrom<typeof claim>;

/**
 * Claims the one call of an attempt, in a separate commit, by compare and set: the caller whose statement wins makes
 * the call.
 *
 * The row's deadline is by the database's clock, for weighing findings later. The caller counts by its own clock,
 * from before the claim was sent, so its own deadline is earlier.
 *
 * @param account of the gateway that will be called, stored with the attempt
 * @param beginBefore the moment after which the call must not begin any more, because nobody waits for it; absent: it
 * always may
 * @returns undefined when the call was claimed before, it is too late, or the attempt was decided meanwhile: then nothing may
 * be sent
 */
export const claimRefundCall = (
  em: EntityManager,
  { account, beginBefore, ...input }: CallToClaim,
): Promise<ClaimedCall | undefined> =>
  claim.first(em, { ...input, account: account ?? null, beginBefore: beginBefore ?? null });

interface CallToClaim {
  attemptId: number;
  timeoutSeconds: number;
  account?: string | undefined;
  beginBefore?: string | undefined;
}

const claim = sql('refund-intent.claim', { gives: { sameIntent } })`
  update refund_attempt a
  set call_started_at = clock_timestamp(), call_deadline = clock_timestamp() + make_interval(secs => $timeoutSeconds),
    gateway_account = $account?, updated_at = now()
  from sales_order o
  where a.attempt_id = $attemptId and a.state = 'started' and a.call_started_at is null and o.entity_id = a.order_id
    and ($beginBefore?::text is null or clock_timestamp() <= $beginBefore::timestamptz)
  returning a.attempt_id, a.order_id, a.return_id, o.store_id, a.payment_method, a.idempotency_key,
    a.payment_reference,
    a.amount, a.currency_code, a.name_tail, ${sameIntentSql} as same_intent,
    exists (select from installation where restored_at is not null) as is_restored, o.increment_id as
      order_increment_id,
    in_coins(coalesce(
      (select t.paid from sale_return_tender t where t.attempt_id = a.attempt_id and t.paid > 0),
      (select m.amount from sales_money_in m
        where m.order_id = o.entity_id and m.kind = 'layaway_capture' and m.reference = a.payment_reference),
      o.total_paid - (select coalesce(sum(c.amount), 0) from order_credit c
        where c.order_id = o.entity_id and c.applies_as = 'tender')), o.order_currency_code) as captured_amount`;

/**
 * Stores a gateway's answer that decides nothing, so that an operator can read it. The call is over: whoever waits for
 * its answer may ask the gateway what became of it.
 *
 * A note on an attempt that is still `started`; a repeat writes the same. A finding recorded since stays.
 */
export async function keepGatewayWord(
  em: EntityManager,
  attemptId: number,
  { gatewayOutcome, message }: RefundFinding,
): Promise<void> {
  await note.run(em, { attemptId, gatewayOutcome: gatewayOutcome ?? null, message: message ?? null });
}

const note = sql('refund-intent.note')`
  update refund_attempt set gateway_outcome = coalesce($gatewayOutcome?, gateway_outcome),
    message = coalesce($message?, message), call_ended_at = coalesce(call_ended_at, clock_timestamp()),
      updated_at = now()
  where attempt_id = $attemptId and state = 'started'`;
