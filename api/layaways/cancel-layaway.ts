import { z } from 'zod';
import { readLayaway } from '../../db/layaways/read-layaway.ts';
import { refuseCancelling } from '../../domain/layaways/cancellation.ts';
import { cancelUpdate } from '../../workflows/layaways/messages.ts';
import { reasonSealedFor } from '../../domain/layaways/sealed-reason.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { route } from '../http/route.ts';
import { idParam, text } from '../wire/schemas.ts';
import { walletActor } from '../http/wallet-actor.ts';
import { askLayaway } from './ask-layaway.ts';
import { feePercent, feeUnits } from './fee-percent.ts';
import { cancelledLayawayAnswer, renderCancelledLayaway } from './render-layaway.ts';
import { unknownOrder, workflowsAway, cardNumber } from '../wire/outcomes.ts';
import { soldInOnePayment } from './layaway-outcomes.ts';

/**
 * Cancels a layaway: books a credit memo less the fee, gives credits back, and cancels the open invoice and the order
 * (spec 4.7).
 */
export const cancelLayawayRoute = route({
  method: 'POST',
  path: '/V1/pos/layaways/:orderId/cancel',
  acl: 'Vendor_Pos::locations',
  summary: 'Cancel a layaway',
  name: 'cancelLayaway',
  description: `Books a credit memo of what was paid less the fee, gives credits back to their balances, and cancels
    the invoice and the order. No money moves: hand \`refund_amount\` back by \`refund_method\`. \`feePercent\` is a
    part of everything that was paid, money and credit.`,
  outcomes: [
    unknownOrder,
    {
      status: 400,
      message: 'Layaway cancellation fee percent must be between 0 and 100',
      when: 'The fee is outside these bounds.',
    },
    soldInOnePayment,
    {
      status: 400,
      message: 'The layaway is already cancelled.',
      when: 'A repeat with the same `Idempotency-Key` gets the first answer instead.',
    },
    {
      status: 400,
      message: 'The layaway is already paid in full.',
      when: 'Its goods are the customer’s.',
      then: 'Take them back as a return.',
    },
    workflowsAway,
    cardNumber,
  ],
  commits: 'several',
  params: z.object({ orderId: idParam }),
  body: z.object({ feePercent, reason: text(4_000).default('') }),
  response: cancelledLayawayAnswer,

  async handle(request) {
    const { em, params, body, operation, providers } = request;
    const layaway = await readLayaway(em, params.orderId);
    const fee = feeUnits(body.feePercent);
    // The operation's key, not the request id: a register may repeat its request id.
    const operationKey = operation.key;
    if (layaway.cancellation?.operationKey === operationKey) return renderCancelledLayaway(layaway);
    refuseCancelling(layaway);
    refuseCardData(body.reason);
    const sealedReason = body.reason === '' ? null : providers.secrets.seal(body.reason, reasonSealedFor);
    const cancelled = await askLayaway(request, {
      layaway,
      update: cancelUpdate,
      request: { feePercent: fee, sealedReason, actor: walletActor(request.caller) },
      isDone: (now) => now.cancellation?.operationKey === operationKey,
    });
    return renderCancelledLayaway(cancelled);
  },
});
