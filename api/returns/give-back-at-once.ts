import type { ThroughGateway } from '../../db/refunds/through-gateway.ts';
import { findRefundAttempt } from '../../db/refunds/refund-attempt.repository.ts';
import { paymentOfReturn } from '../../db/returns/payment-of-return.ts';
import { PosError, type Refusal } from '../../domain/errors.ts';
import { refundRefused } from '../../domain/refunds/refund-refused.ts';
import type { RouteContext } from '../http/route.ts';
import { refundAndMail, type OpenedRefund } from '../http/refund-and-mail.ts';

/** What a transaction of a return wrote. */
export interface Begun extends OpenedRefund {
  /** Why its money did not go back; the return is parked. */
  refused?: Refusal | undefined;
}

/** `in_doubt`: nobody knows what became of the money, and the workflow of the return finds it out. */
export type GivenBack = 'done' | 'in_doubt';

/**
 * Gives the money of a return back through its original gateway, without a workflow: the transaction that `open` is,
 * one call, and the books. The customer's mail is sent separately.
 *
 * A repeat calls nothing. Refused with: the refusals of `open` · 400 `gateway_refused`.
 */
export async function giveBackAtOnce(
  context: RouteContext,
  { returnId, open }: { returnId: number; open: (through: ThroughGateway) => Promise<Begun> },
): Promise<GivenBack> {
  const { em } = context;
  const { opened, recorded } = await refundAndMail(context, { payment: await paymentOfReturn(em, returnId), open });
  if (opened.refused) throw new PosError(opened.refused);
  if (opened.attempt === undefined || recorded?.state === 'booked') return 'done';
  if (recorded?.state !== 'failed') return 'in_doubt';
  const { attemptId } = opened.attempt;
  const { message } = await findRefundAttempt(em, attemptId);
  throw new PosError(refundRefused({ attemptId, returnId, message }));
}
