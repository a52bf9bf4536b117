import { z } from 'zod';
import { readOrderItem } from '../../../db/platform/orders/read-order-items.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { itemAnswer } from './order-answer.ts';
import { renderOrderItem } from './render-order.ts';

/** One line of an order (platform facts 5.2). */
export const getOrderItem = route({
  method: 'GET',
  path: '/V1/orders/items/:id',
  acl: 'Platform_Sales::actions_view',
  summary: 'One line of an order',
  name: 'getOrderItem',
  description: 'Totals are net of discount.',
  outcomes: [
    {
      status: 404,
      message: "The entity that was requested doesn't exist. Verify the entity and try again.",
      when: 'There is no line of this id.',
    },
  ],
  params: z.object({ id: idParam }),
  response: itemAnswer,

  handle: async ({ em, params: { id } }) => renderOrderItem(await readOrderItem(em, id)),
});
