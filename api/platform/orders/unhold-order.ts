import { z } from 'zod';
import { unholdOrder } from '../../../db/platform/orders/unhold-order.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { unknownOrder, idIsZero } from '../../wire/outcomes.ts';

/** Ends the hold of an order (platform facts 5.4). */
export const unholdOrderRoute = route({
  method: 'POST',
  path: '/V1/orders/:id/unhold',
  acl: 'Platform_Sales::unhold',
  summary: 'Release an order',
  name: 'unholdOrder',
  description: 'The order goes on in the state that it had.',
  outcomes: [unknownOrder, idIsZero, { status: 400, message: 'You cannot remove the hold.', when: 'It is not held.' }],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id } }) {
    await unholdOrder(em, id);
    return true as const;
  },
});
