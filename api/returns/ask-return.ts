import { setTimeout as pause } from 'node:timers/promises';
import type { UpdateDefinition } from '@temporalio/common';
import { findRefundAttempt, type RefundAttemptRecord } from '../../db/refunds/refund-attempt.repository.ts';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { tooLate } from '../../db/support/begin-before.ts';
import type { Command } from '../../domain/command.ts';
import { PosError } from '../../domain/errors.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { declinedLine, gatewayUncertain, refundRefused } from '../../domain/refunds/refund-finding.ts';
import { waitedTooLong } from '../../domain/refusals/platform.ts';
import { StillRunning, type Question } from '../../providers/temporal/workflows.ts';
import type { ReturnAnswer, ReturnInput } from '../../workflows/returns/messages.ts';
import { returnId } from '../../workflows/support/return-id.ts';
import { posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import { inTurn } from '../http/in-turn.ts';
import type { RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { sendMailSoon } from '../temporal/send-mail-soon.ts';
import { withPointsOwed } from './returns.ts';

export interface ReturnQuestion<Request extends Command> {
  /** The state before the request. */
  rma: ReturnRecord;
  update: UpdateDefinition<Outcome<ReturnAnswer>, [Request]>;
  request: Omit<Request, keyof Command>;
  /** Whether the requested change is committed; checked when no answer came in time. */
  isDone: (rma: ReturnRecord) => boolean;
  /** What a caller is told whose request did not begin in time; absent: 503. */
  notBegun?: (rma: ReturnRecord) => PosError;
}

/**
 * Asks the workflow of a return to change it, and reads what is committed then.
 *
 * Refused with: the refusals of the verb · 409 `gateway_uncertain` · 503 workflows cannot be reached, or the request
 * did not begin in time, and then never does.
 */
export async function askReturn<Request extends Command>(
  context: RouteContext,
  { rma, update, request, isDone, notBegun = tooLate }: ReturnQuestion<Request>,
): Promise<ReturnRecord> {
  const { em } = context;
  const { returnId: rmaId, incrementId, orderIncrementId, orderId, beginBefore } = rma;
  const query = { ...request, ...commandOf(context, beginBefore) } as Request;
  const waiting = aWait(context, rma);
  try {
    const { mailId } = await askInTurn(context, {
      update,
      request: query,
      ...workflowOf({ rmaId }, { incrementId, orderIncrementId }),
      searchAttributes: [
        { key: posReturnId, value: rmaId },
        { key: posOrderId, value: orderId },
      ],
    });
    if (mailId !== undefined) sendMailSoon(mailId, context);
  } catch (error) {
    if (error instanceof PosError && error.status === 503 && !(error instanceof StillRunning))
      throw waitedTooLong.is(error) ? notBegun(rma) : error;
    if (!(error instanceof StillRunning)) throw error;
    return waiting.until(isDone, notBegun);
  }
  return findReturn(em, rmaId);
}

export const commandOf = ({ operation, caller, requestId }: RouteContext, beginBefore: string): Command => ({
  operationKey: operation.key,
  beginBefore,
  by: caller.name,
  requestId,
});

/** A return's workflow, and how people find it. Numbers may be anybody's text: they are shown as they are. */
export const workflowOf = (input: ReturnInput, { incrementId, orderIncrementId, locationName }: ReturnNames) => ({
  workflow: 'returnWorkflow',
  id: returnId(input.rmaId),
  input,
  summary: [
    `Return ${markdownLiteral(incrementId)}`,
    `order ${markdownLiteral(orderIncrementId)}`,
    ...(locationName ? [markdownLiteral(locationName)] : []),
  ].join(' · '),
});

export interface ReturnNames {
  incrementId: string;
  orderIncrementId: string;
  locationName?: string | null;
}

type InTurn<Request extends Command> = Omit<
  Question<Outcome<ReturnAnswer>, Request, ReturnInput>,
  'operationKey' | 'patienceMs'
>;

/** `StillRunning` after this time, whoever is before it in turn. */
async function inTime<Answer>(work: Promise<Answer>, ms: number): Promise<Answer> {
  const late = new AbortController();
  const after = pause(ms, undefined, { signal: late.signal }).then(() => {
    throw new StillRunning();
  });
  try {
    return await Promise.race([work, after]);
  } finally {
    late.abort();
    after.catch(() => undefined);
    work.catch(() => undefined);
  }
}

/**
 * One request about a return at a time from this process: a workflow takes ten at once, and each API only fills one.
 */
export async function askInTurn<Request extends Command>(
  { workflows }: Pick<RouteContext, 'workflows'>,
  question: InTurn<Request>,
): Promise<ReturnAnswer> {
  const until = performance.now() + answerWithinMs;
  const { operationKey } = question.request;
  const request = inTurn(question.id, () => {
    const patienceMs = until - performance.now();
    // Nobody waits for it any more, and so it is not sent.
    if (patienceMs <= 0) throw new StillRunning();
    return workflows.ask({ ...question, operationKey, patienceMs });
  });
  return (await inTime(request, answerWithinMs)) as ReturnAnswer;
}

const betweenLooksMs = 250;

/** Waits for what became of a request without an answer, by the rows, which tell the truth. */
export function aWait({ em }: Pick<RouteContext, 'em'>, before: ReturnRecord | { returnId: number; attemptId: null }) {
  const began = performance.now();
  const { returnId: rmaId, attemptId: attemptBefore } = before;

  return {
    /**
     * Looks as long as the request may begin. A gateway that was called and has not answered by then is an uncertain
     * refund: its answer is booked behind the request. Refused with: what became of the refund · `notBegun` once nothing can begin any more.
     */
    async until(
      isDone: (rma: ReturnRecord) => boolean,
      notBegun: (rma: ReturnRecord) => PosError,
    ): Promise<ReturnRecord> {
      for (;;) {
        const waitedMs = performance.now() - began;
        const rma = await findReturn(em, rmaId).catch((error: unknown) => {
          // Its row is written by the work that is waited for.
          if (error instanceof PosError && error.status === 404 && waitedMs < answerWithinMs) return undefined;
          throw error;
        });
        if (rma === undefined) {
          await pause(betweenLooksMs);
          continue;
        }
        if (isDone(rma)) return rma;
        const attempt = rma.attemptId === null ? undefined : await findRefundAttempt(em, rma.attemptId);
        const isOwn = rma.attemptId !== attemptBefore;
        // Booked between the two looks: the return is read again, and never told as refused.
        if (isOwn && attempt?.state === 'booked') {
          const booked = await findReturn(em, rmaId);
          if (isDone(booked)) return booked;
        }
        if (waitedMs > answerWithinMs || attempt?.state === 'uncertain' || (isOwn && attempt?.state === 'failed'))
          throw refusalOf(attempt, isOwn) ?? notBegun(rma);
        await pause(betweenLooksMs);
      }
    },
  };

  /** Undefined: no refund of this request began. A call of its own that was not claimed by now never will be. */
  function refusalOf(attempt: RefundAttemptRecord | undefined, isOwn: boolean): PosError | undefined {
    if (!attempt || (isOwn && attempt.state === 'started' && !attempt.isClaimed)) return undefined;
    // A tender line that went back: only its settlement is not finished.
    if (attempt.lineOutcome !== null) return undefined;
    const { attemptId, state, message, effectiveAt } = attempt;
    if (state === 'started' || state === 'uncertain')
      return gatewayUncertain({ attemptId, state, returnId: rmaId, effectiveAt });
    return isOwn && state === 'failed'
      ? new PosError(declined(attempt)({ attemptId, returnId: rmaId, message }))
      : undefined;
  }
}

const declined =
  ({ lineId }: RefundAttemptRecord) =>
  (refused: Parameters<typeof refundRefused>[0]) =>
    lineId === null ? refundRefused(refused) : declinedLine(refundRefused(refused));

/** A return in a final status never changes (spec 3.2): nothing more is booked. */
export function answerEnded(request: Pick<RouteContext, 'setHeader' | 'em'>, rma: ReturnRecord) {
  markReplayed(request);
  return withPointsOwed(request, rma);
}
