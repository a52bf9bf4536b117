import { z } from 'zod';
import { findReturn } from '../../db/returns/return.repository.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { closeUpdate } from '../../workflows/returns/messages.ts';
import { route } from '../http/route.ts';
import { idParam, payload, text } from '../wire/schemas.ts';
import { answerEnded } from './answer-ended.ts';
import { askReturn } from './ask-return.ts';
import { renderReturn, returnAnswer } from './render-return.ts';
import { wordsOf } from './words-of.ts';
import { unknownReturn, gatewayUncertain } from './return-outcomes.ts';
import { workflowsAway, cardNumber } from '../wire/outcomes.ts';

/**
 * Ends a return without a refund and hands its goods back: what was restocked goes out of its source, never below zero
 * (spec 3.2, 4.8).
 */
export const closeReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/close',
  acl: 'Vendor_Pos::locations',
  summary: 'Close a return without a refund',
  name: 'closeReturn',
  description: `Ends a return without a refund and hands the goods back: what was restocked leaves its source again,
    never below zero. A return that is over is answered unchanged, and the comment is not kept then.`,
  outcomes: [unknownReturn, gatewayUncertain, workflowsAway, cardNumber],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ comment: text(4_000).optional() }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    if (isTerminal(rma.status)) return answerEnded(request, rma);
    const changed = await askReturn(request, {
      rma,
      update: closeUpdate,
      request: { words: wordsOf(request, body.comment) },
      isDone: ({ status }) => isTerminal(status),
    });
    return renderReturn(changed);
  },
});
