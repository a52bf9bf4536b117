import { z } from 'zod';
import { returnStatuses } from '../../domain/returns/return-status.ts';
import { route } from '../http/route.ts';
import { idParam, payload, text } from '../wire/schemas.ts';
import { moveReturn } from './move-return.ts';
import { renderReturn, returnAnswer } from './render-return.ts';
import { refusedMoves, unknownReturn, returnNotReady } from './return-outcomes.ts';
import { workflowsAway, cardNumber } from '../wire/outcomes.ts';

/** Sets the status of a return by hand (spec 4.8): approve it, refuse it, name how far it is. */
export const setReturnStatusRoute = route({
  method: 'PUT',
  path: '/V1/pos/rma/:rmaId/status',
  acl: 'Vendor_Pos::locations',
  summary: 'Set the status of a return',
  name: 'setReturnStatus',
  description: `Approves, refuses, or names how far a return is. By hand it goes to \`requested\`, \`authorized\`,
    \`partially_authorized\`, \`approved\`, \`rejected\` or \`denied\`; approval approves every line in full. A status
    that is there already is answered unchanged, and the comment is not kept then.`,
  outcomes: [unknownReturn, ...refusedMoves, returnNotReady, workflowsAway, cardNumber],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ status: z.enum(returnStatuses), comment: text(4_000).optional() }),
  response: returnAnswer,

  async handle(request) {
    const { params, body } = request;
    return renderReturn(await moveReturn(request, { rmaId: params.rmaId, ...body }));
  },
});
