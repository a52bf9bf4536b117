import { z } from 'zod';
import { setReturnStatus } from '../../db/returns/set-return-status.ts';
import { findReturn } from '../../db/returns/return.repository.ts';
import { moveByHand, returnStatuses } from '../../domain/returns/return-status.ts';
import { setStatusUpdate } from '../../workflows/returns/messages.ts';
import { route } from '../http/route.ts';
import { idParam, payload, text } from '../wire/schemas.ts';
import { askReturn } from './ask-return.ts';
import { renderReturn, returnAnswer } from './render-return.ts';
import { withNote } from './with-note.ts';
import { unknownReturn, returnNotReady } from './return-outcomes.ts';
import { workflowsAway, stillGoing, cardNumber } from '../wire/outcomes.ts';

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
  outcomes: [
    unknownReturn,
    {
      status: 400,
      message: 'A return in status "%1" cannot be set to "%2". By hand it can be set to: %3.',
      when: 'The move is not allowed, or the status is final.',
      then: 'Choose one of the third parameter.',
    },
    {
      status: 400,
      message: 'A return in status "%1" cannot be set to "%2" by hand; the verb "%4" does that. It can be set to: %3.',
      when: 'A verb of its own sets this status.',
      then: 'Call that verb.',
    },
    returnNotReady,
    workflowsAway,
    stillGoing,
    cardNumber,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ status: z.enum(returnStatuses), comment: text(4_000).optional() }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    if (moveByHand(rma.status, body.status) === rma.status) return renderReturn(rma);
    const changed = await withNote(request, { rmaId: rma.returnId, comment: body.comment }, (noteId) =>
      askReturn(request, {
        rma,
        update: setStatusUpdate,
        request: { status: body.status, noteId },
        isDone: ({ status }) => status === body.status,
        atOnce: () => setReturnStatus(em, { returnId: rma.returnId, status: body.status, noteId }),
      }),
    );
    return renderReturn(changed);
  },
});
