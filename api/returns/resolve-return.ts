import { z } from 'zod';
import { findReturn } from '../../db/returns/return.repository.ts';
import { settleMethods } from '../../domain/returns/refund-method.ts';
import { resolutionModes } from '../../domain/returns/resolution.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { resolveUpdate } from '../../workflows/returns/messages.ts';
import { route } from '../http/route.ts';
import { idParam, integer, jsonText, payload } from '../wire/schemas.ts';
import { answerEnded } from './answer-ended.ts';
import { askReturn } from './ask-return.ts';
import { blankOr } from './blank-or.ts';
import { renderReturn, returnAnswer } from './render-return.ts';
import { unknownReturn, gatewayRefused, returnNotReady, gatewayUncertain } from './return-outcomes.ts';
import { workflowsAway } from '../wire/outcomes.ts';

/** A return's line and what becomes of it; `rma_item_id` is the line's `entity_id` (spec 4.8 resolve). */
const resolutionRow = payload({
  rma_item_id: integer,
  resolution_mode: z.enum(resolutionModes),
  refund_method: blankOr(z.enum(settleMethods)),
});

/**
 * Decides every line of a return and resolves it (spec 3.2, 4.8).
 *
 * Our choice of the downstream action: lines that are refunded, exchanged or credited and name a `refund_method` are
 * settled by it, as a settle would, in the same transaction: one memo for just these lines. A return is settled in one
 * way, so all name the same. `original_payment` goes through the gateway; refused there, the return stays parked with
 * its resolutions. Lines to repair or dispose of, and lines without a method, move no money.
 *
 * A return that is over is answered unchanged.
 */
export const resolveReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/resolve',
  acl: 'Vendor_Pos::locations',
  summary: 'Decide what becomes of each line of a return',
  name: 'resolveReturn',
  description: `Decides every line and ends the return. Lines that are refunded, exchanged or credited and name a
    \`refund_method\` are settled by it in the same step; all of them name the same method. Lines to repair or dispose
    of, and lines without a method, move no money. \`resolutionsJson\` is a JSON text. A return that is over is
    answered unchanged.`,
  outcomes: [
    unknownReturn,
    {
      status: 400,
      message: 'Every line of the return needs a resolution; line %1 has none.',
      when: 'A line is missing.',
    },
    { status: 400, message: 'A return is settled in one way; its lines name "%1" and "%2".', when: 'Two methods.' },
    {
      status: 400,
      message: 'The resolution "%1" of line %2 moves no money: leave its refund_method out.',
      when: 'A line to repair or dispose of names a method.',
    },
    { status: 400, message: 'A return in status "%1" cannot be settled.', when: 'Its goods were not taken in yet.' },
    gatewayRefused,
    returnNotReady,
    gatewayUncertain,
    workflowsAway,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ resolutionsJson: jsonText(z.array(resolutionRow).min(1).max(500)) }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    if (isTerminal(rma.status)) return answerEnded(request, rma);
    const resolutions = body.resolutionsJson.map(({ rma_item_id, resolution_mode, refund_method }) => ({
      rmaItemId: rma_item_id,
      mode: resolution_mode,
      refundMethod: refund_method ?? null,
    }));
    const changed = await askReturn(request, {
      rma,
      update: resolveUpdate,
      request: { resolutions },
      isDone: ({ status }) => isTerminal(status),
    });
    return renderReturn(changed);
  },
});
