import { z } from 'zod';
import { findReturn } from '../../db/returns/return.repository.ts';
import { invalid } from '../../domain/errors.ts';
import { conditionLabelOf, inspectionOf } from '../../domain/returns/inspection.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { receiveUpdate, type ReceiveRequest } from '../../workflows/returns/messages.ts';
import { route } from '../support/route.ts';
import { flag, idParam, integer, jsonText, payload, quantity, text } from '../support/schemas.ts';
import { askReturn } from './ask-return.ts';
import { refuseNegative } from './refuse-quantity.ts';
import { renderReturn, returnAnswer } from './render-return.ts';

/** A return's line as it lay on the counter; `rma_item_id` is the line's `entity_id` (spec 4.8 receive). */
const receivedRow = payload({
  rma_item_id: integer,
  condition: text(64).optional(),
  qty_received: quantity.optional(),
  return_to_stock: flag.optional(),
});

/**
 * Takes the goods of an approved return in at a location (spec 4.8): pristine ones go back where they were sold from,
 * damaged ones to the location's damaged stock, the rest is written off.
 *
 * `condition` is an inspection (pristine, damaged, dispose) or a condition (Unopened, Opened: pristine; Damaged); without
 * one the line counts as pristine. Without `return_to_stock` it stays as the create, or a provider that keeps the goods,
 * said. A line that is not named did not come: nothing of it is restocked; the refund follows what was approved all the
 * same. The same receive again is answered as it is; a return that is over unchanged.
 *
 * Refused with: 404 unknown return, unknown location · 400 any status but approved, a wrong line, no place for a line ·
 * 409 `return_not_ready`.
 */
export const receiveReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/receive',
  acl: 'Vendor_Pos::locations',
  summary: 'Take the goods of a return in',
  params: z.object({ rmaId: idParam }),
  body: payload({ itemsJson: jsonText(z.array(receivedRow).min(1).max(500)), locationId: integer }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    if (isTerminal(rma.status)) return renderReturn(rma);
    const changed = await askReturn(request, {
      rma,
      update: receiveUpdate,
      request: { locationId: body.locationId, lines: body.itemsJson.map(receivedLine) },
      isDone: ({ status }) => status === 'items_received',
    });
    return renderReturn(changed);
  },
});

function receivedLine(row: z.output<typeof receivedRow>): ReceiveRequest['lines'][number] {
  refuseNegative('qty_received', row.qty_received);
  const condition = row.condition?.trim() || undefined;
  const inspection = condition === undefined ? null : inspectionOf(condition);
  if (inspection === undefined) {
    throw invalid('Invalid value of "%value" provided for the %fieldName field.', {
      fieldName: 'condition',
      value: condition,
    });
  }
  return {
    rmaItemId: row.rma_item_id,
    inspection,
    condition: condition === undefined ? null : (conditionLabelOf(condition) ?? null),
    qtyReceived: row.qty_received ?? null,
    returnToStock: row.return_to_stock ?? null,
  };
}
