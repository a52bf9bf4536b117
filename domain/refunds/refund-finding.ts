import { conflict, type Refusal } from '../errors.ts';

/** What a second look at a refund came to that a person decided as not refunded. */
export interface SecondLookAnswer {
  state: RefundAttemptState;
  /** `refunded` with state `failed`: the message says why it could not be booked. */
  evidence: RefundEvidence;
  message?: string;
}

/** A finding about the money: from the gateway with its reference, or from an operator with name and note. */
export interface RefundFinding {
  evidence: RefundEvidence;
  /** The gateway's own outcome: `approved`, `declined`, `not_found` … */
  gatewayOutcome?: string;
  gatewayReference?: string;
  message?: string;
  resolvedBy?: string;
  resolutionNote?: string;
  /** A "not refunded" that cannot change any more: a recorded decline, or a call that provably never left. */
  isFinal?: boolean;
  /**
   * A documented refusal of this very call. The gateway may repeat it for the same key for ever, so the next refund
   * needs another key.
   */
  endsIntent?: boolean;
  /** Refunded, but it cannot be booked: an operator must decide, whatever else is known. */
  isUnbooked?: boolean;
}

/** The outcome of a call that only repeated the refusal of an earlier one: it says nothing about the money now. */
export const repeatedRefusal = 'repeated_refusal';

/** The gateway reported the refund, but it could not be booked. */
export const refundedUnbooked = 'refunded_unbooked';

/** Outcomes that stay on record until the money is booked, whatever a later look-up says. */
export const isLastingWord = (gatewayOutcome: string | null | undefined) =>
  gatewayOutcome === repeatedRefusal || gatewayOutcome === refundedUnbooked;

/** An operator's answer, in the terms of the resolve route (spec 4.8). */
export interface RefundResolution {
  resolution: 'refunded' | 'not_refunded';
  staffName: string;
  note: string;
}

/** For input that no schema checked: a signal from the Temporal UI can carry anything. */
export function isResolution(input: unknown): input is RefundResolution {
  const { resolution, staffName, note }: Partial<RefundResolution> = Object(input);
  return (
    (resolution === 'refunded' || resolution === 'not_refunded') &&
    isShortText(staffName, 255) &&
    staffName.trim() !== '' &&
    (note === undefined || isShortText(note, 4_000))
  );
}

const isShortText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length <= longest;

export const findingOf = ({ resolution, staffName, note }: RefundResolution): RefundFinding => ({
  evidence: resolution,
  resolvedBy: staffName,
  resolutionNote: note ?? '',
});

/**
 * How long after its deadline a call may still reach the gateway, because clocks differ and packets are late. Before
 * that, "not refunded" is not believed; "refunded" always is.
 */
export const settlingSeconds = 5;

/** The known times of an attempt's call when a finding is weighed. */
export interface CallTimes {
  /** The latest end of the call; null when it was never claimed. */
  callDeadline: Date | null;
  /** When a look-up first found no such refund; null when none did. */
  firstNotFoundAt: Date | null;
}

/** The call was never claimed, so it was never made. */
const neverSent: RefundFinding = {
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_sent',
  message: 'The gateway was not called.',
};

/** For a call that was never made, "unknown" means no (spec 3.3 "gateway not called"). */
export const withoutDoubt = (finding: RefundFinding, { callDeadline }: CallTimes): RefundFinding =>
  finding.evidence === 'unknown' && finding.isUnbooked !== true && callDeadline === null ? neverSent : finding;

/** A gateway that once said yes and later finds nothing leaves a contradiction; only a person can decide it. */
export const withoutContradiction = (
  finding: RefundFinding,
  gatewayOutcome: string | null | undefined,
): RefundFinding =>
  finding.evidence === 'not_refunded' && finding.resolvedBy === undefined && gatewayOutcome === refundedUnbooked
    ? { evidence: 'unknown' }
    : finding;

/** A look-up that finds no refund yet: processors are late, and some say no first. */
export const isNotFound = ({ evidence, isFinal, resolvedBy }: RefundFinding) =>
  evidence === 'not_refunded' && isFinal !== true && resolvedBy === undefined;

/**
 * The evidence that a finding gives at a moment (spec 3.3).
 *
 * "Not refunded" counts at once when it is on record as a decline or the call was never claimed. Otherwise the call
 * must be over for certain. A look-up's no counts only when an earlier look-up, some seconds before, also said no.
 */
export function weigh(finding: RefundFinding, times: CallTimes, now: Date): RefundEvidence {
  const from = believableFrom(finding, times);
  if (finding.evidence !== 'not_refunded' || from === undefined) return finding.evidence;
  return now.getTime() >= from.getTime() ? 'not_refunded' : 'unknown';
}

/** The time from which this "not refunded" is believed; undefined when at once. */
export function believableFrom(finding: RefundFinding, { callDeadline, firstNotFoundAt }: CallTimes): Date | undefined {
  if (finding.isFinal === true || callDeadline === null) return undefined;
  const isOver = later(callDeadline);
  if (!isNotFound(finding)) return isOver;
  const isConfirmed = firstNotFoundAt === null ? never : later(firstNotFoundAt);
  return isOver.getTime() >= isConfirmed.getTime() ? isOver : isConfirmed;
}

