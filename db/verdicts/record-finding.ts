import { DriverException, type EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import {
  believableFrom,
  isDecided,
  isLastingWord,
  isNotFound,
  nextState,
  refundedUnbooked,
  refundRefused,
  repeatedRefusal,
  weigh,
  withoutContradiction,
  withoutDoubt,
  type CallTimes,
  type Recorded,
  type RefundAttemptState,
  type RefundFinding,
} from '../../domain/refunds/refund-finding.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { postRefundMail } from '../mails/post-refund-mail.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { commentRefusalOnOrder, finishProcess, openRunOf } from '../process/process-steps.ts';
import { readMemoOfRun } from '../process/read-memo-of-run.ts';
import { ReturnProcess } from '../process/return-process.entity.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import { findRefundAttempt, lockRefundAttempt, type AttemptRow } from '../refunds/refund-attempt.repository.ts';
import { addReturnComment } from '../returns/add-return-comment.ts';
import { lockReturn, saveReturn, type LockedReturn } from '../returns/lock-return.ts';
import { troubleOf } from '../support/connections/database-trouble.ts';
import { cached, saveRows } from '../support/save-rows.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { bookAttempt, releaseAttempt } from './book-attempt.ts';
import { nameReason, recordLine } from './record-line.ts';

/**
 * Applies a verdict about a refund to the collapsed return that requested it, in the verdict's transaction. Booked ends
 * it as done, failed ends it as refused, uncertain keeps it open. Nothing happens when no open collapsed return has
 * this attempt.
 *
 * @returns whether it wrote the order's comment
 */
async function concludeProcess(
  em: EntityManager,
  { order, attempt }: { order: LockedOrder; attempt: AttemptRow },
): Promise<boolean> {
  const process = await openRunOf(em, attempt.attemptId);
  if (!process) return false;
  if (attempt.state === 'booked') {
    await finishProcess(em, { order, process, memo: await readMemoOfRun(em, attempt.creditMemoId) });
    await saveRows(em, [cached(ReturnProcess, [process])]);
    return true;
  }
  const why = attempt.message ?? 'the gateway did not say why.';
  const isOpen = attempt.state === 'uncertain';
  if (attempt.state === 'failed') {
    process.state = 'refused';
    process.refusal = refundRefused({ attemptId: attempt.attemptId, returnId: process.returnId, message: why });
  }
  await commentRefusalOnOrder(em, {
    process,
    orderStatus: order.status,
    why: isOpen ? `it is not known yet whether refund attempt ${attempt.attemptId} gave the money back. ${why}` : why,
  });
  await saveRows(em, [cached(ReturnProcess, [process])]);
  return true;
}

/**
 * Stores the final finding of an attempt once its state is decided; a person's only once it counts.
 *
 * A gateway's yes that could not be booked stays, with its message, whatever later look-ups say.
 */
function noteFinding(
  attempt: AttemptRow,
  finding: RefundFinding,
  { isConclusive, now }: { isConclusive: boolean; now: Date },
): void {
  if (attempt.gatewayOutcome === refundedUnbooked) concludeUnbooked(attempt, finding);
  const isStored =
    isLastingWord(attempt.gatewayOutcome) && finding.evidence !== 'refunded' && finding.isUnbooked !== true;
  if (finding.gatewayOutcome !== undefined && !isStored) attempt.gatewayOutcome = finding.gatewayOutcome;
  const isAnswered = attempt.gatewayOutcome === refundedUnbooked && finding.isUnbooked !== true;
  if (finding.message !== undefined && !isAnswered) attempt.message = finding.message;
  if (finding.gatewayReference !== undefined) attempt.gatewayReference = finding.gatewayReference;
  if (isConclusive && finding.resolvedBy !== undefined) recordDecision(attempt, finding, { now, effectiveAt: now });
  // The gateway's own answer overrules a decision that has not taken effect.
  else if (attempt.state === 'booked') {
    Object.assign(attempt, { resolvedBy: null, resolutionNote: null, decidedAt: null, effectiveAt: null });
  }
}

/** A person's decision is recorded once: the first one counts, from its own time on. */
function recordDecision(
  attempt: AttemptRow,
  finding: RefundFinding,
  { now, effectiveAt }: { now: Date; effectiveAt: Date },
): boolean {
  if (attempt.decidedAt !== null || finding.resolvedBy === undefined) return false;
  attempt.resolvedBy = finding.resolvedBy;
  attempt.resolutionNote = finding.resolutionNote ?? null;
  attempt.decidedAt = now;
  attempt.effectiveAt = effectiveAt;
  return true;
}

/** A decision that takes effect later, in the audit trail. */
const auditDecision = (em: EntityManager, { order, attempt }: { order: LockedOrder; attempt: AttemptRow }) =>
  recordAudit(em, {
    entityType: 'refund_attempt',
    entityId: attempt.attemptId,
    entityName: order.incrementId,
    fieldName: 'effective_at',
    newValue: `not_refunded, effective at ${attempt.effectiveAt?.toISOString()}`,
    changeSource: 'api',
    staffName: attempt.resolvedBy ?? '',
  });

/**
 * The reference stays with an attempt that was given up: the same yes for the next attempt is then a question again.
 */
function concludeUnbooked(attempt: AttemptRow, { resolvedBy }: RefundFinding): void {
  // The reason that kept it from being booked is gone.
  if (attempt.state === 'booked') Object.assign(attempt, { gatewayOutcome: null, message: null });
  if (attempt.state === 'failed')
    attempt.message = `${resolvedBy} said so, after the gateway had said that it refunded.`;
}

/** Why a completed refund is not booked, where that is the open question. */
function whyUnbooked(
  { gatewayOutcome, message }: AttemptRow,
  { isUnbooked }: RefundFinding,
): Pick<Recorded, 'message' | 'isUnbooked'> {
  const isRefunded = gatewayOutcome === refundedUnbooked;
  if (message === null || !(isRefunded || isUnbooked === true)) return {};
  return { message, ...(isRefunded ? { isUnbooked: true } : {}) };
}

/** Money went back and cannot be booked, now or later. Its cause is the reason. */
class Unbookable extends Error {
  constructor(cause: unknown) {
    super('a refund that went through cannot be booked', { cause });
    this.name = 'Unbookable';
  }
}

/** PostgreSQL's error classes that a retry would meet again: values, constraints, names, our own triggers. */
const lasting: readonly string[] = ['21', '22', '23', '42', 'P0'];

/**
 * Whether booking again would fail the same way: a refusal, a fault of the code, a rule of the database. Temporary
 * errors (a lost connection, a deadlock, a server shutdown) do not count, and are retried.
 */
export const isLasting = (error: unknown): boolean =>
  troubleOf(error) === undefined &&
  (!(error instanceof DriverException) || lasting.includes(error.code?.slice(0, 2) ?? ''));

/**
 * The finding that replaces "refunded" then: an open question for a person, with a message. It never records the
 * operator's answer, because that did not count.
 */
async function unbookedFinding(
  em: EntityManager,
  { attemptId, finding, cause }: { attemptId: number; finding: RefundFinding; cause: unknown },
): Promise<RefundFinding> {
  const { gatewayReference, resolvedBy } = finding;
  const other = await holderOf(em, attemptId, gatewayReference);
  const who = resolvedBy === undefined ? 'The gateway refunded' : `${resolvedBy} said that the gateway refunded`;
  return {
    evidence: 'unknown',
    isUnbooked: true,
    message: `${who}, but ${other === undefined ? whyNot(cause) : `its reference "${gatewayReference}" is that of refund attempt ${other}.`}`,
    ...(resolvedBy === undefined ? { gatewayOutcome: refundedUnbooked } : {}),
    // A reference is stored once: with the attempt that had it first.
    ...(gatewayReference === undefined || other !== undefined ? {} : { gatewayReference }),
  };
}

/** A database error would name tables: that text is only logged. */
const whyNot = (cause: unknown) =>
  cause instanceof PosError
    ? `the credit memo was refused: ${inWords(cause.refusal)}`
    : `the credit memo could not be booked (${cause instanceof Error ? cause.name : 'fault'}). The log of the worker says why.`;

/** Checked first: a reference that is taken cannot be stored, and explains the most. */
const holder = sql('record-finding.holder')`
  select other.attempt_id from refund_attempt a join refund_attempt other on other.payment_method = a.payment_method
  where a.attempt_id = $attemptId and other.gateway_reference = $gatewayReference
    and other.attempt_id <> a.attempt_id`;

async function holderOf(em: EntityManager, attemptId: number, gatewayReference: string | undefined) {
  if (gatewayReference === undefined) return undefined;
  return (await holder.first(em.fork(), { attemptId, gatewayReference }))?.attemptId;
}

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
export async function recordFinding(em: EntityManager, input: RecordFinding): Promise<Recorded> {
  try {
    return await transact(em, (tx) => recordUnderLock(tx, input));
  } catch (error) {
    if (!(error instanceof Unbookable)) throw error;
    // The money went back and cannot be booked: a person must decide. It is neither kept silent nor retried for ever.
    input.whenUnbooked?.(error.cause);
    const finding = await unbookedFinding(em, { ...input, cause: error.cause });
    return transact(em, (tx) => recordUnderLock(tx, { ...input, finding }));
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
  if (attempt.lineOutcome !== null) return { state: 'booked', isLine: true };
  try {
    const recorded = await recordLocked(em, { rma: undefined, ...locked, attempt, finding, now });
    if (isOwn === true && 'rma' in locked && isTerminal(locked.rma.status)) locked.rma.followedAt = null;
    // Saved here, so that every objection of the database appears within this try.
    await saveReturn(em, locked, cached(RefundAttempt, [attempt]));
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
  { order, rma, attempt, finding: reply, now }: LockedAttempt,
): Promise<Recorded> {
  const times = { callDeadline: attempt.callDeadline, firstNotFoundAt: attempt.firstNotFoundAt };
  const finding = withoutContradiction(withoutDoubt(reply, times), attempt.gatewayOutcome);
  const evidence = weigh(finding, times, now);
  const tooEarly = evidence !== finding.evidence;
  if (isNotFound(finding)) attempt.firstNotFoundAt ??= now;
  const endsIntent = finding.endsIntent === true || attempt.gatewayOutcome === repeatedRefusal;
  const before = stateOf(attempt);
  const state = nextState(before, evidence);
  const gatewayReference = finding.gatewayReference ?? attempt.gatewayReference;
  attempt.endsIntent = state === 'failed' && endsIntent && attempt.callStartedAt !== null;
  let mailOfLines: number | undefined;
  if (attempt.lineId !== null && rma) {
    ({ mailId: mailOfLines } = await recordLine(em, { order, rma, attempt, state, gatewayReference }));
  } else if (state === 'booked') await bookAttempt(em, { order, attempt, rma, gatewayReference });
  else attempt.state = state;
  // After the booking, so that the row is written once.
  noteFinding(attempt, finding, { isConclusive: !tooEarly, now });
  if (attempt.lineOutcome !== null) attempt.gatewayOutcome = attempt.lineOutcome;
  if (attempt.lineId !== null) await nameReason(em, attempt);
  if (state === 'failed' && attempt.headAttemptId === null) await releaseAttempt(em, order, attempt);
  if (state !== before) await commentVerdict(em, { order, rma, attempt, before });
  const isLine = attempt.lineOutcome !== null;
  const mailId = attempt.state === 'booked' && !isLine ? (mailOfLines ?? (await postMailOf(em, attempt))) : undefined;
  const pauseSeconds = waitSeconds(finding, { ...times, firstNotFoundAt: times.firstNotFoundAt ?? now }, now);
  const effectiveAt = new Date(now.getTime() + pauseSeconds * 1_000);
  if (tooEarly && recordDecision(attempt, finding, { now, effectiveAt })) await auditDecision(em, { order, attempt });
  return {
    state,
    ...(isLine ? { isLine: true as const } : {}),
    ...(mailId === undefined ? {} : { mailId }),
    ...(state === 'uncertain' ? whyUnbooked(attempt, finding) : whyFailed(attempt)),
    ...(tooEarly ? { waitSeconds: pauseSeconds } : {}),
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
  const isReportedByRun = await concludeProcess(em, { order, attempt });
  const state = attempt.lineOutcome === null ? stateOf(attempt) : 'booked';
  if (!isReportedByRun && state !== 'booked') {
    const comment = `${rma ? `Return ${rma.incrementId}: ` : ''}${sentences[state](attempt)}`;
    await addOrderComment(em, { orderId: order.entityId, comment, status: order.status });
  }
  if (attempt.resolvedBy === null || !isDecided(state)) return;
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
  const comment = sentences[attempt.lineOutcome === null ? stateOf(attempt) : 'booked'](attempt);
  const { returnId, status } = rma;
  await addReturnComment(em, { returnId, comment, status, author: attempt.resolvedBy });
  const wasNeverCalled = attempt.state === 'failed' && attempt.callStartedAt === null;
  // After a refund that was never sent, whoever wanted it tries again: the initialisation, or a repeat of the request.
  // Every other outcome ends their part.
  if (wasNeverCalled) await forget.run(em, { returnId, attemptId: attempt.attemptId });
  else rma.isReady = true;
  // Only a definite refusal, or a key whose answer the gateway only repeats, ends the intent: otherwise a late call
  // and the next attempt must stay one refund.
  if (attempt.endsIntent && attempt.lineId === null) rma.refundGeneration += 1;
}

const forget = sql('record-finding.forget')`
  delete from sale_return_operation where return_id = $returnId and refund_attempt_id = $attemptId`;

const stateOf = (attempt: AttemptRow): RefundAttemptState => attempt.state;

const sentences: Record<RefundAttemptState, (attempt: AttemptRow) => string> = {
  started: () => 'The refund through the gateway was started.',
  booked: ({ attemptId, gatewayReference }) =>
    `Refund attempt ${attemptId} went through${gatewayReference ? ` (gateway reference ${gatewayReference})` : ''}.`,
  failed: ({ attemptId, message }) => `Refund attempt ${attemptId} did not go through${message ? `: ${message}` : '.'}`,
  uncertain: ({ attemptId, message }) =>
    `Nobody knows yet whether refund attempt ${attemptId} went through${message ? `: ${message}` : '.'}`,
};
