import { z } from 'zod';
import { storeOfOrder } from '../../db/platform/orders/store-of-order.ts';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { invalidValue } from '../../domain/errors.ts';
import { conditionLabelOf, inspectionOf } from '../../domain/returns/inspection.ts';
import { optionNamed, type ReturnOption } from '../../domain/returns/return-options.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import type { ReceiveRequest } from '../../domain/returns/return-requests.ts';
import { receiveUpdate } from '../../workflows/returns/messages.ts';
import { route, type RouteContext } from '../http/route.ts';
import { flag, idParam, integer, jsonText, payload, quantity, text } from '../wire/schemas.ts';
import { answerEnded } from './answer-ended.ts';
import { askReturn } from './ask-return.ts';
import { refuseNegative } from './refuse-quantity.ts';
import { renderReturn, returnAnswer } from './render-return.ts';
import { unknownReturn, unknownLocation, returnNotReady, providerAway } from './return-outcomes.ts';
import { waitedTooLong, workflowsAway, invalidField } from '../wire/outcomes.ts';

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
 * `condition` is an inspection (pristine, damaged, dispose) or a condition (Unopened, Opened: pristine; Damaged);
 * without one the condition the return was made with counts: Damaged where the location has damaged stock, else
 * pristine. A condition that only the return's provider offers is kept as its word, and says nothing of where the
 * goods go. Without `return_to_stock` it stays as the create, or a provider that keeps the goods, said. A line that is
 * not named did not come: nothing of it is restocked; the refund follows what was approved all the same. The same
 * receive again is answered as it is; a return that is over unchanged.
 */
export const receiveReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/receive',
  acl: 'Vendor_Pos::locations',
  summary: 'Take the goods of a return in',
  name: 'receiveReturn',
  description: `Takes the goods of an approved return in at a location. Pristine goods go back to where they were
    sold from, damaged ones to the location’s damaged stock, the rest is written off. A line that is not named did not
    come: nothing of it is restocked, and the refund still follows what was approved. \`itemsJson\` is a JSON text.
    The same receive again is answered as it is.`,
  outcomes: [
    unknownReturn,
    unknownLocation,
    {
      status: 400,
      message: 'The goods of a return in status "%1" cannot be taken in; it has to be approved.',
      when: 'The return is not approved, or its goods are in already.',
    },
    {
      status: 400,
      message: 'The return has no line %1.',
      when: '`rma_item_id` is no `entity_id` of the return’s items.',
    },
    { status: 400, message: 'Line %1 of the return is named twice.', when: 'Two rows are about one line.' },
    invalidField('A condition that is not offered.'),
    returnNotReady,
    providerAway,
    workflowsAway,
    waitedTooLong,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ itemsJson: jsonText(z.array(receivedRow).min(1).max(500)), locationId: integer }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    if (isTerminal(rma.status)) return answerEnded(request, rma);
    const isForeign = body.itemsJson.some((row) => inspectionOf(wordOf(row) ?? 'pristine') === undefined);
    const conditions = isForeign ? await conditionsOf(request, rma) : [];
    const received = {
      locationId: body.locationId,
      lines: body.itemsJson.map((row) => receivedLine(row, conditions)),
    };
    const changed = await askReturn(request, {
      rma,
      update: receiveUpdate,
      request: received,
      isDone: ({ status }) => status === 'items_received',
    });
    return renderReturn(changed);
  },
});

const wordOf = ({ condition }: { condition?: string | undefined }) => condition?.trim() || undefined;

/** What the return's own provider offers in the store of its order, as at create; asked only when a word is not ours. */
async function conditionsOf({ em, providers }: RouteContext, { orderId, providerCode }: ReturnRecord) {
  const provider = providers.returns.byCode(providerCode);
  return (await provider?.options(await storeOfOrder(em, orderId)))?.conditions ?? [];
}

function receivedLine(
  row: z.output<typeof receivedRow>,
  conditions: readonly ReturnOption[],
): ReceiveRequest['lines'][number] {
  refuseNegative('qty_received', row.qty_received);
  const condition = wordOf(row);
  const inspection = condition === undefined ? null : inspectionOf(condition);
  const offered = inspection === undefined ? optionNamed(conditions, condition) : undefined;
  if (inspection === undefined && !offered) {
    throw invalidValue('condition', condition);
  }
  return {
    rmaItemId: row.rma_item_id,
    inspection: inspection ?? null,
    condition: offered?.label ?? (condition === undefined ? null : (conditionLabelOf(condition) ?? null)),
    qtyReceived: row.qty_received ?? null,
    returnToStock: row.return_to_stock ?? null,
  };
}
