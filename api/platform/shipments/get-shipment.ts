import { z } from 'zod';
import { readShipment } from '../../../db/platform/shipments/read-shipments.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { renderShipment } from './render-shipment.ts';
import { shipmentAnswer } from './shipment-answer.ts';

/** One shipment with its lines and tracks (platform facts 5.5). */
export const getShipment = route({
  method: 'GET',
  path: '/V1/shipment/:id',
  acl: 'Platform_Sales::shipment',
  summary: 'One shipment',
  name: 'getShipment',
  description: 'With its lines, tracks and the source that the goods left.',
  outcomes: [
    {
      status: 404,
      message: "The entity that was requested doesn't exist. Verify the entity and try again.",
      when: 'There is no shipment of this id.',
    },
  ],
  params: z.object({ id: idParam }),
  response: shipmentAnswer,

  handle: async ({ em, params: { id } }) => renderShipment(await readShipment(em, id)),
});
