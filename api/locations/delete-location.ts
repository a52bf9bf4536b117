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
  description: `Its terminals stay, at no location, and its staff assignments end; the audit trail has a line for each.
    A repeat is a 404.`,
  outcomes: [
    unknownLocation,
    {
      status: 400,
      message: 'Could not delete the location: %1',
      when: 'Carts are parked there, or returns are open there. The sentence counts them, and its terminals and staff.',
      then: 'Recall or delete the carts, settle or close the returns, then ask again.',
    },
  ],
  params: z.object({ locationId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { locationId }, caller }) {
    await remove(em, { locationId, by: authorOf(caller) });
    return true as const;
  },
});
