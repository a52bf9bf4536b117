import { z } from 'zod';
import { mailableAddress } from '../../db/mails/mailable-address.ts';
import { commentReturn, markCustomerNotified, type WrittenComment } from '../../db/returns/comment-return.ts';
import { transact } from '../../db/support/transact.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { route, type RouteContext } from '../http/route.ts';
import { flag, idParam, payload, text } from '../wire/schemas.ts';
import { unknownReturn } from './return-outcomes.ts';
import { cardNumber } from '../wire/outcomes.ts';

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
  outcomes: [unknownReturn, cardNumber],
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
