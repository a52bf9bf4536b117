import { z } from 'zod';
import { deleteTrack, saveTrack } from '../../../db/platform/shipments/save-track.ts';
import { route } from '../../http/route.ts';
import { growing, idParam, integer } from '../../wire/schemas.ts';
import { renderTrack } from './render-shipment.ts';
import { trackAnswer } from './shipment-answer.ts';
import { trackExample, unknownShipment } from './shipment-words.ts';
import { trackWords } from './track-payload.ts';

const entity = growing({ ...trackWords, entityId: integer.optional(), parentId: idParam, orderId: idParam });

/** Saves a parcel of a shipment (platform facts 5.5). See `saveTrack`. */
export const saveTrackRoute = route({
  name: 'saveShipmentTrack',
  method: 'POST',
  path: '/V1/shipment/track',
  acl: 'Platform_Sales::shipment',
  summary: 'Add a parcel to a shipment',
  description:
    'What the carrier calls a parcel; `parent_id` is the shipment, `order_id` its order. With `entity_id` a parcel that ' +
    'is there is changed, so a repeat leaves it as it is; without, each call adds another. The customer gets no mail.',
  outcomes: [
    {
      status: 400,
      message: 'Could not save the shipment tracking.',
      when: 'The shipment belongs to another order, or the parcel has no number.',
    },
    { ...unknownShipment, when: 'The parcel in `entity_id` is unknown.' },
  ],
  examples: [
    {
      title: 'A parcel by bike',
      body: {
        entity: { order_id: 42, parent_id: 9, track_number: 'Z9', title: 'Bike courier', carrier_code: 'custom' },
      },
      response: trackExample,
    },
  ],
  body: z.object({ entity }),
  response: trackAnswer,

  // As on the platform zero is no id: a new parcel.
  handle: async ({ em, body: { entity } }) =>
    renderTrack(await saveTrack(em, { ...entity, entityId: entity.entityId || undefined })),
});

/** Removes a parcel from its shipment (platform facts 5.5). Refused with: 404 unknown parcel. */
export const deleteTrackRoute = route({
  name: 'deleteShipmentTrack',
  method: 'DELETE',
  path: '/V1/shipment/track/:id',
  acl: 'Platform_Sales::shipment',
  summary: 'Take a parcel off a shipment',
  description: 'The goods stay handed over: only what the carrier calls the parcel goes. A repeat is refused with 404.',
  outcomes: [{ ...unknownShipment, when: 'The parcel is unknown, or it was removed already.' }],
  examples: [{ title: 'A number that was mistyped', params: { id: 4 }, response: true }],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id } }) {
    await deleteTrack(em, id);
    return true as const;
  },
});
