import { z } from 'zod';
import { findLocation } from '../../db/locations/location.repository.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';

/** One location (spec 4.2), with its `config_overrides` for those who manage locations. Refused with: 404 unknown id. */
export const getLocation = route({
  method: 'GET',
  path: '/V1/pos/locations/:locationId',
  acl: 'Vendor_Pos::locations',
  summary: 'One location',
  params: z.object({ locationId: idParam }),
  response: locationAnswer,

  handle: async ({ em, params, caller }) =>
    renderLocation(await findLocation(em, params.locationId), {
      showsOverrides: caller.can('Vendor_Pos::locations_manage'),
    }),
});
