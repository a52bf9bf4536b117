import { z } from 'zod';
import { findLocationByCode } from '../../db/locations/location.repository.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { route } from '../http/route.ts';
import { text } from '../wire/schemas.ts';

/** One location by its code, spelled exactly (spec 4.2). Refused with: 404 unknown code. */
export const getLocationByCode = route({
  method: 'GET',
  path: '/V1/pos/locations/code/:code',
  acl: 'Vendor_Pos::locations',
  summary: 'One location by its code',
  params: z.object({ code: text(64) }),
  response: locationAnswer,

  handle: async ({ em, params, caller }) =>
    renderLocation(await findLocationByCode(em, params.code), {
      showsOverrides: caller.can('Vendor_Pos::locations_manage'),
    }),
});
