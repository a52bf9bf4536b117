import { z } from 'zod';
import { assignStaff as assign } from '../../db/staff/assign-staff.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam, integer } from '../wire/schemas.ts';

/** Lets a member of staff work at a location (spec 4.3). A repeat answers true again. Refused with: 404 unknown ids. */
export const assignStaff = route({
  method: 'POST',
  path: '/V1/pos/staff/:staffId/locations',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Assign a member of staff to a location',
  params: z.object({ staffId: idParam }),
  body: z.object({ locationId: integer }),
  response: z.literal(true),

  async handle({ em, params: { staffId }, body: { locationId }, caller }) {
    await assign(em, { staffId, locationId, by: authorOf(caller) });
    return true as const;
  },
});
