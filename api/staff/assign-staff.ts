import { z } from 'zod';
import { assignStaff as assign } from '../../db/staff/assign-staff.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam, integer } from '../wire/schemas.ts';
import { unknownStaff } from './staff-outcomes.ts';
import { unknownLocation } from '../wire/outcomes.ts';

/** Lets a member of staff work at a location (spec 4.3). */
export const assignStaff = route({
  method: 'POST',
  path: '/V1/pos/staff/:staffId/locations',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Assign a member of staff to a location',
  name: 'assignStaff',
  description: 'The person then appears among the staff of the location’s registers. A repeat answers true again.',
  outcomes: [unknownStaff, unknownLocation],
  params: z.object({ staffId: idParam }),
  body: z.object({ locationId: integer }),
  response: z.literal(true),

  async handle({ em, params: { staffId }, body: { locationId }, caller }) {
    await assign(em, { staffId, locationId, by: authorOf(caller) });
    return true as const;
  },
});
