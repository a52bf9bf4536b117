import { z } from 'zod';
import { findReturn } from '../../db/returns/return.repository.ts';
import { keepSettlePayload } from '../../db/returns/keep-settle-payload.ts';
import { conflict } from '../../domain/errors.ts';
import { settleMethods } from '../../domain/returns/refund-method.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { settleUpdate } from '../../workflows/returns/messages.ts';
import { adjustmentsInOrderCurrency } from '../wire/adjustments.ts';
import { expectedLegs } from '../wire/refund-legs.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { route } from '../http/route.ts';
import { flag, idParam, payload, text } from '../wire/schemas.ts';
import { answerEnded } from './answer-ended.ts';
import { askReturn } from './ask-return.ts';
import { returnAnswer, withPointsOwed } from './render-return.ts';
import { unknownReturn, cardTookLess, gatewayRefused, returnNotReady, gatewayUncertain } from './return-outcomes.ts';
import { workflowsAway, cardNumber } from '../wire/outcomes.ts';

const settleBody = payload({
  method: z.enum(settleMethods),
  reference: text(255).optional(),
  rawPayload: text(100_000).optional(),
  ...adjustmentsInOrderCurrency,
  expectedLegs: expectedLegs.optional(),
  notifyCustomer: flag.default(false),
});

/** Settles a parked return: books its credit memo and closes it (spec 4.8). */
export const settleReturn = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/settle',
  acl: 'Vendor_Pos::locations',
  summary: 'Give the money back and close a return',
  name: 'settleReturn',
  description: `The second step of a return in cash: books the credit memo of a parked return, gives the money back
    and closes it. Amounts are in the order’s currency, ex tax; those of the platform’s own refunds are in the base
    currency. A return that is over is answered unchanged, so a repeat is safe. A second call while one runs waits its
    turn. Send \`expectedLegs\` from the preview: \`refund_difference\` says how the booked legs differ. \`points_owed\`
    are points of the sale that the customer has spent: later points pay for them.`,
  outcomes: [
    unknownReturn,
    {
      status: 400,
      message: 'A return in status "%1" cannot be settled.',
      when: 'Its goods were not taken in, or it waits for nothing.',
      then: 'Receive it first.',
    },
    {
      status: 400,
      code: 'nothing_left_to_refund',
      message: 'Nothing is left to refund: credit memo 000000007 took it.',
      when: 'Other refunds took it, or one that is under way does. The sentence names it.',
      then: 'Read the order’s credit memos.',
    },
    {
      status: 400,
      code: 'reference_in_use',
      message:
        'The reference "T-1" is that of credit memo 000000007 of return 000000004: a refund of the terminal is settled once.',
      when: 'Another return of the order was settled with this `reference`, or a refund under way has it.',
      then: 'Send the reference of this refund. If the terminal gave money once, one return is settled.',
    },
    cardTookLess,
    gatewayRefused,
    returnNotReady,
    gatewayUncertain,
    workflowsAway,
    cardNumber,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: settleBody,
  response: returnAnswer,

  async handle(request) {
    const { params, body, em, operation } = request;
    const { rmaId } = params;
    const rma = await findReturn(em, rmaId);
    if (isTerminal(rma.status)) return answerEnded(request, rma);
    const { rawPayload } = body;
    if (rawPayload !== undefined) {
      refuseCardData(rawPayload);
      await request.workflows.refuseWhileAway();
      await keepSettlePayload(em, { requestId: operation.key, returnId: rmaId, rawPayload });
    }
    const settled = await askReturn(request, {
      rma,
      update: settleUpdate,
      request: settleRequest(body),
      isDone: ({ status }) => isTerminal(status),
      notBegun: () => notReady(rmaId),
    });
    return withPointsOwed(request, settled);
  },
});

/** The terminal's printout stays in the database: it never travels through a workflow. */
const settleRequest = (body: z.output<typeof settleBody>) => ({
  method: body.method,
  options: {
    adjustmentPositive: body.adjustmentPositive,
    adjustmentNegative: body.adjustmentNegative,
    shippingAmount: body.shippingAmount ?? null,
    notifyCustomer: body.notifyCustomer,
  },
  ...(body.reference ? { reference: body.reference } : {}),
  ...(body.expectedLegs ? { expectedLegs: body.expectedLegs } : {}),
});

const notReady = (rmaId: number) =>
  conflict(
    'return_not_ready',
    'The return is still being worked on. Nothing else was booked; read it again in a moment.',
    { return_id: rmaId },
  );
