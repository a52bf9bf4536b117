import { z } from 'zod';
import { Order } from '../../../db/platform/orders/order.entity.ts';
import { noSuchOrder } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { unknownOrder, idIsZero } from '../../wire/outcomes.ts';

/** The status of an order, as a bare text (platform facts 5.2). */
export const getOrderStatus = route({
  method: 'GET',
  path: '/V1/orders/:id/statuses',
  acl: 'Platform_Sales::actions_view',
  summary: 'Status of an order',
  name: 'getOrderStatus',
  description: `A bare text, such as \`"processing"\`.`,
  outcomes: [unknownOrder, idIsZero],
  params: z.object({ id: idParam }),
  response: z.string(),

  async handle({ em, params: { id } }) {
    const order = await em.findOne(Order, { entityId: id }, { fields: ['status'] });
    if (!order) throw noSuchOrder(id);
    return order.status;
  },
});
