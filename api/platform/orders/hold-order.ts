import { z } from 'zod';
import { holdOrder } from '../../../db/platform/orders/hold-order.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/**
 * Stops an order until it is released (platform facts 5.4). Refused with: 404 an unknown order · 400 one that cannot be
 * held, such as one that is.
 */
export const holdOrderRoute = route({
  method: 'POST',
  path: '/V1/orders/:id/hold',
  acl: 'Platform_Sales::hold',
  summary: 'Hold an order',
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id } }) {
    await holdOrder(em, id);
    return true as const;
  },
});
