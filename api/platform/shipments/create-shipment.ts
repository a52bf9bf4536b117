import { z } from 'zod';
import { createShipment } from '../../../db/platform/shipments/create-shipment.ts';
import { documentArguments, remarkOf } from '../../wire/document-payload.ts';
import { rowsOf } from '../../wire/one-or-more.ts';
import { madeWithMail } from '../../http/made-with-mail.ts';
import type { MailDocument } from '../../http/mail-document-route.ts';
import { route } from '../../http/route.ts';
import { growing, idParam, text } from '../../wire/schemas.ts';
import { cardNumber, couldNotSave, unknownOrder } from '../../wire/outcomes.ts';
import { trackWords } from './track-payload.ts';

/** More parcels than an order needs in practice. */
const maxTracks = 100;

/** Names the source of the goods. A register does not need the platform's other arguments. */
const shipmentArguments = growing({
  extensionAttributes: growing({ sourceCode: text(64).optional() }).optional(),
});

const fault = couldNotSave('a shipment');

/**
 * Makes the route that hands over named goods of an order, or everything that is left: they leave their source
 * (platform facts 5.5, 10).
 */
export const createShipmentRoute = (mailDocument: MailDocument) =>
  route({
    method: 'POST',
    path: '/V1/order/:orderId/ship',
    acl: 'Platform_Sales::ship',
    summary: 'Hand an order over',
    name: 'shipOrder',
    description: `Hands over the lines that are named, or all that is left: they leave their source.
    \`extension_attributes.source_code\` of \`arguments\` names the source. Answers the shipment’s id. What is handed
    over is not left, so a repeat is refused.`,
    outcomes: [
      unknownOrder,
      {
        status: 400,
        message: 'Shipment Document Validation Error(s):\n…',
        when: 'More than is left to ship, nothing is left, or a track has no number. Each fault is a line of the sentence.',
        then: 'Read the order again.',
      },
      { status: 404, message: 'Source with code "%value" does not exist.', when: 'No source has this code.' },
      {
        status: 400,
        message: 'Not all of your products are available in the requested quantity.',
        when: 'The source holds less.',
      },
      cardNumber,
      fault,
    ],
    fault,
    params: z.object({ orderId: idParam }),
    body: z.object({
      ...documentArguments,
      tracks: rowsOf(growing(trackWords), maxTracks).default([]),
      packages: z.unknown().optional(),
      arguments: shipmentArguments.optional(),
    }),
    response: z.int(),

    handle(context) {
      const {
        params: { orderId },
        body,
      } = context;
      const comment = remarkOf(body);
      const sourceCode = body.arguments?.extensionAttributes?.sourceCode;
      const { items, tracks, notify } = body;
      return madeWithMail({ document: 'shipment', notify, mailDocument }, context, (em) =>
        createShipment(em, { orderId, items, tracks, sourceCode, ...(comment ? { comment } : {}) }),
      );
    },
  });
