import { z } from 'zod';
import { cancelOrder, type CancelHook } from '../../../db/platform/orders/cancel-order.ts';
import { route, type Caller } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { unknownOrder, idIsZero, refundUnderWay } from '../../wire/outcomes.ts';

/**
 * Makes the route that cancels; `hooksFor` makes what other features do in the same transaction.
 *
 * Cancels what is left of an order; `false`, with 200, when nothing can be cancelled (platform facts 5.4).
 */
export const cancelOrderRoute = (hooksFor: (caller: Caller) => readonly CancelHook[]) =>
  route({
    method: 'POST',
    path: '/V1/orders/:id/cancel',
    acl: 'Platform_Sales::cancel',
    summary: 'Cancel an order',
    name: 'cancelOrder',
    description: `Cancels what is left of the order and frees its goods. The answer is \`false\`, with 200, where
      nothing can be cancelled: an order that is paid in full, over, or cancelled already.`,
    outcomes: [unknownOrder, idIsZero, refundUnderWay],
    params: z.object({ id: idParam }),
    response: z.boolean(),

    handle: ({ em, params: { id }, caller }) => cancelOrder(em, id, hooksFor(caller)),
  });
