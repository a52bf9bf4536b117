import { z } from 'zod';
import { findReturn } from '../../db/returns/return.repository.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { renderReturn, returnAnswer } from './render-return.ts';
import { unknownReturn } from './return-outcomes.ts';

/** One return (spec 2.11, 4.8). */
export const getReturn = route({
  method: 'GET',
  path: '/V1/pos/rma/:rmaId',
  acl: 'Vendor_Pos::locations',
  summary: 'One return',
  name: 'getReturn',
  description: `Read it after a 409, a 504 or a lost answer. \`status\` says how far it is, \`refund_attempt_state\`
    whether a card refund is still in doubt.`,
  outcomes: [unknownReturn],
  params: z.object({ rmaId: idParam }),
  response: returnAnswer,

  async handle({ params: { rmaId }, em }) {
    return renderReturn(await findReturn(em, rmaId));
  },
});
