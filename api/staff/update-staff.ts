import { z } from 'zod';
import { findStaff } from '../../db/staff/staff.repository.ts';
import { updateStaff as update } from '../../db/staff/update-staff.ts';
import { authorOf } from '../http/register/author-of.ts';
import { renderStaff, staffAnswer } from '../wire/register/render-staff.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { hashPasscode, staffPayload, staffWish } from './staff-payload.ts';
import { unknownStaff, tooManyPasscodes, staffNotSaved } from './staff-outcomes.ts';

/** Changes the sent fields of a member of staff (spec 2.5, 4.3). */
export const updateStaff = route({
  method: 'PUT',
  path: '/V1/pos/staff/:staffId',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Change a member of staff',
  name: 'updateStaff',
  description: `What you leave out stays. A passcode that is sent moves \`passcode_updated_at\`: registers that know
    the old one ask online once more.`,
  outcomes: [unknownStaff, staffNotSaved, tooManyPasscodes],
  params: z.object({ staffId: idParam }),
  body: z.object({ staff: staffPayload }),
  response: staffAnswer,

  async handle({ em, params: { staffId }, body, caller, providers }) {
    const { passcode, ...given } = body.staff;
    // An unknown member is refused before the expensive hash.
    if (passcode !== undefined) await findStaff(em, staffId);
    const passcodeHash = passcode === undefined ? undefined : await hashPasscode(providers.passwords, passcode);
    await update(em, { staffId, wish: { ...staffWish(given), passcodeHash }, by: authorOf(caller) });
    return renderStaff(await findStaff(em, staffId));
  },
});
