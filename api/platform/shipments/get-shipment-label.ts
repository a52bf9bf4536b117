import { z } from 'zod';
import { readShipmentLabel } from '../../../db/platform/shipments/shipment-label.ts';
import { route } from '../../http/route.ts';
import { idParam, voidAnswer } from '../../wire/schemas.ts';
import { unknownShipment } from './shipment-words.ts';

/** A shipment's label from its carrier, as it was saved (platform facts 5.5). Refused with: 404 unknown shipment. */
export const getShipmentLabel = route({
  name: 'getShipmentLabel',
  method: 'GET',
  path: '/V1/shipment/:id/label',
  acl: 'Platform_Sales::shipment',
  summary: 'The carrier’s label of a shipment',
  description: 'As `POST /V1/shipment` saved it: base64 of a PDF or a picture. `[]` without a label. Safe to repeat.',
  outcomes: [{ ...unknownShipment, when: 'No shipment has this id.' }],
  examples: [{ title: 'A label', params: { id: 9 }, response: 'JVBERi0xLjQ=' }],
  params: z.object({ id: idParam }),
  response: z.union([z.string(), voidAnswer]),

  async handle({ em, params: { id } }) {
    const nothing: [] = [];
    return (await readShipmentLabel(em, id)) ?? nothing;
  },
});
