import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import type { Recorded, RefundFinding, SecondLookAnswer } from '../../domain/refunds/refund-finding.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { postRefundMail } from '../mails/post-refund-mail.ts';
import { recordRefundTransaction } from '../platform/credit-memos/book-credit-memo.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import { findRefundAttempt, lockRefundAttempt, type AttemptRow } from '../refunds/refund-attempt.repository.ts';
import { addReturnComment } from '../returns/add-return-comment.ts';
import { lockReturn, saveReturn, type LockedReturn } from '../returns/lock-return.ts';
import { cached } from '../support/save-rows.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { bookAttempt } from './book-attempt.ts';
import { isLasting } from './record-finding.ts';

/** What a second look came to, and the mail to the customer that was put into the outbox. */
export type SecondLook = SecondLookAnswer & Pick<Recorded, 'mailId'>;

interface SecondFinding {
  attemptId: number;
  finding: RefundFinding;
}

/**
 * Records what the gateway says of a refund that a person decided as not refunded (our choice). Where it did give the
 * money back, the attempt is booked with its own memo; a memo that a person booked by hand for the same money
 * meanwhile takes the attempt over. Any other answer leaves the decision.
 *
 * Idempotent: an attempt that is booked is answered as it is. Under the locks of order and return.
 *
 * Refused with: 404 unknown attempt.
 */
export async function recordSecondLook(em: EntityManager, { attemptId, finding }: SecondFinding): Promise<SecondLook> {
  try {
    return await transact(em, (tx) => recordUnderLock(tx, { attemptId, finding }));
  } catch (error) {
    if (finding.evidence !== 'refunded' || !isLasting(error)) throw error;
    await noteLook.run(em, { attemptId });
    const why = error instanceof PosError ? inWords(error.refusal) : 'the log of the worker says why.';
    return { state: 'failed', evidence: 'refunded', message: `The gateway refunded, and it cannot be booked: ${why}` };
  }
}

async function recordUnderLock(em: EntityManager, { attemptId, finding }: SecondFinding): Promise<SecondLook> {
  const { orderId, returnId } = await findRefundAttempt(em, attemptId);
  const locked: Locked =
    returnId === null ? { order: await lockOrder(em, orderId), rma: undefined } : await lockReturn(em, returnId);
  const attempt = await lockRefundAttempt(em, attemptId);
  const { evidence } = finding;
  const message = finding.message === undefined ? {} : { message: finding.message };
  if (attempt.state !== 'failed') return { state: attempt.state, evidence, ...message };
  await noteLook.run(em, { attemptId });
  if (evidence !== 'refunded') return { state: 'failed', evidence, ...message };
  const objection = await objectionTo(em, attempt);
  if (objection !== undefined) return { state: 'failed', evidence, message: objection };
  const before = attempt.resolvedBy;
  const gatewayReference = finding.gatewayReference ?? attempt.gatewayReference;
  const memoId = await takeOver(em, { ...locked, attempt, gatewayReference });
  if (memoId === undefined) {
    if (locked.rma && isTerminal(locked.rma.status)) {
      return { state: 'failed', evidence, message: wentTwice(locked.rma.incrementId) };
    }
    await bookAttempt(em, { ...locked, attempt, gatewayReference, isReserved: false });
  }
  attempt.gatewayReference = gatewayReference;
  Object.assign(attempt, { gatewayOutcome: finding.gatewayOutcome ?? null, message: null, ...nobodyDecided });
  await tell(em, { ...locked, attempt, before, isTakenOver: memoId !== undefined });
  await saveReturn(em, locked, cached(RefundAttempt, [attempt]));
  const mailId = memoId === undefined ? await postMailOf(em, attempt) : undefined;
  return { state: 'booked', evidence, ...(mailId === undefined ? {} : { mailId }) };
}

interface Locked {
  order: LockedOrder;
  rma: LockedReturn | undefined;
}

interface Taking extends Locked {
  attempt: AttemptRow;
  gatewayReference: string | null;
}

/** The gateway's answer replaces the person's; the audit trail has both. */
const nobodyDecided = { resolvedBy: null, resolutionNote: null, decidedAt: null, effectiveAt: null, endsIntent: false };

const wentTwice = (incrementId: string) =>
  `The gateway refunded, and return ${incrementId} was settled another way: the money went back twice.`;

/** Why a failed attempt is not looked at again; undefined: it may be. */
async function objectionTo(em: EntityManager, attempt: AttemptRow): Promise<string | undefined> {
  if (attempt.lineId !== null)
    return 'It is one tender line of a return. Settle the return again: the gateway gives a line once.';
  if (attempt.resolvedBy === null || attempt.callStartedAt === null) return 'No person decided about this refund.';
  const { attemptId, idempotencyKey: intent } = attempt;
  const row = await rivals.first(em, { attemptId, intent, orderId: attempt.orderId, returnId: attempt.returnId });
  if (row?.isBooked === true) return 'A later attempt booked this refund.';
  return row?.isOpen === true ? 'Another refund attempt is not decided yet. Decide it first.' : undefined;
}

