import { z } from 'zod';
import { unlockStaff as unlock } from '../../db/staff/unlock-staff.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';

/** A manager ends a cashier's cooldown (spec 3.5, 4.3). */
export const unlockStaff = route({
  method: 'POST',
  path: '/V1/pos/staff/:staffId/unlock',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: "End a cashier's cooldown",
  name: 'unlockStaff',
  description: `Ends the wait after too many wrong passcodes, so that the cashier can sign in at once. False for an
    unknown id. A repeat answers the same.`,
  outcomes: [],
  params: z.object({ staffId: idParam }),
  response: z.boolean(),

  handle: ({ em, params, caller }) =>
    unlock(em, {
      staffId: params.staffId,
      by: authorOf(caller),
    }),
});
