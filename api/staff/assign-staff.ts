import { z } from 'zod';
import { assignStaff as assign } from '../../db/staff/assign-staff.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam, integer } from '../wire/schemas.ts';

/** Lets a member of staff work at a location (spec 4.3). */
export const assignStaff = route({
  method: 'POST',
  path: '/V1/pos/staff/:staffId/locations',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Assign a member of staff to a location',
  name: 'assignStaff',
  description: 'The person then appears among the staff of the location’s registers. A repeat answers true again.',
  outcomes: [
    { status: 404, message: 'Staff member with id %1 does not exist', when: 'Nobody has this id.' },
    { status: 404, message: 'Location with id %1 does not exist', when: 'No location has this id.' },
  ],
  params: z.object({ staffId: idParam }),
  body: z.object({ locationId: integer }),
  response: z.literal(true),

  async handle({ em, params: { staffId }, body: { locationId }, caller }) {
    await assign(em, { staffId, locationId, by: authorOf(caller) });
    return true as const;
  },
});
