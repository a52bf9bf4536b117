import { setTimeout as pause } from 'node:timers/promises';
import { claimRefundCall } from '../../db/refunds/claim-refund-call.ts';
import { readCall } from '../../db/refunds/read-call.ts';
import { readRefundQuestion } from '../../db/refunds/read-refund-question.ts';
import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { namesOf } from '../../db/refunds/same-intent.ts';
import { findRefundAttempt } from '../../db/refunds/refund-attempt.repository.ts';
import type { Recorded } from '../../domain/refunds/recorded.ts';
import { refundedUnbooked, type RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { deadlineIn } from '../../providers/deadline.ts';
import { callClaimed, recordVerdict } from '../../providers/gateways/call-claimed.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';

const noGateway: RefundFinding = {
  evidence: 'unknown',
  message: 'No gateway is set up for the payment method any more.',
};

/** For a no from an account that never got the refund request: it cannot know about this refund (spec 3.3). */
const otherAccount: RefundFinding = {
  evidence: 'unknown',
  gatewayOutcome: 'other_account',
  message:
    'The refund was asked for at another account of the gateway than the one that is set up now. Look it up in the portal of that account, or set it up again and reconcile.',
};

/** Most gateways answer within a second, and only a request that came twice waits here. */
const betweenLooksMs = 100;

export type RefundActivities = ReturnType<typeof createRefundActivities>;

export const createRefundActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers, log, gatewayTimeoutSeconds, reconcileAfterSeconds } = dependencies;

  return {
    /** An attempt for its workflow, and whether its gateway can be asked. Reads only. */
    loadRefundAttempt: ({ attemptId }: { attemptId: number }) =>
      orRefused(async () => {
        const attempt = await findRefundAttempt(orm.em.fork(), attemptId);
        const gateway = await providers.gateways.for(attempt);
        return {
          attemptId,
          orderId: attempt.orderId,
          orderIncrementId: attempt.orderIncrementId,
          returnId: attempt.returnId,
          merchantReference: merchantReference(attempt),
          paymentMethod: attempt.paymentMethod,
          state: attempt.state,
          amount: attempt.amount,
          currencyCode: attempt.currencyCode,
          message: attempt.message,
          isUnbooked: attempt.gatewayOutcome === refundedUnbooked,
          canLookUp: gateway?.canLookUp ?? false,
          reconcileAfterSeconds,
        };
      }),

    /**
     * Gives the money back: claims the call, calls once, and commits a clear answer before it returns (spec 3.3).
     *
     * Temporal never runs it twice; a second run would find the call claimed and send nothing. An unclear answer is
     * kept as the gateway's outcome for the look-up: the attempt stays `started`.
     */
    async refundThroughGateway({ attemptId }: { attemptId: number }): Promise<Recorded> {
      const gateway = await providers.gateways.for(await findRefundAttempt(orm.em.fork(), attemptId));
      // Measured before the claim is sent: the database's deadline for this call is never earlier.
      const deadline = deadlineIn(gatewayTimeoutSeconds * 1_000);
      const claimed = await claimRefundCall(orm.em.fork(), {
        attemptId,
        timeoutSeconds: gatewayTimeoutSeconds,
        account: gateway?.account,
      });
      if (!claimed) return { state: (await findRefundAttempt(orm.em.fork(), attemptId)).state };
      return callClaimed({ em: orm.em, log }, { gateway, claimed, deadline });
    },

    /**
     * Waits until nobody is waiting for the gateway's answer any more: a route may be calling, in another process. It
     * ends at the deadline of the call at the latest. Reads only.
     */
    async awaitCall({ attemptId }: { attemptId: number }): Promise<Recorded> {
      for (;;) {
        const { state, isRunning } = await readCall(orm.em.fork(), attemptId);
        if (!isRunning) return { state };
        await pause(betweenLooksMs);
      }
    },

    /**
     * Asks the gateway what became of a refund; never moves money.
     *
     * @returns evidence `unknown` when the gateway cannot answer, or answers no for another account than the refund
     * used: a missing answer is not a no (spec 3.3)
     */
    async lookUpRefund({ attemptId }: { attemptId: number }): Promise<RefundFinding> {
      const attempt = await readRefundQuestion(orm.em.fork(), attemptId);
      const gateway = await providers.gateways.for(attempt);
      if (!gateway) return noGateway;
      // The answer to the call itself stays final.
      if (!gateway.canLookUp) return { evidence: 'unknown' };
      const finding = await gateway.lookUpRefund({ ...attempt, ...namesOf(attempt) });
      const isAsked = attempt.gatewayAccount === null || attempt.gatewayAccount === gateway.account;
      return finding.evidence === 'not_refunded' && !isAsked ? otherAccount : finding;
    },

    /** Commits a finding. Idempotent: see `recordFinding`. */
    recordFinding: ({ attemptId, finding }: { attemptId: number; finding: RefundFinding }) =>
      orRefused(() => recordVerdict({ em: orm.em, log }, { attemptId, finding })),
  };
};
