import { z } from 'zod';
import { hasPayment } from '../../db/layaways/has-payment.ts';
import { readLayaway } from '../../db/layaways/read-layaway.ts';
import { keepPlaceOfOperation } from '../../db/movements/movement-place.ts';
import type { SavedOrder } from '../../db/platform/orders/saved-order.ts';
import { fieldRequired } from '../../domain/errors.ts';
import {
  alreadyCancelled,
  isCancelled,
  isRunning,
  layawayStatusOf,
  notALayaway,
  positive,
} from '../../domain/layaways.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { captureNotPositive, finerThanCoin, layawayCancelled } from '../../domain/refusals/money.ts';
import { waitedTooLong, workflowsAway } from '../../domain/refusals/platform.ts';
import { captureUpdate, layawayId, refreshSignal } from '../../workflows/layaways/messages.ts';
import { posOrderId, posStatus } from '../../workflows/support/search-attributes.ts';
import { route, type RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { movedMoney } from '../wire/moved-money.ts';
import { unknownOrder } from '../wire/outcomes.ts';
import { registerPlace } from '../wire/register-place.ts';
import { idParam, reference, text } from '../wire/schemas.ts';
import { askLayaway, layawayAnswer, renderLayaway, soldInOnePayment, tellItsWorkflow } from './layaways.ts';

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
    each call is a payment. \`terminalId\` and \`registerSessionUuid\` assign it to a register and its session; without
    them its receipt does.`,
  outcomes: [
    unknownOrder,
    captureNotPositive,
    finerThanCoin,
    soldInOnePayment,
    layawayCancelled.because('It takes no more money.'),
    workflowsAway,
    waitedTooLong,
  ],
  commits: 'several',
  params: z.object({ orderId: idParam }),
  body: z.object({
    amount: movedMoney,
    paymentMethod: text(128),
    reference: reference(255).optional(),
    ...registerPlace,
  }),
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
    await keepPlaceOfOperation(em, operationKey, body);
    const paid = await askLayaway(request, {
      layaway,
      update: captureUpdate,
      request: { amount, paymentMethod: body.paymentMethod, reference },
      isDone: () => hasPayment(em, { orderId, reference, operationKey }),
    });
    return renderLayaway(paid);
  },
});

type Context = Pick<RouteContext, 'workflows' | 'log'>;

/**
 * Starts the workflow of a new layaway, or signals it after a change of the order, because its expiry may have
 * changed. Best effort, after the commit: the route does not wait for it, and the minute's sweep finds what Temporal
 * missed.
 */
export function followSavedOrder(order: SavedOrder, { workflows, log }: Context): void {
  const { orderId, incrementId, posLayawayStatus, isNew } = order;
  const status = layawayStatusOf(posLayawayStatus);
  if (status === null || (isNew && !isRunning(status))) return;
  workflows
    .start({
      workflow: 'layawayWorkflow',
      id: layawayId(orderId),
      input: { orderId },
      summary: `Layaway of order ${markdownLiteral(incrementId)}`,
      searchAttributes: [
        { key: posStatus, value: status },
        { key: posOrderId, value: orderId },
      ],
      ...(isNew ? {} : { signal: refreshSignal }),
    })
    .catch((error: unknown) => log.warn({ orderId, error }, 'a layaway is not followed yet; the sweep takes it up'));
}

/** Signals a layaway's workflow that an invoice of its order was saved: it may be settled now. Best effort. */
export async function followSavedInvoice(
  orderId: number,
  { em, workflows, log }: Context & Pick<RouteContext, 'em'>,
): Promise<void> {
  try {
    const { status } = await readLayaway(em, orderId);
    if (status === null) return;
    tellItsWorkflow(orderId, { workflows, log });
  } catch (error) {
    log.warn({ orderId, error }, 'a layaway could not be looked at');
  }
}
