import { z } from 'zod';
import { deleteLocation as remove } from '../../db/locations/delete-location.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownLocation } from '../wire/outcomes.ts';

/** Deletes a location (spec 4.2). Its terminals stay, without a location. */
export const deleteLocation = route({
  method: 'DELETE',
  path: '/V1/pos/locations/:locationId',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Delete a location',
  name: 'deleteLocation',
  description: 'Its terminals stay, at no location. A repeat is a 404.',
  outcomes: [
    unknownLocation,
    {
      status: 400,
      message: 'Could not delete the location: %1',
      when: 'Carts are parked there, or something else still needs it.',
      then: 'Recall or delete the carts first.',
    },
  ],
  params: z.object({ locationId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { locationId }, caller }) {
    await remove(em, { locationId, by: authorOf(caller) });
    return true as const;
  },
});
