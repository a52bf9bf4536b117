import { z } from 'zod';
import { createShipment } from '../../../db/platform/shipments/create-shipment.ts';
import { documentArguments, remarkOf } from '../../wire/document-payload.ts';
import { route } from '../../http/route.ts';
import { growing, idParam, text } from '../../wire/schemas.ts';
import { trackWords } from './track-payload.ts';

/** More parcels than one order is sent in. */
const maxTracks = 100;

/** Which source the goods leave; the other arguments of the platform mean nothing to a register. */
const shipmentArguments = growing({
  extensionAttributes: growing({ sourceCode: text(64).optional() }).optional(),
});

/**
 * Hands goods of an order over, all that is left when none are named: they leave their source (platform facts 5.5, 10).
 *
 * What is handed over is not left, so a repeat is refused. Refused with: 404 unknown order or source · 400
 * `Shipment Document Validation Error(s):` · 400 when the source holds less than that.
 *
 * @returns the shipment's id
 */
export const createShipmentRoute = route({
  method: 'POST',
  path: '/V1/order/:orderId/ship',
  acl: 'Platform_Sales::ship',
  summary: 'Hand an order over',
  params: z.object({ orderId: idParam }),
  body: z.object({
    ...documentArguments,
    tracks: z.array(growing(trackWords)).max(maxTracks).default([]),
    packages: z.unknown().optional(),
    arguments: shipmentArguments.optional(),
  }),
  response: z.int(),

  handle({ em, params: { orderId }, body }) {
    const comment = remarkOf(body);
    const sourceCode = body.arguments?.extensionAttributes?.sourceCode;
    const { items, tracks } = body;
    return createShipment(em, { orderId, items, tracks, sourceCode, ...(comment ? { comment } : {}) });
  },
});
