import { paymentOfOrder } from '../db/process/process.repository.ts';
import { openDocumentRefund, type DocumentRefund } from '../db/refunds/document-refunds.ts';
import { merchantReference } from '../db/refunds/merchant-reference.ts';
import { namesOf, claimRefundCall } from '../db/refunds/refund-intent.ts';
import { readDocumentRefund, type DocumentRefundRecord } from '../db/refunds/read-document-refund.ts';
import { readRefundQuestion } from '../db/refunds/read-refund-question.ts';
import { findRefundAttempt } from '../db/refunds/refund-attempt.repository.ts';
import { openRemark } from '../db/refunds/sealed-remark.ts';
import { readReturned } from '../db/returns/read-returned.ts';
import { recordSecondLook } from '../db/verdicts/second-look.ts';
import { noSuchDocument } from '../domain/errors.ts';
import { refundedUnbooked, type Recorded, type RefundFinding } from '../domain/refunds/refund-finding.ts';
import { deadlineIn } from '../providers/deadline.ts';
import { callClaimed, recordVerdict } from '../providers/gateways/call-claimed.ts';
import { refundsBy, refuseUnrefundable } from '../providers/gateways/payment-gateway.ts';
import { orRefused, type ActivityDependencies } from './support.ts';

/** A refund as its workflow got it: what people wrote is sealed. */
export interface SealedDocumentRefund extends Omit<DocumentRefund, 'comment'> {
  sealedComment?: string;
}

export type DocumentRefundActivities = ReturnType<typeof createDocumentRefundActivities>;

export const createDocumentRefundActivities = ({ orm, providers, gatewayTimeoutSeconds }: ActivityDependencies) => {
  const withTimeout = (refund: DocumentRefundRecord) => ({ ...refund, gatewayTimeoutSeconds });
  return {
    /**
     * Writes a refund of an invoice down, or books it where all of it is credit. Idempotent: see `openDocumentRefund`.
     */
    openDocumentRefund: ({ sealedComment, ...refund }: SealedDocumentRefund) =>
      orRefused(async () => {
        const em = orm.em.fork();
        const payment = await paymentOfOrder(em, refund.orderId);
        if (!payment) throw noSuchDocument();
        // Asked before the transaction: no outside read happens while locks are held.
        const gateway = await providers.gateways.for(payment);
        const comment = sealedComment === undefined ? undefined : openRemark(providers.secrets, sealedComment);
        const opened = await openDocumentRefund(
          em,
          { ...refund, comment },
          {
            canRefundThrough: refundsBy(gateway, payment),
            refuseUnrefundable: () => refuseUnrefundable(gateway, payment),
            readReturned,
          },
        );
        return withTimeout(opened);
      }),

    /** What an earlier run of the same request wrote. Reads only. */
    async findDocumentRefund(named: { orderId: number; operationKey: string }) {
      const found = await readDocumentRefund(orm.em.fork(), named);
      return found && withTimeout(found);
    },
  };
};

const noGateway: RefundFinding = {
  evidence: 'unknown',
  message: 'No gateway is set up for the payment method any more.',
};

/** For a no from an account that never got the refund request: it cannot know about this refund (spec 3.3). */
const otherAccount: RefundFinding = {
  evidence: 'unknown',
  gatewayOutcome: 'other_account',
  message:
    'The refund was asked for at another account of the gateway than the one that is set up now. Look it up in ' +
    'the portal of that account, or set it up again and reconcile.',
};

const tooLate: RefundFinding = {
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_sent',
  message: 'Nobody waited for it any more, so the gateway was not called.',
};

interface CallToMake {
  attemptId: number;
  beginBefore?: string | undefined;
}

export type RefundActivities = ReturnType<typeof createRefundActivities>;

export const createRefundActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers, log, gatewayTimeoutSeconds, reconcileAfterSeconds, publicBaseUrl } = dependencies;
  const isStopping = dependencies.isStopping ?? (() => false);

  /** Claimed before, decided meanwhile, or too late: a call that was never claimed cannot be made after this. */
  const unclaimed = async ({ attemptId, beginBefore }: CallToMake): Promise<Recorded> => {
    const { state, isClaimed } = await findRefundAttempt(orm.em.fork(), attemptId);
    if (beginBefore === undefined || isClaimed || state !== 'started') return { state };
    return {
      ...(await recordVerdict({ em: orm.em, log }, { attemptId, finding: tooLate, isOwn: true })),
      isLate: true,
    };
  };

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
          // A tender line that went back is never asked for again, also before its memo.
          state: attempt.lineOutcome === null ? attempt.state : ('booked' as const),
          amount: attempt.amount,
          currencyCode: attempt.currencyCode,
          message: attempt.message,
          ...(attempt.resolvedBy === null || attempt.state !== 'uncertain'
            ? {}
            : { decision: { resolution: 'not_refunded' as const, staffName: attempt.resolvedBy, note: '' } }),
          isUnbooked: attempt.gatewayOutcome === refundedUnbooked,
          canLookUp: gateway?.canLookUp ?? false,
          reconcileAfterSeconds,
          ...(publicBaseUrl === undefined ? {} : { opsPage: `${publicBaseUrl.replace(/\/$/, '')}/ops` }),
        };
      }),

    /**
     * Gives the money back: claims the call, calls once, and commits a clear answer before it returns (spec 3.3).
     *
     * Temporal never runs it twice; a second run would find the call claimed and send nothing. An unclear answer is
     * kept as the gateway's outcome for the look-up: the attempt stays `started`.
     *
     * @param beginBefore after it nothing is sent: the attempt has failed then
     */
    async refundThroughGateway({ attemptId, beginBefore }: CallToMake): Promise<Recorded> {
      if (isStopping()) return { state: 'started', isHandedOn: true };
      const gateway = await providers.gateways.for(await findRefundAttempt(orm.em.fork(), attemptId));
      // Measured before the claim is sent: the database's deadline for this call is never earlier.
      const deadline = deadlineIn(gatewayTimeoutSeconds * 1_000);
      const claimed = await claimRefundCall(orm.em.fork(), {
        attemptId,
        timeoutSeconds: gatewayTimeoutSeconds,
        account: gateway?.account,
        beginBefore,
      });
      if (!claimed) return unclaimed({ attemptId, beginBefore });
      return callClaimed({ em: orm.em, log }, { gateway, claimed, deadline });
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
      const isRequested = attempt.gatewayAccount === null || attempt.gatewayAccount === gateway.account;
      return finding.evidence === 'not_refunded' && !isRequested ? otherAccount : finding;
    },

    /** Commits what a second look found. Idempotent: see `recordSecondLook`. */
    recordSecondLook: ({ attemptId, finding }: { attemptId: number; finding: RefundFinding }) =>
      orRefused(() => recordSecondLook(orm.em.fork(), { attemptId, finding })),

    /** Commits a finding. Idempotent: see `recordFinding`. */
    recordFinding: ({ attemptId, finding, isOwn }: { attemptId: number; finding: RefundFinding; isOwn?: boolean }) =>
      orRefused(() => recordVerdict({ em: orm.em, log }, { attemptId, finding, isOwn: isOwn ?? false })),
  };
};
