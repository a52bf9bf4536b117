import { z } from 'zod';
import { unassignStaff as unassign } from '../../db/staff/assign-staff.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';

/**
 * Takes a location from a member of staff (spec 4.3). A repeat answers true again, as for a place where they never
 * worked. Refused with: 404 unknown member.
 */
export const unassignStaff = route({
  method: 'DELETE',
  path: '/V1/pos/staff/:staffId/locations/:locationId',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Take a location from a member of staff',
  params: z.object({ staffId: idParam, locationId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { staffId, locationId }, caller }) {
    await unassign(em, { staffId, locationId, by: authorOf(caller) });
    return true as const;
  },
});
