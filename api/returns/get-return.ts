import { z } from 'zod';
import { findReturn } from '../../db/returns/return.repository.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { renderReturn, returnAnswer } from './render-return.ts';

/** One return (spec 2.11, 4.8). Refused with: 404 unknown return. */
export const getReturn = route({
  method: 'GET',
  path: '/V1/pos/rma/:rmaId',
  acl: 'Vendor_Pos::locations',
  summary: 'One return',
  params: z.object({ rmaId: idParam }),
  response: returnAnswer,

  async handle({ params: { rmaId }, em }) {
    return renderReturn(await findReturn(em, rmaId));
  },
});
