import { z } from 'zod';
import { findStaff } from '../../db/staff/staff.repository.ts';
import { updateStaff as update } from '../../db/staff/update-staff.ts';
import { authorOf } from '../http/register/author-of.ts';
import { renderStaff, staffAnswer } from '../wire/register/render-staff.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { hashPasscode, staffPayload, staffWish } from './staff-payload.ts';

/**
 * Changes what is sent of a member of staff and keeps the rest (spec 2.5, 4.3). A passcode that is sent moves
 * `passcode_updated_at`, so that registers ask online once more.
 *
 * Refused with: 404 unknown id · 400 as for a new one · 503 too many passcodes at once.
 */
export const updateStaff = route({
  method: 'PUT',
  path: '/V1/pos/staff/:staffId',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Change a member of staff',
  params: z.object({ staffId: idParam }),
  body: z.object({ staff: staffPayload }),
  response: staffAnswer,

  async handle({ em, params: { staffId }, body, caller, providers }) {
    const { passcode, ...given } = body.staff;
    // Nobody is worth a hash who is not there.
    if (passcode !== undefined) await findStaff(em, staffId);
    const passcodeHash = passcode === undefined ? undefined : await hashPasscode(providers.passwords, passcode);
    await update(em, { staffId, wish: { ...staffWish(given), passcodeHash }, by: authorOf(caller) });
    return renderStaff(await findStaff(em, staffId));
  },
});
