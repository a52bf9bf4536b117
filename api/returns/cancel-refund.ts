import { z } from 'zod';
import { cancelRefund } from '../../db/returns/cancel-refund.ts';
import { findReturn } from '../../db/returns/return.repository.ts';
import { refuseUnlessParked } from '../../domain/returns/settle-rules.ts';
import { cancelRefundUpdate } from '../../workflows/returns/messages.ts';
import { route } from '../http/route.ts';
import { idParam, payload, text } from '../wire/schemas.ts';
import { askReturn } from './ask-return.ts';
import { renderReturn, returnAnswer } from './render-return.ts';
import { withNote } from './with-note.ts';

/**
 * Takes back the wish to refund a parked return: the goods stay, the money is left for later (spec 3.2, 4.8).
 *
 * A return that is `received` is answered unchanged; the comment is not kept then.
 *
 * Refused with: 404 unknown return · 400 any other status · 409 `gateway_uncertain` while an attempt is open ·
 * 409 `return_not_ready`.
 */
export const cancelRefundRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/cancel-refund',
  acl: 'Vendor_Pos::locations',
  summary: 'Keep the goods of a return, leave its money for later',
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ comment: text(4_000).optional() }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    refuseUnlessParked(rma.status);
    if (rma.status === 'received') return renderReturn(rma);
    const changed = await withNote(request, { rmaId: rma.returnId, comment: body.comment }, (noteId) =>
      askReturn(request, {
        rma,
        update: cancelRefundUpdate,
        request: { noteId },
        isDone: ({ status }) => status === 'received',
        atOnce: () => cancelRefund(em, { returnId: rma.returnId, noteId }),
      }),
    );
    return renderReturn(changed);
  },
});
