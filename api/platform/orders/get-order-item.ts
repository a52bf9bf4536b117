import { z } from 'zod';
import { readOrderItem } from '../../../db/platform/orders/read-order-items.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { itemAnswer } from './order-answer.ts';
import { renderOrderItem } from './render-order.ts';

/** One line of an order (platform facts 5.2). Refused with 404: an unknown line. */
export const getOrderItem = route({
  method: 'GET',
  path: '/V1/orders/items/:id',
  acl: 'Platform_Sales::actions_view',
  summary: 'One line of an order',
  params: z.object({ id: idParam }),
  response: itemAnswer,

  handle: async ({ em, params: { id } }) => renderOrderItem(await readOrderItem(em, id)),
});
