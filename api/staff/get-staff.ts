import { z } from 'zod';
import { findStaff } from '../../db/staff/staff.repository.ts';
import { renderStaff, staffAnswer } from '../wire/register/render-staff.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownStaff } from './staff-outcomes.ts';

/** One member of staff, active or not (spec 4.3). */
export const getStaff = route({
  method: 'GET',
  path: '/V1/pos/staff/:staffId',
  acl: 'Vendor_Pos::staff_manage',
  summary: 'One member of staff',
  name: 'getStaff',
  description: 'One member of staff, active or not. The passcode is never answered.',
  outcomes: [unknownStaff],
  params: z.object({ staffId: idParam }),
  response: staffAnswer,

  handle: async ({ em, params }) => renderStaff(await findStaff(em, params.staffId)),
});
