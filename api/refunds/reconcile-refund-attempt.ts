import { z } from 'zod';
import { reconcileUpdate } from '../../workflows/refunds/messages.ts';
import { askAttempt } from '../temporal/ask-attempt.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { refundAttemptAnswer, renderRefundAttempt } from './render-refund-attempt.ts';
import { workflowsAway } from '../wire/outcomes.ts';
import { unknownAttempt } from './refund-outcomes.ts';

/** Asks the gateway again what became of a refund (spec 3.3, 4.8); never refunds. */
export const reconcileRefundAttempt = route({
  method: 'POST',
  path: '/V1/pos/rma/refund-attempts/:attemptId/reconcile',
  acl: 'Vendor_Pos::locations',
  summary: 'Ask the gateway again',
  name: 'reconcileRefundAttempt',
  description: `Asks the gateway now what became of the refund. It never refunds. A decided attempt is answered as
    it is. “Not refunded” counts only once the call is surely over; until then the attempt stays \`uncertain\`.`,
  outcomes: [unknownAttempt, workflowsAway],
  commits: 'several',
  params: z.object({ attemptId: idParam }),
  response: refundAttemptAnswer,

  async handle({ params: { attemptId }, em, workflows, requestId, setHeader }) {
    const replayed = () => markReplayed({ setHeader });
    const question = { em, workflows, requestId, attemptId, update: reconcileUpdate, request: null, replayed };
    return renderRefundAttempt(await askAttempt(question));
  },
});
