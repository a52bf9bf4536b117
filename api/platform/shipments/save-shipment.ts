import { z } from 'zod';
import { createShipment } from '../../../db/platform/shipments/create-shipment.ts';
import { withOwnNumber } from '../../../db/platform/orders/draw-document-numbers.ts';
import { readShipment } from '../../../db/platform/shipments/read-shipments.ts';
import { keepShipmentLabel } from '../../../db/platform/shipments/shipment-label.ts';
import { joined, transact } from '../../../db/support/transact.ts';
import { fieldRequired } from '../../../domain/errors.ts';
import { remarkOf, savedItems } from '../../wire/document-payload.ts';
import { route } from '../../http/route.ts';
import { flag, growing, idParam, integer, savedNumber, text } from '../../wire/schemas.ts';
import { rowsOf } from '../../wire/one-or-more.ts';
import { numberIsTaken, requiredField } from '../../wire/outcomes.ts';
import { renderShipment } from './render-shipment.ts';
import { shipmentAnswer } from './shipment-answer.ts';
import { shipmentExample, unknownShipment } from './shipment-words.ts';
import { trackWords } from './track-payload.ts';

/** More parcels and comments than a shipment has in practice. */
const maxRows = 100;
const maxComment = 65_535;

/** Enough for a page of a label printer, in base64. */
const maxLabel = 1_000_000;

const entity = growing({
  entityId: integer.optional(),
  orderId: idParam.optional(),
  incrementId: savedNumber,
  items: savedItems,
  tracks: rowsOf(growing(trackWords), maxRows).default([]),
  comments: rowsOf(
    growing({ comment: text(maxComment).default(''), isVisibleOnFront: flag.default(false) }),
    maxRows,
  ).default([]),
  shippingLabel: text(maxLabel).optional(),
  extensionAttributes: growing({ sourceCode: text(64).optional() }).optional(),
});

/**
 * Saves a shipment (platform facts 5.5). A new one hands goods over as `POST /V1/order/:orderId/ship` does. Our choice:
 * the platform writes only the document, and then books and stock contradict it. With the id of a shipment only its
 * label is saved.
 *
 * Refused with: 404 unknown order, shipment or source · 400 as a shipment is refused.
 */
export const saveShipmentRoute = route({
  name: 'saveShipment',
  method: 'POST',
  path: '/V1/shipment',
  acl: 'Platform_Sales::shipment',
  summary: 'Save a shipment, with its label',
  description:
    'A new shipment hands the goods over: they leave their source, and the order moves on, as with ' +
    '`POST /V1/order/:orderId/ship`. No lines means all that is left. With `entity_id` the shipment stays as it is and only ' +
    '`shipping_label` is kept with it: what was handed over is never taken back. What is handed over is not left, so a ' +
    'repeat without `entity_id` is refused or hands over more.',
  outcomes: [
    unknownShipment,
    {
      status: 400,
      message: 'Shipment Document Validation Error(s):\n…',
      when: 'The order cannot be shipped in its state, or a line has fewer goods left. The message has a line for each error.',
    },
    {
      status: 400,
      message: 'Not all of your products are available in the requested quantity.',
      when: 'The source holds less than that.',
    },
    requiredField('A new shipment names no order.'),
    numberIsTaken,
  ],
  examples: [
    {
      title: 'One mug, by bike',
      body: {
        entity: {
          order_id: 42,
          items: [{ order_item_id: 3, qty: 1 }],
          tracks: [{ track_number: 'Z9', title: 'Bike courier', carrier_code: 'custom' }],
        },
      },
      response: shipmentExample,
    },
  ],
  body: z.object({ entity }),
  response: shipmentAnswer,

  handle: ({ em, body }) =>
    withOwnNumber(body.entity.incrementId, () =>
      transact(em, async (tx) => {
        const { orderId, incrementId, items, tracks, comments, shippingLabel, extensionAttributes } = body.entity;
        // As on the platform zero is no id: a new shipment.
        const entityId = body.entity.entityId || undefined;
        const comment = remarkOf({ comment: comments[0], notify: false, appendComment: false });
        if (entityId === undefined && orderId === undefined) throw fieldRequired('orderId');
        const sourceCode = extensionAttributes?.sourceCode;
        const shipmentId =
          entityId ??
          (await createShipment(joined(tx), {
            orderId: orderId ?? 0,
            items,
            tracks,
            sourceCode,
            incrementId,
            ...(comment ? { comment } : {}),
          }));
        if (shippingLabel !== undefined) await keepShipmentLabel(tx, { shipmentId, shippingLabel });
        return renderShipment(await readShipment(tx, shipmentId));
      }),
    ),
});
