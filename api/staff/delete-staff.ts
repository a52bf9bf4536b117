import { z } from 'zod';
import { deleteStaff as remove } from '../../db/staff/delete-staff.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownStaff } from './staff-outcomes.ts';

/** Deletes a member of staff (spec 4.3). */
export const deleteStaff = route({
  method: 'DELETE',
  path: '/V1/pos/staff/:staffId',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Delete a member of staff',
  name: 'deleteStaff',
  description: 'Their sessions end. What they sold keeps their name. A repeat is a 404.',
  outcomes: [unknownStaff],
  params: z.object({ staffId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { staffId }, caller }) {
    await remove(em, { staffId, by: authorOf(caller) });
    return true as const;
  },
});
