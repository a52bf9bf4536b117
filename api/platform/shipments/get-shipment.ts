import { z } from 'zod';
import { readShipment } from '../../../db/platform/shipments/read-shipments.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { renderShipment } from './render-shipment.ts';
import { shipmentAnswer } from './shipment-answer.ts';

/** One shipment with its lines and tracks (platform facts 5.5). Refused with 404: an unknown shipment. */
export const getShipment = route({
  method: 'GET',
  path: '/V1/shipment/:id',
  acl: 'Platform_Sales::shipment',
  summary: 'One shipment',
  params: z.object({ id: idParam }),
  response: shipmentAnswer,

  handle: async ({ em, params: { id } }) => renderShipment(await readShipment(em, id)),
});