const later = (moment: Date) => new Date(moment.getTime() + settlingSeconds * 1000);
const never = new Date(8.64e15);

/** Refund attempt states and their only transitions (spec 3.3). Pure: no clock, no database, no gateway. */

export const refundAttemptStates = ['started', 'uncertain', 'booked', 'failed'] as const;
export type RefundAttemptState = (typeof refundAttemptStates)[number];

export const refundEvidences = ['refunded', 'not_refunded', 'unknown'] as const;
export type RefundEvidence = (typeof refundEvidences)[number];

const becomes: Record<RefundEvidence, RefundAttemptState> = {
  refunded: 'booked',
  not_refunded: 'failed',
  unknown: 'uncertain',
};

export const isDecided = (state: RefundAttemptState) => state === 'booked' || state === 'failed';

/** A decided attempt stays decided, whatever arrives later. */
export function nextState(state: RefundAttemptState, evidence: RefundEvidence): RefundAttemptState {
  return isDecided(state) ? state : becomes[evidence];
}

/**
 * The id of the workflow that follows an uncertain refund. The workflow starts when the attempt becomes uncertain,
 * never earlier.
 */
export const refundAttemptId = (attemptId: number) => `refund-attempt-${attemptId}`;

export interface OpenQuestion {
  attemptId: number;
  state: RefundAttemptState;
  returnId: number | null;
  /** When a person's "not refunded" takes effect, in UTC; absent: no person decided it. */
  effectiveAt?: string | null | undefined;
}

/** 409: while the end of a refund is unknown, nothing else may be given back (spec 3.3, 4.8). */
export const gatewayUncertain = ({ attemptId, state, returnId, effectiveAt }: OpenQuestion) =>
  conflict('gateway_uncertain', effectiveAt ? `${notSaid} ${decidedUntil(effectiveAt)}` : notSaid, {
    refund_attempt_id: attemptId,
    refund_attempt_state: state,
    return_id: returnId,
  });

const notSaid = 'The gateway has not said whether the refund went through. Nothing is refunded until that is known.';

const decidedUntil = (effectiveAt: string) =>
  `It was decided as not refunded, which takes effect at ${effectiveAt} UTC. Send the request again then.`;

/** The result of a finding, once it is committed. */
export interface Recorded {
  state: RefundAttemptState;
  /**
   * Set while "not refunded" is too early to believe: after so many seconds ask again, or apply an operator's answer.
   */
  waitSeconds?: number;
  /** Why it failed; or why a completed refund could not be booked: an operator must resolve it. */
  message?: string;
  /** The gateway itself reported the refund. */
  isUnbooked?: true;
  /** One tender line of a return went back; the memo of all lines is not booked. Its state is `booked`. */
  isLine?: true;
  /** Nobody waited for it any more, so the gateway was not called. */
  isLate?: true;
  /** The worker that took it is stopping, and called nothing: another one takes it. */
  isHandedOn?: true;
  /** The id of the mail to the customer, which was put into the outbox with the memo. */
  mailId?: number;
}

/** How long a refund through a gateway may take while a cashier waits. Our choice: the spec sets no time. */

/** For one look-up, in seconds. */
export const lookUpSeconds = 8;

/** Between look-ups: most doubts are resolved within seconds. */
export const pausesBetweenLookUps = [1, 2] as const;

/** For everything except the gateway: rows, workflow steps, a busy worker. */
const ownSeconds = 7;

/**
 * The longest time from the deadline of a call until a worker that lives has written down that the gateway answers
 * neither the call nor a look-up (spec 4.8 `gateway_uncertain`). Every caller that waits for a refund waits at least
 * this long.
 */
export const afterCallSeconds: number =
  lookUpSeconds * (pausesBetweenLookUps.length + 1) +
  pausesBetweenLookUps.reduce((sum, pause) => sum + pause, 0) +
  ownSeconds;

/** A refund that did not go through, with the reason that its attempt keeps. */
export interface UndoneRefund {
  attemptId: number;
  /** Null for goods refunded without a return. */
  returnId: number | null;
  message: string | null;
}

/** 400: the gateway said no, or was not called; nothing was given back (spec 4.8). */
export const refundRefused = ({ attemptId, returnId, message }: UndoneRefund): Refusal => ({
  status: 400,
  message: `The refund did not go through: ${message ?? 'the gateway refused it.'}`,
  parameters: {
    outcome: 'gateway_refused',
    refund_attempt_id: attemptId,
    refund_attempt_state: 'failed',
    return_id: returnId,
  },
});

/** 400 `tender_declined`: the tender line that was called was declined; no later line was called. */
export const declinedLine = (refused: Refusal): Refusal => ({
  ...refused,
  parameters: { ...(refused.parameters as Record<string, unknown>), outcome: 'tender_declined' },
});
