import { z } from 'zod';
import { holdOrder } from '../../../db/platform/orders/hold-order.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { unknownOrder, idIsZero, refundUnderWay } from '../../wire/outcomes.ts';

/** Holds an order until it is released (platform facts 5.4). */
export const holdOrderRoute = route({
  method: 'POST',
  path: '/V1/orders/:id/hold',
  acl: 'Platform_Sales::hold',
  summary: 'Hold an order',
  name: 'holdOrder',
  description: `Stops the order until \`unhold\`.`,
  outcomes: [
    unknownOrder,
    idIsZero,
    { status: 400, message: 'A hold action is not available.', when: 'It is held already, or over.' },
    refundUnderWay,
  ],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id } }) {
    await holdOrder(em, id);
    return true as const;
  },
});
