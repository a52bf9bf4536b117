import { claimRefundCall, type ClaimedCall } from '../../db/refunds/claim-refund-call.ts';
import type { OpenAttempt } from '../../db/refunds/open-refund-attempt.ts';
import type { ThroughGateway } from '../../db/refunds/through-gateway.ts';
import { keepGatewayWord } from '../../db/refunds/keep-gateway-word.ts';
import type { Recorded } from '../../domain/refunds/recorded.ts';
import { deadlineIn, type Deadline } from '../deadline.ts';
import { callClaimed, type Around, type Call } from './call-claimed.ts';
import { refundsBy, type TakenPayment } from './can-refund-through.ts';
import type { PaymentGateways } from './payment-gateway.ts';

export interface RefundAtOnce<Opened> extends Around {
  gateways: PaymentGateways;
  payment: TakenPayment;
  /** A gateway's timeout for a refund. */
  timeoutSeconds: number;
  /** The transaction that opens the attempt, with the claim it is given. */
  open: (through: ThroughGateway) => Promise<Opened>;
}

export interface RefundedAtOnce<Opened> {
  opened: Opened;
  /** What became of the call; undefined: nothing was called, because no attempt was opened here. */
  recorded: Recorded | undefined;
}

/**
 * Refunds through the original gateway in the process of the caller (spec 3.3): the attempt and the claim of its call
 * in one commit, then one call, then the books.
 *
 * An answer `started` means that nobody knows yet: a workflow must find out. A repeat opens nothing, and so calls
 * nothing. A crash after the commit leaves a claimed attempt, which is looked up and never called again.
 */
export async function refundAtOnce<Opened extends { attempt?: Pick<OpenAttempt, 'attemptId'> | undefined }>(
  wish: RefundAtOnce<Opened>,
): Promise<RefundedAtOnce<Opened>> {
  const { gateways, payment, timeoutSeconds, open } = wish;
  const gateway = await gateways.for(payment);
  let held: { claimed: ClaimedCall; deadline: Deadline } | undefined;
  const opened = await open({
    canRefundThrough: refundsBy(gateway, payment),
    claim: async (tx, attemptId) => {
      // Measured before the claim is sent: the database's deadline for this call is never earlier.
      const deadline = deadlineIn(timeoutSeconds * 1_000);
      const claimed = await claimRefundCall(tx, { attemptId, timeoutSeconds, account: gateway?.account });
      if (!claimed) throw new Error(`refund attempt ${attemptId} is new, and was claimed before`);
      held = { claimed, deadline };
    },
  });
  // A transaction that ran again after a deadlock opened another attempt, or none.
  if (held === undefined || held.claimed.attemptId !== opened.attempt?.attemptId)
    return { opened, recorded: undefined };
  return { opened, recorded: await callOrDoubt(wish, { gateway, ...held }) };
}

/** Where our own database refuses the answer, as while the order stays locked, the gateway is asked once more. */
async function callOrDoubt({ em, log }: Around, call: Call): Promise<Recorded> {
  const { attemptId } = call.claimed;
  try {
    return await callClaimed({ em, log }, call);
  } catch (error) {
    log.error({ 'attempt.id': attemptId, error }, 'the gateway’s answer could not be recorded; it is looked up');
    // Best effort: without it the look-up waits for the call's deadline.
    await keepGatewayWord(em.fork(), attemptId, { evidence: 'unknown' }).catch(() => undefined);
    return { state: 'started' };
  }
}
