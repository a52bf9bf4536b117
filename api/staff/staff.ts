import { z } from 'zod';
import { assignStaff as assign, unassignStaff as unassign } from '../../db/staff/assign-staff.ts';
import { findLocationsOfStaff, findStaff, searchStaff } from '../../db/staff/read-staff.ts';
import {
  couldNotSaveStaff,
  createStaff as create,
  deleteStaff as remove,
  updateStaff as update,
} from '../../db/staff/staff.ts';
import { unlockStaff as unlock } from '../../db/staff/login-attempts.ts';
import { attributeNameNotValid, tooManySignIns } from '../../domain/refusals/platform.ts';
import { staffMemberNotFound, staffMemberNotSaved } from '../../domain/refusals/register.ts';
import { passcodeFault } from '../../domain/staff.ts';
import type { PasswordHasher } from '../../providers/password-hasher.ts';
import { listRoute } from '../http/route-kinds.ts';
import { authorOf } from '../http/route-context.ts';
import { done, route, type AnyRoute, type Outcome } from '../http/route.ts';
import { unknownLocation } from '../wire/outcomes.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { renderStaff, staffAnswer, staffFields } from '../wire/register/render-staff.ts';
import { idParam, recordId } from '../wire/schemas.ts';

export const tooManyPasscodes: Outcome = tooManySignIns.because(
  'More passcodes wait to be checked than the server takes at once.',
  'Wait for `Retry-After` seconds, then send it again. It counts as no guess.',
);

/**
 * The hash of a passcode, made outside the main thread and before any transaction.
 *
 * Refused with: 400 empty, or longer than the 72 bytes that count · 503 too many callers waiting.
 */
async function hashPasscode(passwords: PasswordHasher, input: string): Promise<string> {
  const fault = passcodeFault(input);
  if (fault) throw couldNotSaveStaff(fault);
  return passwords.hash(input);
}

/** The shop's staff, active or not (spec 4.3). Without criteria all of them. */
const listStaff = listRoute({
  path: '/V1/pos/staff',
  acl: 'Vendor_Pos::staff_manage',
  summary: 'List staff',
  name: 'listStaff',
  description: 'Without criteria everybody, active or not. Passcodes are never answered and cannot be searched.',
  outcomes: [attributeNameNotValid],
  answer: staffAnswer,
  isWholeByDefault: true,
  find: searchStaff,
  render: renderStaff,
});

/** One member of staff, active or not (spec 4.3). */
const getStaff = route({
  method: 'GET',
  path: '/V1/pos/staff/:staffId',
  acl: 'Vendor_Pos::staff_manage',
  summary: 'One member of staff',
  name: 'getStaff',
  description: 'One member of staff, active or not. The passcode is never answered.',
  outcomes: [staffMemberNotFound],
  params: z.object({ staffId: idParam }),
  response: staffAnswer,

  handle: async ({ em, params }) => renderStaff(await findStaff(em, params.staffId)),
});

/** Adds a member of staff (spec 2.5, 4.3). */
const createStaff = route({
  method: 'POST',
  path: '/V1/pos/staff',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Add a member of staff',
  name: 'createStaff',
  description: `Names, e-mail, passcode and role are needed. The passcode has at most 72 bytes and is kept as a
    hash. A repeat is refused, because the e-mail is taken.`,
  outcomes: [staffMemberNotSaved, tooManyPasscodes],
  body: z.object({ staff: staffFields.sent }),
  response: staffAnswer,

  async handle({ em, body, caller, providers }) {
    const { firstName, lastName, email, roleId, passcode, ...request } = staffFields.draft(body.staff);
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
        allLocations: request.allLocations ?? false,
        isActive: request.isActive ?? true,
      },
      authorOf(caller),
    );
    return renderStaff(await findStaff(em, staffId));
  },
});