const rivals = sql('second-look.rivals')`
  select exists (select from refund_attempt where idempotency_key = $intent and attempt_id <> $attemptId
      and state = 'booked') as is_booked,
    exists (select from refund_attempt where order_id = $orderId and return_id is not distinct from $returnId?::bigint
      and attempt_id <> $attemptId and state in ('started', 'uncertain')) as is_open`;

/**
 * The memo by hand that a person booked for the money of this attempt after deciding that it did not go back: the
 * return's own, settled by a card, or one without a return for the same sum. @returns undefined where there is none
 */
async function takeOver(em: EntityManager, taking: Taking): Promise<number | undefined> {
  const { order, attempt, gatewayReference } = taking;
  const memo = await take.first(em, { attemptId: attempt.attemptId, gatewayReference });
  if (memo === undefined) return undefined;
  attempt.state = 'booked';
  attempt.creditMemoId = memo.entityId;
  if (gatewayReference !== null) {
    await recordRefundTransaction(em, { order, transactionId: gatewayReference, paidBy: attempt.paymentReference });
  }
  return memo.entityId;
}

/**
 * Joins a memo by hand `m` for the money of the attempt `a`, booked after a person decided that it did not go back. Of
 * a return, only settlements count by which the register books what a card gave back, and hands out nothing.
 */
const memoByHand = `sales_creditmemo m on m.order_id = a.order_id and m.state = 2 and not m.is_online
  and m.refund_attempt_id is null and m.created_at >= a.decided_at and m.grand_total = a.amount + a.credited
  left join sale_return r on r.credit_memo_id = m.entity_id`;

const isOfAttempt = `case when a.return_id is null then r.return_id is null
  else r.return_id = a.return_id and r.refund_method in ('manual_card', 'terminal') end`;

const take = sql('second-look.take')`
  update sales_creditmemo set refund_attempt_id = $attemptId,
    transaction_id = coalesce(transaction_id, $gatewayReference?), updated_at = clock_timestamp()
  where entity_id = (
    select m.entity_id from refund_attempt a join ${memoByHand}
    where a.attempt_id = $attemptId and ${isOfAttempt}
    order by m.entity_id limit 1)
  returning entity_id`;

/**
 * Attempts that a person decided as not refunded, and whose sum a memo by hand has given back since: the gateway is
 * asked again, because that memo may be for the money that went back after all. An answer that changes nothing is asked
 * for again after an hour and then each time after twice as long, for a week after the memo.
 */
export const findSecondLooks = async (em: EntityManager): Promise<number[]> =>
  (await dueLooks.all(em, { limit: maxLooks })).map(({ attemptId }) => attemptId);

const maxLooks = 50;

const dueLooks = sql('second-look.dueLooks')`
  select a.attempt_id from refund_attempt a join ${memoByHand}
  where a.state = 'failed' and a.line_id is null and a.resolved_by is not null and a.call_started_at is not null and ${isOfAttempt}
    and m.created_at > now() - interval '7 days'
  group by a.attempt_id
  having coalesce(a.looked_again_at < max(m.created_at), true)
    or now() - a.looked_again_at > greatest(interval '1 hour', a.looked_again_at - max(m.created_at))
  order by a.looked_again_at nulls first, a.attempt_id limit $limit`;

const noteLook = sql('second-look.noteLook')`
  update refund_attempt set looked_again_at = clock_timestamp() where attempt_id = $attemptId`;

interface Told extends Locked {
  attempt: AttemptRow;
  before: string | null;
  isTakenOver: boolean;
}

async function tell(em: EntityManager, { order, rma, attempt, before, isTakenOver }: Told): Promise<void> {
  const { attemptId } = attempt;
  const how = isTakenOver ? 'The credit memo by hand is its memo.' : 'It is booked.';
  const comment = `Refund attempt ${attemptId} went through after all, although ${before} decided that it did not. ${how}`;
  if (rma) await addReturnComment(em, { returnId: rma.returnId, comment, status: rma.status, author: null });
  await addOrderComment(em, { orderId: order.entityId, comment, status: order.status });
  await recordAudit(em, {
    entityType: 'refund_attempt',
    entityId: attemptId,
    entityName: order.incrementId,
    fieldName: 'state',
    oldValue: `failed, decided by ${before}`,
    newValue: 'booked, as the gateway says',
    changeSource: 'api',
  });
}

const postMailOf = async (em: EntityManager, { creditMemoId, plan: { notifyCustomer } }: AttemptRow) =>
  creditMemoId === null ? undefined : postRefundMail(em, { creditMemoId, method: 'original_payment', notifyCustomer });
