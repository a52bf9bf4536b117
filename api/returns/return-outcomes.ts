import { z } from 'zod';
import { mailableAddress } from '../../db/mails/post-receipt-mail.ts';
import { commentReturn, markCustomerNotified, type WrittenComment } from '../../db/returns/comment-return.ts';
import { transact } from '../../db/support/transact.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { locationNotFound } from '../../domain/refusals/register.ts';
import { returnNotFound, statusNotReachable, statusSetByVerb } from '../../domain/refusals/returns.ts';
import { route, type Outcome, type RouteContext } from '../http/route.ts';
import { cardNumber } from '../wire/outcomes.ts';
import { flag, idParam, payload, text } from '../wire/schemas.ts';

/** Refusals of most routes of returns. */

export const unknownLocation: Outcome = locationNotFound.because(
  'No location has this id.',
  'Pull the configuration again.',
);

export const returnNotReady: Outcome = {
  status: 409,
  code: 'return_not_ready',
  message: 'Return 000000023 is still being created. Nothing was changed; try again in a moment.',
  when:
    'The return is still worked on by an earlier call, or something keeps it from being made: then the sentence ' +
    'ends with what it is.',
  then: 'Send the same request again, or read the return.',
};

/** A status that a return cannot be set to by hand. */
export const refusedMoves: readonly Outcome[] = [statusNotReachable, statusSetByVerb];

export const gatewayUncertain: Outcome = {
  status: 409,
  code: 'gateway_uncertain',
  message: 'The gateway has not said whether the refund went through. Nothing is refunded until that is known.',
  when: 'The answer of the card processor was lost. `refund_attempt_id` and `return_id` name what is open.',
  then: 'Hand no cash out. Tell the customer. Read the return again later.',
};

export const cardTookLess: Outcome = {
  status: 400,
  code: 'card_took_less',
  message:
    'The payment by "vendor_provider_a" took 60 of this sale and can take back 60, not 108. Settle with tenders: ' +
    'each gives its part back.',
  when: 'The card paid a part of the sale, or gave a part back. `card_left` is what it can take back.',
  then: 'Settle with `tenders`, as the preview’s `tender_lines` propose it, or in another way.',
};

export const gatewayRefused: Outcome = {
  status: 400,
  code: 'gateway_refused',
  message: 'The refund did not go through: The gateway refused the refund.',
  when: 'The card processor said no. The return is parked.',
  then: 'Settle it another way, in cash for instance.',
};

export const notEligible: Outcome = {
  status: 400,
  code: 'return_not_eligible',
  message: 'An item cannot be returned: This product cannot be returned.',
  when:
    '`reason_code` says why: `quantity`, `not_returnable`, `outside_period`, `vendor_rule`, ' +
    '`resolution_unsupported` or `resolution_not_allowed`. `order_item_id` is the line, 0 the whole order.',
  then: 'Show the sentence. Nothing was created.',
};

export const providerAway: Outcome = {
  status: 503,
  message: 'The returns provider "warehouse" cannot be asked. Try again in a moment.',
  when: 'The service that decides on returns does not answer.',
  then: 'Send the same request again after `Retry-After` seconds.',
};

/**
 * Writes a comment into the history of a return, in any status (spec 4.8). A repeat writes another, unless it has the
 * same `Idempotency-Key`.
 *
 * With `notifyCustomer` the customer of the order may read it, and gets it by mail after it is committed: best effort,
 * the comment stands either way and says `is_customer_notified` only when the mail server took the mail. Nothing is
 * sent to the address of the walk-in customer. No workflow is told: a comment moves nothing, and a person's words have
 * no business there.
 */
export const commentReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/comment',
  acl: 'Vendor_Pos::locations',
  summary: 'Comment on a return',
  name: 'commentReturn',
  description: `Adds a comment in whatever status. With \`notifyCustomer\` the customer may read it and gets it by
    mail; the comment stands even where the mail fails. A repeat adds another comment, unless it has the same
    \`Idempotency-Key\`.`,
  outcomes: [returnNotFound, cardNumber],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ comment: text(4_000), notifyCustomer: flag.default(false) }),
  response: z.literal(true),

  async handle(request) {
    const { params, body, em, caller, operation } = request;
    // An earlier run of this request wrote it, and may have mailed it.
    if (operation.madeBefore !== null) return true as const;
    if (body.comment.trim() === '') throw fieldRequired('comment');
    refuseCardData(body.comment);
    const written = await transact(em, async (tx) => {
      const line = { returnId: params.rmaId, comment: body.comment, author: caller.name };
      const made = await commentReturn(tx, { ...line, isForCustomer: body.notifyCustomer });
      await operation.made(tx, made.commentId);
      return made;
    });
    if (body.notifyCustomer) await mailComment(request, written, body.comment);
    return true as const;
  },
});

/** A failure is logged without the address, and is not an error for the register. */
async function mailComment(
  { em, providers, log }: Pick<RouteContext, 'em' | 'providers' | 'log'>,
  { commentId, incrementId, ...customer }: WrittenComment,
  comment: string,
): Promise<void> {
  if (!providers.mail.isEnabled) return;
  try {
    const to = await mailableAddress(em, customer);
    if (to === undefined) return;
    await providers.mail.send({ to, subject: `About your return ${incrementId}`, text: `${comment}\n` });
    await markCustomerNotified(em, commentId);
  } catch (error) {
    log.warn({ 'comment.id': commentId, reason: codeOf(error) }, 'a customer could not be told of a comment by mail');
  }
}

/** The message of a mail server may repeat the address; its code does not. */
const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
