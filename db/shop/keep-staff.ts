import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { noLocationHasCode } from '../../domain/refusals/register.ts';
import { emailKey } from '../../domain/staff.ts';
import type { Author } from '../audit/record-difference.ts';
import { Location } from '../locations/location.entity.ts';
import { assignStaff, unassignStaff } from '../staff/assign-staff.ts';
import { Role, Staff, StaffLocation } from '../staff/staff.entity.ts';
import { createStaff, deleteStaff, updateStaff } from '../staff/staff.ts';
import type { Keeper } from './keep-ids.ts';

/** People at the registers. New ones have a passcode that nobody knows until one is given. */
export const staff: Keeper<'staff'> = {
  async save(em, { name: email, fields }, { by, unknownPasscode }) {
    const { role, locations, ...request } = fields;
    const roleId = role === undefined ? undefined : await roleNamed(em, role);
    const known = await em.findOne(Staff, { emailKey: emailKey(email) });
    const staffId = known
      ? known.staffId
      : (await createStaff(em, { ...whole(email, request), roleId: roleId ?? 0, passcodeHash: unknownPasscode }, by))
          .staffId;
    if (known) await updateStaff(em, { staffId, wish: { ...request, roleId, email }, by });
    if (locations !== undefined) await workAt(em, { staffId, codes: locations, by });
  },
  async remove(em, email, { by }) {
    const { staffId } = await em.findOneOrFail(Staff, { emailKey: emailKey(email) });
    await deleteStaff(em, { staffId, by });
  },
};

/** The id of a role. Refused with 400 for an unknown one. */
export async function roleNamed(em: EntityManager, name: string): Promise<number> {
  const role = await em.findOne(Role, { name });
  if (!role) throw invalid('No role is called %1.', [name]);
  return role.roleId;
}

interface Names {
  firstName?: string | undefined;
  lastName?: string | undefined;
  allLocations?: boolean | undefined;
  isActive?: boolean | undefined;
}

const whole = (email: string, { firstName = '', lastName = '', allLocations = false, isActive = true }: Names) => ({
  ...{ email, firstName, lastName, allLocations, isActive },
});

/**
 * Lets a member of staff work at these locations and no others. A repeat changes nothing.
 *
 * Refused with 400 for an unknown location.
 */
export async function workAt(
  em: EntityManager,
  { staffId, codes, by }: { staffId: number; codes: readonly string[]; by: Author },
): Promise<void> {
  const locations = await em.find(Location, { code: { $in: [...codes] } });
  const unknown = codes.find((code) => !locations.some((location) => location.code === code));
  if (unknown !== undefined) throw noLocationHasCode([unknown]);
  const requested = locations.map(({ locationId }) => locationId);
  const present = (await em.find(StaffLocation, { staff: staffId })).map(({ location }) => location.locationId);
  for (const locationId of requested)
    if (!present.includes(locationId)) await assignStaff(em, { staffId, locationId, by });
  for (const locationId of present)
    if (!requested.includes(locationId)) await unassignStaff(em, { staffId, locationId, by });
}
