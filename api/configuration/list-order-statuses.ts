import { z } from 'zod';
import { readOrderStatuses } from '../../db/platform/orders/read-order-statuses.ts';
import { route } from '../http/route.ts';

/** The rows are our choice (spec 4.1 shows none): the code a location keeps, its label, and the states it belongs to. */
const orderStatusAnswer = z
  .object({
    status: z.string(),
    label: z.string(),
    states: z.array(z.string()),
    is_default: z.boolean(),
  })
  .meta({ id: 'OrderStatus' });

/** Every order status as a plain list, a merchant's own included, for `pickup_completed_status_code` (spec 4.1). */
export const listOrderStatuses = route({
  method: 'GET',
  path: '/V1/pos/order-statuses',
  acl: 'Vendor_Pos::locations',
  summary: 'Every order status',
  name: 'listOrderStatuses',
  description: `Every status that an order may have, the merchant’s own among them. Locations name one of them in
    \`pickup_completed_status_code\`.`,
  outcomes: [],
  response: z.array(orderStatusAnswer),

  handle: async ({ em }) =>
    (await readOrderStatuses(em)).map((row) => ({
      status: row.status,
      label: row.label,
      states: row.states,
      is_default: row.is_default,
    })),
});
