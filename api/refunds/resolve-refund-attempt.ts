import { z } from 'zod';
import { fieldRequired } from '../../domain/errors.ts';
import { resolveUpdate } from '../../workflows/refunds/messages.ts';
import { askAttempt } from '../temporal/ask-attempt.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { route } from '../http/route.ts';
import { idParam, payload, text } from '../wire/schemas.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { refundAttemptAnswer, renderRefundAttempt } from './render-refund-attempt.ts';
import { cardNumber, workflowsAway, invalidField } from '../wire/outcomes.ts';
import { unknownAttempt } from './refund-outcomes.ts';

/**
 * A person who checked at the gateway decides an attempt (spec 3.3, 4.8). `refunded` books the memo without a call;
 * `not_refunded` frees the return for a new settle.
 */
export const resolveRefundAttempt = route({
  method: 'POST',
  path: '/V1/pos/rma/refund-attempts/:attemptId/resolve',
  acl: 'Vendor_Pos::locations',
  summary: 'Say what became of an uncertain refund',
  name: 'resolveRefundAttempt',
  description: `For a person who looked at the gateway. \`refunded\` books the credit memo without a call;
    \`not_refunded\` frees the return for a new settle. The first answer wins, and a decided attempt stays as it
    is.`,
  outcomes: [unknownAttempt, invalidField('The resolution is another word.'), workflowsAway, cardNumber],
  commits: 'several',
  params: z.object({ attemptId: idParam }),
  body: payload({
    resolution: z.enum(['refunded', 'not_refunded']),
    staffName: text(255),
    note: text(4_000).default(''),
  }),
  response: refundAttemptAnswer,

  async handle({ params: { attemptId }, body, em, workflows, requestId, setHeader }) {
    if (body.staffName.trim() === '') throw fieldRequired('staffName');
    refuseCardData(body.note);
    const replayed = () => markReplayed({ setHeader });
    const question = { em, workflows, requestId, attemptId, update: resolveUpdate, request: body, replayed };
    return renderRefundAttempt(await askAttempt(question));
  },
});
