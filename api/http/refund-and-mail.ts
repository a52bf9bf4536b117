import type { OpenAttempt } from '../../db/refunds/open-refund-attempt.ts';
import type { ThroughGateway } from '../../db/refunds/through-gateway.ts';
import type { TakenPayment } from '../../providers/gateways/can-refund-through.ts';
import { refundAtOnce, type RefundedAtOnce } from '../../providers/gateways/refund-at-once.ts';
import type { RouteContext } from './route.ts';
import { sendMailSoon } from '../temporal/send-mail-soon.ts';

/** What a transaction wrote: an attempt, where money goes through a gateway, and the customer's mail, where none does. */
export interface OpenedRefund {
  attempt?: Pick<OpenAttempt, 'attemptId'> | undefined;
  mailId?: number | undefined;
}

/**
 * A refund through the original gateway, called by the route itself: see `refundAtOnce`. The customer's mail is sent
 * separately; the register does not wait for it.
 */
export async function refundAndMail<Opened extends OpenedRefund>(
  context: RouteContext,
  { payment, open }: { payment: TakenPayment; open: (through: ThroughGateway) => Promise<Opened> },
): Promise<RefundedAtOnce<Opened>> {
  const { em, log, providers, settings } = context;
  const refunded = await refundAtOnce({
    ...{ em, log, gateways: providers.gateways, payment, open },
    timeoutSeconds: settings.GATEWAY_TIMEOUT_SECONDS,
  });
  const mailId = refunded.opened.mailId ?? refunded.recorded?.mailId;
  if (mailId !== undefined) sendMailSoon(mailId, context);
  return refunded;
}
