import { z } from 'zod';
import { findReturn } from '../../db/returns/return.repository.ts';
import { refuseUnlessParked } from '../../domain/returns/settle-rules.ts';
import { cancelRefundUpdate } from '../../workflows/returns/messages.ts';
import { route } from '../http/route.ts';
import { idParam, payload, text } from '../wire/schemas.ts';
import { askReturn } from './ask-return.ts';
import { renderReturn, returnAnswer } from './render-return.ts';
import { wordsOf } from './words-of.ts';
import { unknownReturn, gatewayUncertain } from './return-outcomes.ts';
import { workflowsAway, cardNumber } from '../wire/outcomes.ts';

/**
 * Cancels the refund of a parked return: the goods stay received, and the money can be refunded later (spec 3.2, 4.8).
 */
export const cancelRefundRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/cancel-refund',
  acl: 'Vendor_Pos::locations',
  summary: 'Keep the goods of a return, leave its money for later',
  name: 'cancelRefund',
  description: `The goods stay with the shop, the money is left for later: a parked return goes back to
    \`received\`. A return that is \`received\` is answered unchanged, and the comment is not kept then.`,
  outcomes: [
    unknownReturn,
    { status: 400, message: 'A return in status "%1" has no refund to cancel.', when: 'The return is not parked.' },
    gatewayUncertain,
    workflowsAway,
    cardNumber,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ comment: text(4_000).optional() }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    refuseUnlessParked(rma.status);
    if (rma.status === 'received') return renderReturn(rma);
    const changed = await askReturn(request, {
      rma,
      update: cancelRefundUpdate,
      request: { words: wordsOf(request, body.comment) },
      isDone: ({ status }) => status === 'received',
    });
    return renderReturn(changed);
  },
});
