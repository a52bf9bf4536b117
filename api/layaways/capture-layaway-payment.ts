import { z } from 'zod';
import { hasPayment } from '../../db/layaways/has-payment.ts';
import { readLayaway } from '../../db/layaways/read-layaway.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { alreadyCancelled, notALayaway, positive } from '../../domain/layaways/capture.ts';
import { isCancelled } from '../../domain/layaways/layaway-status.ts';
import { captureUpdate } from '../../workflows/layaways/messages.ts';
import { movedMoney } from '../wire/moved-money.ts';
import { route } from '../http/route.ts';
import { idParam, text } from '../wire/schemas.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { askLayaway } from './ask-layaway.ts';
import { layawayAnswer, renderLayaway } from './render-layaway.ts';
import { unknownOrder, workflowsAway } from '../wire/outcomes.ts';
import { soldInOnePayment } from './layaway-outcomes.ts';

/** Takes a payment of a layaway: a deposit, a top-up or the last payment (spec 4.7). */
export const captureLayawayPayment = route({
  method: 'POST',
  path: '/V1/pos/layaways/:orderId/payments',
  acl: 'Vendor_Pos::locations',
  summary: 'Take a payment of a layaway',
  name: 'captureLayawayPayment',
  description: `Takes the deposit, a top-up or the last payment, in the order’s currency. Send \`reference\`, made
    by the register: a reference that the order has already books nothing and answers what stands. More than is owed
    is booked up to what is owed: look at \`total_captured\`. Without a reference, and without an \`Idempotency-Key\`,
    each call is a payment.`,
  outcomes: [
    unknownOrder,
    { status: 400, message: 'Layaway capture amount must be positive', when: 'The amount is zero or below.' },
    soldInOnePayment,
    { status: 400, message: 'The layaway is already cancelled.', when: 'It takes no more money.' },
    workflowsAway,
  ],
  commits: 'several',
  params: z.object({ orderId: idParam }),
  body: z.object({ amount: movedMoney, paymentMethod: text(128), reference: text(255).optional() }),
  response: layawayAnswer,

  async handle(request) {
    const { em, params, body, operation } = request;
    const layaway = await readLayaway(em, params.orderId);
    const amount = positive(body.amount, layaway.currencyCode);
    if (body.paymentMethod.trim() === '') throw fieldRequired('paymentMethod');
    if (layaway.status === null) throw notALayaway();
    const { orderId } = layaway;
    const reference = body.reference?.trim() ? body.reference : null;
    // The operation's key, not the request id: a register may repeat its request id.
    const operationKey = operation.key;
    // Read again: it may have been booked since the first read.
    if (await hasPayment(em, { orderId, reference, operationKey })) {
      markReplayed(request);
      return renderLayaway(await readLayaway(em, orderId));
    }
    if (isCancelled(layaway.status, layaway.state)) throw alreadyCancelled();
    const paid = await askLayaway(request, {
      layaway,
      update: captureUpdate,
      request: { amount, paymentMethod: body.paymentMethod, reference },
      isDone: () => hasPayment(em, { orderId, reference, operationKey }),
    });
    return renderLayaway(paid);
  },
});
