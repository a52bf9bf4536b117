import { z } from 'zod';
import { findLocation } from '../../db/locations/location.repository.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownLocation } from '../wire/outcomes.ts';

/** One location (spec 4.2), with its `config_overrides` for callers who manage locations. */
export const getLocation = route({
  method: 'GET',
  path: '/V1/pos/locations/:locationId',
  acl: 'Vendor_Pos::locations',
  summary: 'One location',
  name: 'getLocation',
  description: `Null in a field means that the setting of the shop holds. \`config_overrides\` is there for callers
    that may manage locations.`,
  outcomes: [unknownLocation],
  params: z.object({ locationId: idParam }),
  response: locationAnswer,

  handle: async ({ em, params, caller }) =>
    renderLocation(await findLocation(em, params.locationId), {
      showsOverrides: caller.can('Vendor_Pos::locations_manage'),
    }),
});
