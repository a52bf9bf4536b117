import { claimRefundCall, type ClaimedCall } from '../../db/refunds/claim-refund-call.ts';
import { readRefundQuestion } from '../../db/refunds/read-refund-question.ts';
import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { namesOf } from '../../db/refunds/same-intent.ts';
import { keepGatewayWord } from '../../db/refunds/keep-gateway-word.ts';
import { recordFinding, type RecordFinding } from '../../db/verdicts/record-finding.ts';
import { databaseNow } from '../../db/support/database-now.ts';
import { findRefundAttempt } from '../../db/refunds/refund-attempt.repository.ts';
import type { Recorded } from '../../domain/refunds/recorded.ts';
import { refundedUnbooked, type RefundFinding } from '../../domain/refunds/refund-finding.ts';
import type { PaymentGateway } from '../../providers/gateways/payment-gateway.ts';
import { deadlineIn, type Deadline } from '../../providers/deadline.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { restoreObjection } from './restore-objection.ts';
import { orRefused } from '../support/refusals.ts';

const noGateway: RefundFinding = {
  evidence: 'unknown',
  message: 'No gateway is set up for the payment method any more.',
};

const noGatewayToCall: RefundFinding = {
  ...noGateway,
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_sent',
};

/** For a no from an account that never got the refund request: it cannot know about this refund (spec 3.3). */
const otherAccount: RefundFinding = {
  evidence: 'unknown',
  gatewayOutcome: 'other_account',
  message:
    'The refund was asked for at another account of the gateway than the one that is set up now. Look it up in the portal of that account, or set it up again and reconcile.',
};

export type RefundActivities = ReturnType<typeof createRefundActivities>;

export const createRefundActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers, log, gatewayTimeoutSeconds, reconcileAfterSeconds } = dependencies;

  /** One call; a fault of our own after the claim leaves a doubt like any other. */
  const call = (
    gateway: PaymentGateway | undefined,
    claimed: ClaimedCall,
    deadline: Deadline,
  ): Promise<RefundFinding> => {
    if (!gateway) return Promise.resolve(noGatewayToCall);
    return gateway.refund({
      ...claimed,
      ...namesOf(claimed),
      orderReference: claimed.orderIncrementId,
      deadline,
    });
  };

  const record = async (found: Pick<RecordFinding, 'attemptId' | 'finding' | 'subject'>) =>
    recordFinding(orm.em, {
      ...found,
      now: await databaseNow(orm.em.fork()),
      whenUnbooked: (error) =>
        log.error({ 'attempt.id': found.attemptId, error }, 'the gateway refunded, and the books cannot take it'),
    });

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
      const finding =
        (await restoreObjection(orm.em.fork(), gateway, claimed)) ?? (await call(gateway, claimed, deadline));
      log.info(
        { 'attempt.id': attemptId, evidence: finding.evidence, outcome: finding.gatewayOutcome },
        'the gateway was asked to refund',
      );
      if (finding.evidence === 'unknown') {
        await keepGatewayWord(orm.em.fork(), attemptId, finding);
        return { state: 'started' };
      }
      const recorded = await record({ attemptId, finding, subject: claimed });
      if (finding.evidence === 'refunded' && recorded.state === 'failed') {
        // Our booking came too late to stop it: the books do not have this money, and `pos verify` reports it.
        log.error({ 'attempt.id': attemptId }, 'the gateway refunded an attempt that had been given up');
      }
      return recorded;
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
      orRefused(() => record({ attemptId, finding })),
  };
};
