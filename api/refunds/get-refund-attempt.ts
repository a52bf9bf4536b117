import { z } from 'zod';
import { findRefundAttempt } from '../../db/refunds/refund-attempt.repository.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { refundAttemptAnswer, renderRefundAttempt } from './render-refund-attempt.ts';
import { unknownAttempt } from './refund-outcomes.ts';

/** One refund attempt (spec 2.12, 4.8). */
export const getRefundAttempt = route({
  method: 'GET',
  path: '/V1/pos/rma/refund-attempts/:attemptId',
  acl: 'Vendor_Pos::locations',
  summary: 'One refund attempt',
  name: 'getRefundAttempt',
  description: `One try to give money back through a gateway. \`uncertain\` means that the result is unknown; the
    server keeps asking. \`base_amount\` is in the base currency.`,
  outcomes: [unknownAttempt],
  params: z.object({ attemptId: idParam }),
  response: refundAttemptAnswer,

  async handle({ params: { attemptId }, em }) {
    return renderRefundAttempt(await findRefundAttempt(em, attemptId));
  },
});
