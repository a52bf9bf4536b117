import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { DocumentRefundActivities, RefundActivities } from '../activities/refunds.ts';
import type { Command } from '../domain/command.ts';
import { inWords } from '../domain/fill-in.ts';
import { markdownLiteral } from '../domain/markdown-literal.ts';
import { minorDigits } from '../domain/money.ts';
import { isRefused, type Outcome, type Refused } from '../domain/outcome.ts';
import { refundAttemptId, type RefundAttemptState } from '../domain/refunds/refund-finding.ts';
import { refundNotWrittenDown } from '../domain/refusals/money.ts';
import { concludeAttempt } from './refunds/conclude-attempt.ts';
import { refundUpdate, type RequestedDocumentRefund, type DocumentRefundInput } from './refunds/messages.ts';
import { mustHappen, whileSomebodyWaits } from './support/activity-options.ts';

const { openDocumentRefund } = proxyLocalActivities<DocumentRefundActivities>(whileSomebodyWaits);
const { findDocumentRefund } = proxyActivities<DocumentRefundActivities>(mustHappen);
const { recordFinding } = proxyActivities<RefundActivities>(mustHappen);

type Opened = NonNullable<Awaited<ReturnType<DocumentRefundActivities['findDocumentRefund']>>>;
type End = Outcome<{ state: RefundAttemptState }>;

/**
 * Gives money of an invoice back through the gateway that took it, for the platform's own routes (platform facts 7.1,
 * spec 3.3). Its steps: the attempt is written down, the gateway is called once, the memo is booked.
 *
 * Its input is one request, whose repeats find the same run or the same rows: every step is safe to take again. It is
 * open until the refund is booked, refused or in doubt; a doubt has a workflow of its own, `refund-attempt-7`. A
 * request to cancel it changes nothing: money may be under way.
 *
 * @returns the state of the attempt in PostgreSQL, or `refused`: then nothing was written
 */
export function documentRefundWorkflow(refund: DocumentRefundInput): Promise<string> {
  return CancellationScope.nonCancellable(async () => {
    let end: End | undefined;
    setHandler(
      refundUpdate,
      async (): Promise<End> => {
        await condition(() => end !== undefined);
        return end ?? { state: 'uncertain' };
      },
      { description: 'Waits until the gateway has said what became of the refund, or nobody can say.' },
    );
    end = await (refund.asked ? giveBack(refund, refund.asked) : takeUp(refund));
    await condition(allHandlersFinished);
    return isRefused(end) ? 'refused' : end.state;
  });
}

/** Somebody asked: from the wish to the memo. */
async function giveBack(
  { orderId, operationKey }: DocumentRefundInput,
  request: RequestedDocumentRefund,
): Promise<End> {
  const { wish, command } = request;
  const { beginBefore } = command;
  const opened = await orBusy(openDocumentRefund({ ...wish, orderId, operationKey, beginBefore }));
  const by = requestedBy(command);
  if (isRefused(opened)) {
    setCurrentDetails(`Refused: ${markdownLiteral(inWords(opened.refused))} ${by}`);
    return opened;
  }
  // All of it was credit, or an earlier run came this far.
  if (opened.attemptId === null || opened.state !== 'started') return ended(opened, opened.state, by);
  setCurrentDetails(`${isAtGateway(opened)} ${by}`);
  const { attemptId, isClaimed, waitSeconds, gatewayTimeoutSeconds } = opened;
  const attempt = { attemptId, orderId, isClaimed, waitSeconds, gatewayTimeoutSeconds, beginBefore };
  return ended(opened, (await concludeAttempt(attempt)).state, by);
}

/**
 * Nobody asks any more: a run was lost after its attempt was written down. What was called is looked up. What was not
 * called is given up, because its caller was told that nothing happens.
 */
async function takeUp({ orderId, operationKey }: DocumentRefundInput): Promise<End> {
  const found = await findDocumentRefund({ orderId, operationKey });
  if (!found) return { state: 'failed' };
  const by = 'Taken up again, after its first run was lost.';
  const { attemptId, state, isClaimed, waitSeconds, gatewayTimeoutSeconds } = found;
  if (attemptId === null || state !== 'started') return ended(found, state, by);
  setCurrentDetails(`${isAtGateway(found)} ${by}`);
  if (isClaimed) {
    const attempt = { attemptId, orderId, isClaimed, waitSeconds, gatewayTimeoutSeconds };
    return ended(found, (await concludeAttempt(attempt)).state, by);
  }
  const recorded = await recordFinding({ attemptId, finding: { evidence: 'unknown' } });
  return isRefused(recorded) ? recorded : ended(found, recorded.state, by);
}

/**
 * Refused where the transaction could not be made in time. Where it was after all, the call is not claimed any more.
 */
async function orBusy<Answer>(work: Promise<Answer>): Promise<Answer | Refused> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ActivityFailure) return { refused: refundNotWrittenDown().refusal };
    throw error;
  }
}

function ended(refund: Opened, state: RefundAttemptState, by: string): End {
  setCurrentDetails(`${endInWords(refund, state)} ${by}`);
  return { state };
}

/** The texts of its page. Words from outside are Markdown literals; the comment of the request is not shown. */
const requestedBy = ({ by, requestId }: Command) =>
  `Asked for by ${markdownLiteral(by)} (request ${markdownLiteral(requestId)}).`;

const sumOf = ({ amount, currencyCode, incrementId, paymentMethod }: Opened) =>
  `**${amount.toFixed(minorDigits(currencyCode))} ${markdownLiteral(currencyCode)}** of order ${markdownLiteral(incrementId)} by ${markdownLiteral(paymentMethod)}`;

const isAtGateway = (refund: Opened) =>
  `Gives ${sumOf(refund)} back, as refund attempt ${refund.attemptId}. Waits for the gateway.`;

function endInWords(refund: Opened, state: RefundAttemptState): string {
  if (refund.attemptId === null) return `All of it was credit: ${sumOf(refund)} is booked. No gateway was asked.`;
  switch (state) {
    case 'booked':
      return `The gateway gave ${sumOf(refund)} back, and the credit memo is booked.`;
    case 'failed':
      return `${sumOf(refund)} did not go back: see refund attempt ${refund.attemptId}. Nothing is booked.`;
    case 'started':
    case 'uncertain':
      return `Nobody knows yet whether ${sumOf(refund)} went back. The workflow \`${refundAttemptId(refund.attemptId)}\` finds it out.`;
  }
}
