import { z } from 'zod';
import { cancelOrder, type CancelHook } from '../../../db/platform/orders/cancel-order.ts';
import { route, type Caller } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/**
 * Makes the route that cancels; `hooksFor` makes what others want to happen in the same transaction.
 *
 * Cancels what is left of an order; `false`, with 200, when nothing can be (platform facts 5.4). A second time is
 * `false`. Refused with 404: an unknown order.
 */
export const cancelOrderRoute = (hooksFor: (caller: Caller) => readonly CancelHook[]) =>
  route({
    method: 'POST',
    path: '/V1/orders/:id/cancel',
    acl: 'Platform_Sales::cancel',
    summary: 'Cancel an order',
    params: z.object({ id: idParam }),
    response: z.boolean(),

    handle: ({ em, params: { id }, caller }) => cancelOrder(em, id, hooksFor(caller)),
  });
