import { z } from 'zod';
import { unholdOrder } from '../../../db/platform/orders/unhold-order.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/**
 * Lets a held order go on (platform facts 5.4). Refused with: 404 an unknown order · 400 one that is not held.
 */
export const unholdOrderRoute = route({
  method: 'POST',
  path: '/V1/orders/:id/unhold',
  acl: 'Platform_Sales::unhold',
  summary: 'Release an order',
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id } }) {
    await unholdOrder(em, id);
    return true as const;
  },
});
