import { z } from 'zod';
import { readOrder } from '../../../db/platform/orders/read-orders.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { orderAnswer } from './order-answer.ts';
import { renderOrder } from './render-order.ts';
import { unknownOrder, idIsZero } from '../../wire/outcomes.ts';

/** One order with lines, payment, addresses and history (platform facts 5.2). */
export const getOrder = route({
  method: 'GET',
  path: '/V1/orders/:id',
  acl: 'Platform_Sales::actions_view',
  summary: 'One order',
  name: 'getOrder',
  description: `With lines, payment, addresses and history. Totals of lines are net of discount, as the platform
    answers them.`,
  outcomes: [unknownOrder, idIsZero],
  params: z.object({ id: idParam }),
  response: orderAnswer,

  handle: async ({ em, params: { id } }) => renderOrder(await readOrder(em, id)),
});
