import { proxyLocalActivities } from '@temporalio/workflow';
import type { ReturnActivities } from '../../activities/returns/return-activities.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { postMail } from '../mails/post-mail.ts';
import { oneTransaction } from '../support/activity-options.ts';
import type { ReturnAnswer, SettleRequest } from './messages.ts';
import { refund } from './refund.ts';

const { bookSettlement, openRefundAttempt } = proxyLocalActivities<ReturnActivities>(oneTransaction);

/**
 * Settles a return: offline methods in one transaction, the original payment through its gateway (spec 4.8).
 *
 * @returns the status in PostgreSQL, or a refusal
 */
export async function settle(rmaId: number, request: SettleRequest): Promise<Outcome<ReturnAnswer>> {
  if (request.method !== 'original_payment') {
    const settled = await bookSettlement({ ...request, returnId: rmaId });
    return isRefused(settled) ? settled : concluded(settled);
  }
  const { options, reference, requestId, expectedLegs } = request;
  const opened = await openRefundAttempt({
    returnId: rmaId,
    options,
    ...(reference === undefined ? {} : { reported: { reference, requestId } }),
    ...(expectedLegs === undefined ? {} : { expectedLegs }),
  });
  if (isRefused(opened)) return opened;
  const { attempt, gatewayTimeoutSeconds } = opened;
  return attempt ? refund(rmaId, { ...attempt, gatewayTimeoutSeconds }) : concluded(opened);
}

/** The mail to the customer is sent separately; the settle does not wait for it. */
async function concluded({ status, mailId }: ReturnAnswer & { mailId?: number }): Promise<ReturnAnswer> {
  await postMail(mailId);
  return { status };
}
