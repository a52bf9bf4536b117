import { z } from 'zod';
import { findLocation } from '../../db/locations/location.repository.ts';
import { saveLocation } from '../../db/locations/save-location.ts';
import { authorOf } from '../http/register/author-of.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { locationPayload, locationWish } from './location-payload.ts';
import { locationNotSaved } from './location-outcomes.ts';
import { unknownLocation } from '../wire/outcomes.ts';

/** Changes the sent fields of a location; null in an override restores the shop's value (spec 2.3, 4.2). */
export const updateLocation = route({
  method: 'PUT',
  path: '/V1/pos/locations/:locationId',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Change a location',
  name: 'updateLocation',
  description: `What you leave out stays; null in an override inherits from the shop again. The same change twice
    leaves the same location. Registers of the location see a new \`config_hash\`.`,
  outcomes: [unknownLocation, locationNotSaved],
  params: z.object({ locationId: idParam }),
  body: z.object({ location: locationPayload }),
  response: locationAnswer,

  async handle({ em, params: { locationId }, body, caller }) {
    await saveLocation(em, { locationId, wish: locationWish(body.location), by: authorOf(caller) });
    return renderLocation(await findLocation(em, locationId), { showsOverrides: true });
  },
});
