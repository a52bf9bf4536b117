import { z } from 'zod';
import { findLocationsOfStaff } from '../../db/staff/staff.repository.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownStaff } from './staff-outcomes.ts';

/**
 * Where a member of staff is assigned, as a plain list of locations (spec 4.3); empty for one who works everywhere and
 * needs no assignment.
 */
export const listStaffLocations = route({
  method: 'GET',
  path: '/V1/pos/staff/:staffId/locations',
  acl: 'Vendor_Pos::staff_manage',
  summary: 'Where a member of staff works',
  name: 'listStaffLocations',
  description: `A plain list. It is empty for a person with \`all_locations\`, who needs no assignment.`,
  outcomes: [unknownStaff],
  params: z.object({ staffId: idParam }),
  response: z.array(locationAnswer),

  handle: async ({ em, params }) => (await findLocationsOfStaff(em, params.staffId)).map((row) => renderLocation(row)),
});
