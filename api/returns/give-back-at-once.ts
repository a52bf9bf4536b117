import type { ThroughGateway } from '../../db/refunds/through-gateway.ts';
import { paymentOfReturn } from '../../db/returns/payment-of-return.ts';
import { PosError, type Refusal } from '../../domain/errors.ts';
import type { RouteContext } from '../http/route.ts';
import { refundAndMail, type OpenedRefund } from '../http/refund-and-mail.ts';
import { refuseUnlessGivenBack } from './refuse-unless-given-back.ts';

/** What a transaction of a return wrote. */
export interface Begun extends OpenedRefund {
  /** Why its money did not go back; the return is parked. */
  refused?: Refusal | undefined;
}

/** Nobody knows what became of the money of this attempt, and the workflow of the return finds it out. */
export class InDoubt {
  readonly attemptId: number;

  constructor(attemptId: number) {
    this.attemptId = attemptId;
  }
}

export type GivenBack = 'done' | InDoubt;

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
  const { attemptId } = opened.attempt;
  if (recorded?.state !== 'failed') return new InDoubt(attemptId);
  await refuseUnlessGivenBack(em, { attemptId });
  return 'done';
}