/** Changes the sent fields of a member of staff (spec 2.5, 4.3). */
const updateStaff = route({
  method: 'PUT',
  path: '/V1/pos/staff/:staffId',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Change a member of staff',
  name: 'updateStaff',
  description: `What you leave out stays. A passcode that is sent moves \`passcode_updated_at\`: registers that know
    the old one ask online once more.`,
  outcomes: [staffMemberNotFound, staffMemberNotSaved, tooManyPasscodes],
  params: z.object({ staffId: idParam }),
  body: z.object({ staff: staffFields.sent }),
  response: staffAnswer,

  async handle({ em, params: { staffId }, body, caller, providers }) {
    const { passcode, ...wish } = staffFields.draft(body.staff);
    // An unknown member is refused before the expensive hash.
    if (passcode !== undefined) await findStaff(em, staffId);
    const passcodeHash = passcode === undefined ? undefined : await hashPasscode(providers.passwords, passcode);
    await update(em, { staffId, wish: { ...wish, passcodeHash }, by: authorOf(caller) });
    return renderStaff(await findStaff(em, staffId));
  },
});

/** Deletes a member of staff (spec 4.3). */
const deleteStaff = route({
  method: 'DELETE',
  path: '/V1/pos/staff/:staffId',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Delete a member of staff',
  name: 'deleteStaff',
  description: 'Their sessions end. What they sold keeps their name. A repeat is a 404.',
  outcomes: [staffMemberNotFound],
  params: z.object({ staffId: idParam }),
  response: z.literal(true),

  handle: ({ em, params: { staffId }, caller }) => done(remove(em, { staffId, by: authorOf(caller) })),
});

/**
 * Where a member of staff is assigned, as a plain list of locations (spec 4.3); empty for one who works everywhere and
 * needs no assignment.
 */
const listStaffLocations = route({
  method: 'GET',
  path: '/V1/pos/staff/:staffId/locations',
  acl: 'Vendor_Pos::staff_manage',
  summary: 'Where a member of staff works',
  name: 'listStaffLocations',
  description: `A plain list. It is empty for a person with \`all_locations\`, who needs no assignment.`,
  outcomes: [staffMemberNotFound],
  params: z.object({ staffId: idParam }),
  response: z.array(locationAnswer),

  handle: async ({ em, params }) => (await findLocationsOfStaff(em, params.staffId)).map((row) => renderLocation(row)),
});

/** Lets a member of staff work at a location (spec 4.3). */
const assignStaff = route({
  method: 'POST',
  path: '/V1/pos/staff/:staffId/locations',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Assign a member of staff to a location',
  name: 'assignStaff',
  description: 'The person then appears among the staff of the location’s registers. A repeat answers true again.',
  outcomes: [staffMemberNotFound, unknownLocation],
  params: z.object({ staffId: idParam }),
  body: z.object({ locationId: recordId }),
  response: z.literal(true),

  handle: ({ em, params: { staffId }, body: { locationId }, caller }) =>
    done(assign(em, { staffId, locationId, by: authorOf(caller) })),
});

/** Takes a location from a member of staff (spec 4.3). */
const unassignStaff = route({
  method: 'DELETE',
  path: '/V1/pos/staff/:staffId/locations/:locationId',
  acl: 'Vendor_Pos::staff_manage_edit',
  summary: 'Take a location from a member of staff',
  name: 'unassignStaff',
  description: 'A repeat answers true again, as does a location where they never worked.',
  outcomes: [staffMemberNotFound],
  params: z.object({ staffId: idParam, locationId: idParam }),
  response: z.literal(true),

  handle: ({ em, params: { staffId, locationId }, caller }) =>
    done(unassign(em, { staffId, locationId, by: authorOf(caller) })),
});

/** A manager ends a cashier's cooldown (spec 3.5, 4.3). */
const unlockStaff = route({
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

/** The people at the registers (spec 2.5, 4.3). */
export const staffRoutes: readonly AnyRoute[] = [
  listStaff,
  getStaff,
  createStaff,
  updateStaff,
  deleteStaff,
  listStaffLocations,
  assignStaff,
  unassignStaff,
  unlockStaff,
];
