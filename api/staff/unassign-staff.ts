import { z } from 'zod';
import { unassignStaff as unassign } from '../../db/staff/assign-staff.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownStaff } from './staff-outcomes.ts';

/** Takes a location from a member of staff (spec 4.3). */
export const unassignStaff = route({
  method: 'DELETE',
  path: '/V1/pos/staff/:staffId/locations/:locationId',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Take a location from a member of staff',
  name: 'unassignStaff',
  description: 'A repeat answers true again, as does a location where they never worked.',
  outcomes: [unknownStaff],
  params: z.object({ staffId: idParam, locationId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { staffId, locationId }, caller }) {
    await unassign(em, { staffId, locationId, by: authorOf(caller) });
    return true as const;
  },
});
