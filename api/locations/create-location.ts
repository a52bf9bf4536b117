import { z } from 'zod';
import { findLocation } from '../../db/locations/location.repository.ts';
import { saveLocation } from '../../db/locations/save-location.ts';
import { authorOf } from '../http/register/author-of.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { route } from '../http/route.ts';
import { locationPayload, locationWish } from './location-payload.ts';

/**
 * Adds a location (spec 4.2). A repeat is refused, because its code is taken.
 *
 * Refused with: 400 `Could not save the location: %1`: no name, no code or one that another location has, a website,
 * store view, source or country that does not exist, a figure out of its bounds, a
 * key of `config_overrides` that is no setting.
 */
export const createLocation = route({
  method: 'POST',
  path: '/V1/pos/locations',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Add a location',
  body: z.object({ location: locationPayload }),
  response: locationAnswer,

  async handle({ em, body, caller }) {
    const locationId = await saveLocation(em, { wish: locationWish(body.location), by: authorOf(caller) });
    return renderLocation(await findLocation(em, locationId), { showsOverrides: true });
  },
});
