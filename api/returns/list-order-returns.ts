import { z } from 'zod';
import { storeOfOrder } from '../../db/platform/orders/store-of-order.ts';
import { returnsOfOrder } from '../../db/returns/return.repository.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { renderReturn, returnAnswer } from './render-return.ts';
import { unknownOrder } from '../wire/outcomes.ts';

/** The returns of one order, oldest first (spec 4.8). */
export const listOrderReturns = route({
  method: 'GET',
  path: '/V1/pos/rma/order/:orderId',
  acl: 'Vendor_Pos::locations',
  summary: 'The returns of one order',
  name: 'listReturnsOfOrder',
  description: 'A plain list, oldest first. It is empty for an order that nothing came back of.',
  outcomes: [unknownOrder],
  params: z.object({ orderId: idParam }),
  response: z.array(returnAnswer),

  async handle({ params: { orderId }, em }) {
    const returns = await returnsOfOrder(em, orderId);
    // An empty list may mean an unknown order.
    if (returns.length === 0) await storeOfOrder(em, orderId);
    return returns.map((rma) => renderReturn(rma));
  },
});
