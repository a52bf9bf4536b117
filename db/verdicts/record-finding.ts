import type { EntityManager } from '@mikro-orm/postgresql';
import type { Recorded } from '../../domain/refunds/recorded.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { isDecided, nextState, type RefundAttemptState } from '../../domain/refunds/refund-attempt-state.ts';
import {
  believableFrom,
  isNotFound,
  repeatedRefusal,
  weigh,
  withoutContradiction,
  withoutDoubt,
  type CallTimes,
  type RefundFinding,
} from '../../domain/refunds/refund-finding.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { postRefundMail } from '../mails/post-refund-mail.ts';
import { concludeProcess } from '../process/conclude-process.ts';
import { addReturnComment } from '../returns/add-return-comment.ts';
import { lockReturn, saveReturn, type LockedReturn } from '../returns/lock-return.ts';
import { kept } from '../support/kept-rows.ts';
import { transact } from '../support/transact.ts';
import { bookAttempt, releaseAttempt } from './book-attempt.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import { noteFinding, whyUnbooked } from './note-finding.ts';
import { findRefundAttempt, lockRefundAttempt, type AttemptRow } from '../refunds/refund-attempt.repository.ts';
import { isLasting, Unbookable, unbookedFinding } from './unbookable.ts';

export interface RecordFinding {
  attemptId: number;
  finding: RefundFinding;
  /** By the database's clock, which also set the call's deadline. */
  now: Date;
  /** The order and return of the attempt, where the caller has read them already: they never change. */
  subject?: { orderId: number; returnId: number | null };
  /** The return's own workflow records it, and ends with the return. */
  isOwn?: boolean;
  /** Called with the reason why a completed refund could not be booked, for the log. */
  whenUnbooked?: (cause: unknown) => void;
}

/**
 * Commits a finding about a refund; `refunded` books the credit memo and closes the return in the same transaction
 * (spec 3.3).
 *
 * Idempotent: a decided attempt is answered unchanged, so any number of runs books one memo. The first decision of
 * route, signal and timer wins. "Not refunded" from a look-up or a person counts only once the call is over for
 * certain. A call that was never claimed was never made, and cannot be claimed after this.
 *
 * Refused with: 404 unknown attempt.
 */
export async function recordFinding(em: EntityManager, given: RecordFinding): Promise<Recorded> {
  try {
    return await transact(em, (tx) => recordUnderLock(tx, given));
  } catch (error) {
    if (!(error instanceof Unbookable)) throw error;
    // The money went back and cannot be booked: a person must decide. It is neither kept silent nor retried for ever.
    given.whenUnbooked?.(error.cause);
    const finding = await unbookedFinding(em, { ...given, cause: error.cause });
    return transact(em, (tx) => recordUnderLock(tx, { ...given, finding }));
  }
}

async function recordUnderLock(
  em: EntityManager,
  { attemptId, finding, now, subject, isOwn }: RecordFinding,
): Promise<Recorded> {
  const { orderId, returnId } = subject ?? (await findRefundAttempt(em, attemptId));
  const locked = returnId === null ? { order: await lockOrder(em, orderId) } : await lockReturn(em, returnId);
  const attempt = await lockRefundAttempt(em, attemptId);
  if (isDecided(attempt.state)) return { state: attempt.state, ...whyFailed(attempt) };
  try {
    const recorded = await recordLocked(em, { rma: undefined, ...locked, attempt, finding, now });
    if (isOwn === true && 'rma' in locked && isTerminal(locked.rma.status)) locked.rma.followedAt = null;
    // Saved here, so that every objection of the database appears within this try.
    await saveReturn(em, locked, kept(RefundAttempt, [attempt]));
    return recorded;
  } catch (error) {
    throw finding.evidence === 'refunded' && isLasting(error) ? new Unbookable(error) : error;
  }
}

interface LockedAttempt {
  order: LockedOrder;
  rma: LockedReturn | undefined;
  attempt: AttemptRow;
  finding: RefundFinding;
  now: Date;
}

