import { z } from 'zod';
import { returnsOfOrder } from '../../db/returns/return.repository.ts';
import { route } from '../support/route.ts';
import { idParam } from '../support/schemas.ts';
import { renderReturn, returnAnswer } from './render-return.ts';

/** The returns of one order, oldest first; none for an order nobody knows (spec 4.8). */
export const listOrderReturns = route({
  method: 'GET',
  path: '/V1/pos/rma/order/:orderId',
  acl: 'Vendor_Pos::locations',
  summary: 'The returns of one order',
  params: z.object({ orderId: idParam }),
  response: z.array(returnAnswer),

  async handle({ params: { orderId }, em }) {
    return (await returnsOfOrder(em, orderId)).map((rma) => renderReturn(rma));
  },
});
