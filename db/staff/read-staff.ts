import type { EntityManager } from '@mikro-orm/postgresql';
import { staffMemberNotFound } from '../../domain/refusals/register.ts';
import { Location } from '../locations/location.entity.ts';
import type { LocationRow } from '../locations/location.repository.ts';
import { searchFieldsOf } from '../support/fields.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { listedOf } from '../support/rows.ts';
import { searchesRecords } from '../support/search-records.ts';
import { Staff, StaffLocation } from './staff.entity.ts';

/** A member of staff without the passcode's hash. */
export type StaffRow = Pick<Staff, (typeof staffKeys)[number]>;

/** Every field of a member of staff except those that only sign-in may see. */
export const staffKeys = [
  ...(['staffId', 'staffCode', 'firstName', 'lastName', 'email', 'passcodeUpdatedAt', 'roleId'] as const),
  ...(['allLocations', 'isActive', 'createdAt', 'updatedAt'] as const),
] as const;

/** One member of staff, active or not. Refused with: 404 unknown id (spec 4.3). */
export async function findStaff(em: EntityManager, staffId: number): Promise<StaffRow> {
  const found = await freshReads(em).findOne(Staff, { staffId }, { fields: staffKeys });
  if (!found) throw noSuchStaff(staffId);
  return found;
}

/**
 * The shop's staff, active or not (spec 4.3). The hash of the passcode is hidden: filters could reveal it letter by
 * letter.
 */
export const searchStaff = searchesRecords({
  entity: Staff,
  fields: { ...searchFieldsOf(Staff), staff_code: { column: 'staff_code', type: 'code' } },
  order: 'staff_id',
});

export const noSuchStaff = (staffId: number) => staffMemberNotFound([staffId]);

/** The locations of a member of staff; one with `allLocations` may have none. Refused with: 404 unknown id. */
export async function findLocationsOfStaff(em: EntityManager, staffId: number): Promise<LocationRow[]> {
  await findStaff(em, staffId);
  const places = await freshReads(em).find(
    StaffLocation,
    { staff: staffId },
    { populate: ['location'], strategy: 'joined', orderBy: { location: 'asc' } },
  );
  return places.map(({ location }) => listedOf(Location, location));
}
