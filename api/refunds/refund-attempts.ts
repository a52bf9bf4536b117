import { z } from 'zod';
import { findRefundAttempt } from '../../db/refunds/refund-attempt.repository.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { refundAttemptNotFound, refundDecided } from '../../domain/refusals/money.ts';
import { workflowsAway } from '../../domain/refusals/platform.ts';
import { reconcileUpdate, resolveUpdate } from '../../workflows/refunds/messages.ts';
import { route } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { askAttempt } from '../temporal/ask-attempt.ts';
import { fieldsOf } from '../wire/fields.ts';
import { cardNumber, invalidField } from '../wire/outcomes.ts';
import { idParam, payload, text } from '../wire/schemas.ts';

/** A refund attempt in a register's answer (spec 2.12). */
export const { answer: refundAttemptAnswer, render: renderRefundAttempt } = fieldsOf(
  {
    attempt_id: z.int(),
    order_id: z.int(),
    return_id: z.int().nullable(),
    payment_method: z.string(),
    channel: z.string(),
    state: z.enum(['started', 'booked', 'uncertain', 'failed']),
    base_amount: z.number(),
    credit_memo_id: z.int().nullable(),
    credit_memo_increment_id: z.string().nullable(),
    gateway_outcome: z.string().nullable(),
    gateway_reference: z.string().nullable(),
    message: z.string().nullable(),
    resolved_by: z.string().nullable(),
    resolution_note: z.string().nullable(),
    decided_at: z.string().nullable(),
    effective_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  },
  'RefundAttempt',
);

/** Refusals that several routes of this folder share. */

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
    is. While the call to the gateway may be on its way, \`not_refunded\` is recorded and answered with state
    \`uncertain\`; it takes effect at \`effective_at\`.`,
  outcomes: [
    refundAttemptNotFound,
    invalidField('The resolution is another word.'),
    refundDecided,
    workflowsAway,
    cardNumber,
  ],
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
    const question = {
      em,
      workflows,
      requestId,
      attemptId,
      update: resolveUpdate,
      request: body,
      decision: body.resolution,
      replayed,
    };
    return renderRefundAttempt(await askAttempt(question));
  },
});

/** One refund attempt (spec 2.12, 4.8). */
export const getRefundAttempt = route({
  method: 'GET',
  path: '/V1/pos/rma/refund-attempts/:attemptId',
  acl: 'Vendor_Pos::locations',
  summary: 'One refund attempt',
  name: 'getRefundAttempt',
  description: `One try to give money back through a gateway. \`uncertain\` means that the result is unknown; the
    server keeps asking. \`base_amount\` is in the base currency.`,
  outcomes: [refundAttemptNotFound],
  params: z.object({ attemptId: idParam }),
  response: refundAttemptAnswer,

  async handle({ params: { attemptId }, em }) {
    return renderRefundAttempt(await findRefundAttempt(em, attemptId));
  },
});

/** Asks the gateway again what became of a refund (spec 3.3, 4.8); never refunds. */
export const reconcileRefundAttempt = route({
  method: 'POST',
  path: '/V1/pos/rma/refund-attempts/:attemptId/reconcile',
  acl: 'Vendor_Pos::locations',
  summary: 'Ask the gateway again',
  name: 'reconcileRefundAttempt',
  description: `Asks the gateway now what became of the refund. It never refunds. A decided attempt is answered as
    it is. “Not refunded” counts only once the call is surely over; until then the attempt stays \`uncertain\`.`,
  outcomes: [refundAttemptNotFound, workflowsAway],
  commits: 'several',
  params: z.object({ attemptId: idParam }),
  response: refundAttemptAnswer,

  async handle({ params: { attemptId }, em, workflows, requestId, setHeader }) {
    const replayed = () => markReplayed({ setHeader });
    const question = { em, workflows, requestId, attemptId, update: reconcileUpdate, request: null, replayed };
    return renderRefundAttempt(await askAttempt(question));
  },
});
