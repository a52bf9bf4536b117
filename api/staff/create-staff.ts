import { z } from 'zod';
import { couldNotSaveStaff, createStaff as create } from '../../db/staff/create-staff.ts';
import { findStaff } from '../../db/staff/staff.repository.ts';
import { authorOf } from '../http/register/author-of.ts';
import { renderStaff, staffAnswer } from '../wire/register/render-staff.ts';
import { route } from '../http/route.ts';
import { hashPasscode, staffPayload, staffWish } from './staff-payload.ts';
import { tooManyPasscodes, staffNotSaved } from './staff-outcomes.ts';

/** Adds a member of staff (spec 2.5, 4.3). */
export const createStaff = route({
  method: 'POST',
  path: '/V1/pos/staff',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Add a member of staff',
  name: 'createStaff',
  description: `Names, e-mail, passcode and role are needed. The passcode has at most 72 bytes and is kept as a
    hash. A repeat is refused, because the e-mail is taken.`,
  outcomes: [staffNotSaved, tooManyPasscodes],
  body: z.object({ staff: staffPayload }),
  response: staffAnswer,

  async handle({ em, body, caller, providers }) {
    const { passcode, ...given } = body.staff;
    const { firstName, lastName, email, roleId, ...wish } = staffWish(given);
    if (firstName === undefined || lastName === undefined)
      throw couldNotSaveStaff('a first and a last name are needed');
    if (email === undefined) throw couldNotSaveStaff('an e-mail is needed');
    if (roleId === undefined) throw couldNotSaveStaff('a role is needed');
    if (passcode === undefined) throw couldNotSaveStaff('a passcode is needed');
    const passcodeHash = await hashPasscode(providers.passwords, passcode);
    const { staffId } = await create(
      em,
      {
        firstName,
        lastName,
        email,
        roleId,
        passcodeHash,
        allLocations: wish.allLocations ?? false,
        isActive: wish.isActive ?? true,
      },
      authorOf(caller),
    );
    return renderStaff(await findStaff(em, staffId));
  },
});
