import { z } from 'zod';
import { bookSettlement } from '../../db/returns/book-settlement.ts';
import { findReturn } from '../../db/returns/return.repository.ts';
import { keepSettlePayload } from '../../db/returns/keep-settle-payload.ts';
import { conflict, PosError } from '../../domain/errors.ts';
import { settleMethods } from '../../domain/returns/refund-method.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { settleUpdate, type SettleRequest } from '../../workflows/returns/messages.ts';
import { adjustmentsInOrderCurrency } from '../wire/adjustments.ts';
import { expectedLegs } from '../wire/refund-legs.ts';
import { refuseCardData } from '../wire/refuse-card-data.ts';
import { route, type Surroundings } from '../http/route.ts';
import { sendMailSoon } from '../temporal/send-mail-soon.ts';
import { flag, idParam, payload, text } from '../wire/schemas.ts';
import { answerEnded } from './answer-ended.ts';
import { askReturn } from './ask-return.ts';
import { renderReturn, returnAnswer } from './render-return.ts';

const settleBody = payload({
  method: z.enum(settleMethods),
  reference: text(255).optional(),
  rawPayload: text(100_000).optional(),
  ...adjustmentsInOrderCurrency,
  expectedLegs: expectedLegs.optional(),
  notifyCustomer: flag.default(false),
});

/**
 * Settles a parked return: books its credit memo and closes it (spec 4.8).
 *
 * Amounts come in the order's currency, ex tax; those of the platform's own refunds come in the base currency. A closed return is answered unchanged; a second call while one runs
 * waits its turn and then finds it closed.
 *
 * Refused with: 404 unknown return · 400 wrong status, nothing left, a gateway's refusal · 409 `return_not_ready` ·
 * 409 `gateway_uncertain`, where nothing is refunded.
 */
export const settleReturn = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/settle',
  acl: 'Vendor_Pos::locations',
  summary: 'Give the money back and close a return',
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: settleBody,
  response: returnAnswer,

  async handle(request) {
    const { params, body, em, operation } = request;
    const { rmaId } = params;
    const rma = await findReturn(em, rmaId);
    if (isTerminal(rma.status)) return answerEnded(request, rma);
    // An id of its own, unless the caller named the request: a register may repeat its request id.
    const settleId = operation.key;
    if (body.rawPayload !== undefined) {
      refuseCardData(body.rawPayload);
      await keepSettlePayload(em, { requestId: settleId, returnId: rmaId, rawPayload: body.rawPayload });
    }
    const wanted = settleRequest(body, settleId);
    try {
      const settled = await askReturn(request, {
        rma,
        update: settleUpdate,
        request: wanted,
        isDone: ({ status }) => isTerminal(status),
        ...(wanted.method === 'original_payment' ? {} : { atOnce: () => settleAtOnce(request, rmaId, wanted) }),
      });
      return renderReturn(settled);
    } catch (error) {
      throw error instanceof PosError && error.status === 504 ? notReady(rmaId) : error;
    }
  },
});

/** The mail to the customer goes its own way; nobody waits for it. */
async function settleAtOnce(surroundings: Surroundings, returnId: number, wanted: SettleRequest): Promise<void> {
  const { mailId } = await bookSettlement(surroundings.em, { ...wanted, returnId });
  if (mailId !== undefined) sendMailSoon(mailId, surroundings);
}

/** What a terminal printed stays here: such text never travels through a workflow. */
const settleRequest = (body: z.output<typeof settleBody>, requestId: string): SettleRequest => ({
  method: body.method,
  options: {
    adjustmentPositive: body.adjustmentPositive,
    adjustmentNegative: body.adjustmentNegative,
    shippingAmount: body.shippingAmount ?? null,
    notifyCustomer: body.notifyCustomer,
  },
  ...(body.reference ? { reference: body.reference } : {}),
  ...(body.expectedLegs ? { expectedLegs: body.expectedLegs } : {}),
  requestId,
});

const notReady = (rmaId: number) =>
  conflict(
    'return_not_ready',
    'The return is still being worked on. Nothing else was booked; read it again in a moment.',
    { return_id: rmaId },
  );
