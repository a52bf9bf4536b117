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

/**
 * Sets the status of a return by hand (spec 4.8): approve it, refuse it, name how far it is. The permitted moves are
 * `movesByHand`, our choice; approval approves every line in full.
 *
 * A status that is there already is answered unchanged; the comment is not kept then.
 *
 * Refused with: 404 unknown return · 400 a move that is not in the table, any move from a final status · 409 `return_not_ready`.
 */
export const setReturnStatusRoute = route({
  method: 'PUT',
  path: '/V1/pos/rma/:rmaId/status',
  acl: 'Vendor_Pos::locations',
  summary: 'Set the status of a return',
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
