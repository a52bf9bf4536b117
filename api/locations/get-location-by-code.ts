import { z } from 'zod';
import { findLocationByCode } from '../../db/locations/location.repository.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { route } from '../http/route.ts';
import { text } from '../wire/schemas.ts';

/** One location by its code, spelled exactly (spec 4.2). */
export const getLocationByCode = route({
  method: 'GET',
  path: '/V1/pos/locations/code/:code',
  acl: 'Vendor_Pos::locations',
  summary: 'One location by its code',
  name: 'getLocationByCode',
  description: 'The code is compared exactly, capitals included. Otherwise it answers as the read by id.',
  outcomes: [{ status: 404, message: 'Location with code %1 does not exist', when: 'No location has this code.' }],
  params: z.object({ code: text(64) }),
  response: locationAnswer,

  handle: async ({ em, params, caller }) =>
    renderLocation(await findLocationByCode(em, params.code), {
      showsOverrides: caller.can('Vendor_Pos::locations_manage'),
    }),
});
