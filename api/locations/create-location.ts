import { z } from 'zod';
import { findLocation } from '../../db/locations/location.repository.ts';
import { saveLocation } from '../../db/locations/save-location.ts';
import { authorOf } from '../http/register/author-of.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { route } from '../http/route.ts';
import { locationPayload, locationWish } from './location-payload.ts';
import { locationNotSaved } from './location-outcomes.ts';

/** Adds a location (spec 4.2). */
export const createLocation = route({
  method: 'POST',
  path: '/V1/pos/locations',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Add a location',
  name: 'createLocation',
  description:
    'A name and a code are needed; all else inherits from the shop. A repeat is refused, because its code is taken.',
  outcomes: [locationNotSaved],
  body: z.object({ location: locationPayload }),
  response: locationAnswer,

  async handle({ em, body, caller }) {
    const locationId = await saveLocation(em, { wish: locationWish(body.location), by: authorOf(caller) });
    return renderLocation(await findLocation(em, locationId), { showsOverrides: true });
  },
});
