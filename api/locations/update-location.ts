import { z } from 'zod';
import { findLocation } from '../../db/locations/location.repository.ts';
import { saveLocation } from '../../db/locations/save-location.ts';
import { authorOf } from '../http/register/author-of.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { locationPayload, locationWish } from './location-payload.ts';

/** Changes the sent fields of a location; null in an override restores the shop's value (spec 2.3, 4.2). */
export const updateLocation = route({
  method: 'PUT',
  path: '/V1/pos/locations/:locationId',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Change a location',
  name: 'updateLocation',
  description: `What you leave out stays; null in an override inherits from the shop again. The same change twice
    leaves the same location. Registers of the location see a new \`config_hash\`.`,
  outcomes: [
    { status: 404, message: 'Location with id %1 does not exist', when: 'No location has this id.' },
    {
      status: 400,
      message: 'Could not save the location: %1',
      when: 'A field is wrong; the parameter names it. The name or the code is missing or taken. A website, store view, source or country does not exist. A number is out of its limits. A key of `config_overrides` is no setting.',
      then: 'Correct what the parameter names.',
    },
  ],
  params: z.object({ locationId: idParam }),
  body: z.object({ location: locationPayload }),
  response: locationAnswer,

  async handle({ em, params: { locationId }, body, caller }) {
    await saveLocation(em, { locationId, wish: locationWish(body.location), by: authorOf(caller) });
    return renderLocation(await findLocation(em, locationId), { showsOverrides: true });
  },
});
