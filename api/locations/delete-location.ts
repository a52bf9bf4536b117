import { z } from 'zod';
import { deleteLocation as remove } from '../../db/locations/delete-location.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';

/**
 * Deletes a location (spec 4.2); its terminals stay, at no location. A repeat is a 404.
 *
 * Refused with: 404 unknown id · 400 `Could not delete the location: %1`, while carts are parked there (our choice).
 */
export const deleteLocation = route({
  method: 'DELETE',
  path: '/V1/pos/locations/:locationId',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Delete a location',
  params: z.object({ locationId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { locationId }, caller }) {
    await remove(em, { locationId, by: authorOf(caller) });
    return true as const;
  },
});