async function recordLocked(
  em: EntityManager,
  { order, rma, attempt, finding: said, now }: LockedAttempt,
): Promise<Recorded> {
  const times = { callDeadline: attempt.callDeadline, firstNotFoundAt: attempt.firstNotFoundAt };
  const finding = withoutContradiction(withoutDoubt(said, times), attempt.gatewayOutcome);
  const evidence = weigh(finding, times, now);
  const tooEarly = evidence !== finding.evidence;
  if (isNotFound(finding)) attempt.firstNotFoundAt ??= now;
  const endsIntent = finding.endsIntent === true || attempt.gatewayOutcome === repeatedRefusal;
  const before = stateOf(attempt);
  const state = nextState(before, evidence);
  const gatewayReference = finding.gatewayReference ?? attempt.gatewayReference;
  attempt.endsIntent = state === 'failed' && endsIntent && attempt.callStartedAt !== null;
  if (state === 'booked') await bookAttempt(em, { order, attempt, rma, gatewayReference });
  else attempt.state = state;
  // After the booking, so that the row is written once.
  noteFinding(attempt, finding, { isConclusive: !tooEarly });
  if (state === 'failed') await releaseAttempt(em, order, attempt);
  if (state !== before) await commentVerdict(em, { order, rma, attempt, before });
  const mailId = state === 'booked' ? await postMailOf(em, attempt) : undefined;
  return {
    state,
    ...(mailId === undefined ? {} : { mailId }),
    ...(state === 'uncertain' ? whyUnbooked(attempt, finding) : whyFailed(attempt)),
    ...(tooEarly
      ? { waitSeconds: waitSeconds(finding, { ...times, firstNotFoundAt: times.firstNotFoundAt ?? now }, now) }
      : {}),
  };
}

const whyFailed = ({ state, message }: AttemptRow) => (state === 'failed' && message !== null ? { message } : {});

interface Verdict {
  order: LockedOrder;
  rma: LockedReturn | undefined;
  attempt: AttemptRow;
  before: RefundAttemptState;
}

/**
 * Writes the decision to the histories of return and order, to the audit trail where a person made it, and to the
 * waiting collapsed return.
 */
async function commentVerdict(em: EntityManager, { order, rma, attempt, before }: Verdict): Promise<void> {
  if (rma) await concludeReturn(em, { rma, attempt });
  const isToldByRun = await concludeProcess(em, { order, attempt });
  const state = stateOf(attempt);
  if (!isToldByRun && state !== 'booked') {
    const comment = `${rma ? `Return ${rma.incrementId}: ` : ''}${sentences[state](attempt)}`;
    await addOrderComment(em, { orderId: order.entityId, comment, status: order.status });
  }
  if (attempt.resolvedBy === null) return;
  await recordAudit(em, {
    entityType: 'refund_attempt',
    entityId: attempt.attemptId,
    entityName: order.incrementId,
    fieldName: 'state',
    oldValue: before,
    newValue: state,
    changeSource: 'api',
    staffName: attempt.resolvedBy,
  });
}

const postMailOf = async (em: EntityManager, { creditMemoId, plan: { notifyCustomer } }: AttemptRow) =>
  creditMemoId === null ? undefined : postRefundMail(em, { creditMemoId, method: 'original_payment', notifyCustomer });

const waitSeconds = (finding: RefundFinding, times: CallTimes, now: Date) =>
  Math.max(1, Math.ceil(((believableFrom(finding, times) ?? now).getTime() - now.getTime()) / 1000));

/** The effect of the decision on the return: its history, its readiness, and the intent of its next refund. */
async function concludeReturn(
  em: EntityManager,
  { rma, attempt }: { rma: LockedReturn; attempt: AttemptRow },
): Promise<void> {
  const comment = sentences[stateOf(attempt)](attempt);
  const { returnId, status } = rma;
  await addReturnComment(em, { returnId, comment, status, author: attempt.resolvedBy });
  const wasNeverCalled = attempt.state === 'failed' && attempt.callStartedAt === null;
  // After a refund that was never sent, the initialisation that wanted it tries again; every other outcome ends its
  // part.
  if (!wasNeverCalled) rma.isReady = true;
  // Only a definite refusal, or a key whose answer the gateway only repeats, ends the intent: otherwise a late call
  // and the next attempt must stay one refund.
  if (attempt.endsIntent) rma.refundGeneration += 1;
}

const stateOf = (attempt: AttemptRow): RefundAttemptState => attempt.state;

const sentences: Record<RefundAttemptState, (attempt: AttemptRow) => string> = {
  started: () => 'The refund through the gateway was started.',
  booked: ({ attemptId, gatewayReference }) =>
    `Refund attempt ${attemptId} went through${gatewayReference ? ` (gateway reference ${gatewayReference})` : ''}.`,
  failed: ({ attemptId, message }) => `Refund attempt ${attemptId} did not go through${message ? `: ${message}` : '.'}`,
  uncertain: ({ attemptId, message }) =>
    `Nobody knows yet whether refund attempt ${attemptId} went through${message ? `: ${message}` : '.'}`,
};
