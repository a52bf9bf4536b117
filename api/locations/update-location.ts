import { z } from 'zod';
import { findLocation } from '../../db/locations/location.repository.ts';
import { saveLocation } from '../../db/locations/save-location.ts';
import { authorOf } from '../http/register/author-of.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { locationPayload, locationWish } from './location-payload.ts';

/**
 * Changes what is sent of a location and keeps the rest; null in an override inherits again (spec 2.3, 4.2). The same
 * change twice leaves the same location.
 *
 * Refused with: 404 unknown id · 400 as for a new one.
 */
export const updateLocation = route({
  method: 'PUT',
  path: '/V1/pos/locations/:locationId',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Change a location',
  params: z.object({ locationId: idParam }),
  body: z.object({ location: locationPayload }),
  response: locationAnswer,

  async handle({ em, params: { locationId }, body, caller }) {
    await saveLocation(em, { locationId, wish: locationWish(body.location), by: authorOf(caller) });
    return renderLocation(await findLocation(em, locationId), { showsOverrides: true });
  },
});
