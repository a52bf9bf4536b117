import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { roleNotFound, staffMemberNotFound } from '../../domain/refusals/register.ts';
import { allOfLocation, type LocationRow } from '../locations/location.repository.ts';
import { integer, integers, orNull, text } from '../support/entity-columns.ts';
import { allListed, asListed, of } from '../support/rows.ts';
import { searchFieldsOf } from '../support/fields.ts';
import { search, type Found, type Searchable } from '../support/search.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Role, Staff } from './staff.entity.ts';

/** A member of staff without the passcode's hash; times are text. */
export type StaffRow = RowFrom<typeof readStaff>;
export type RoleRow = RowFrom<typeof readRole>;

/** Every field of a member of staff except those that only sign-in may see. */
export const staffKeys = [
  ...(['staffId', 'staffCode', 'firstName', 'lastName', 'email', 'passcodeUpdatedAt', 'roleId'] as const),
  ...(['allLocations', 'isActive', 'createdAt', 'updatedAt'] as const),
] as const;
const staffPosted = asListed(Staff, ...staffKeys);
const staffColumns = `s.staff_id, s.staff_code, s.first_name, s.last_name, s.email, s.passcode_updated_at,
  s.role_id, s.all_locations, s.is_active, s.created_at, s.updated_at`;

const allOfRole = allListed(Role, 'r');

const readStaff = statement({
  takes: { staffId: integer },
  gives: staffPosted,
  text: `select ${staffColumns} from pos_staff s where s.staff_id = $staffId`,
});

/** One member of staff, active or not. Refused with: 404 unknown id (spec 4.3). */
export async function findStaff(em: EntityManager, staffId: number): Promise<StaffRow> {
  const row = await readStaff.first(em, { staffId });
  if (!row) throw noSuchStaff(staffId);
  return row;
}

/** The hash of the passcode is hidden: filters could reveal it letter by letter. */
const searchable: Searchable = {
  table: 'pos_staff s',
  columns: staffColumns,
  fields: { ...searchFieldsOf(Staff), staff_code: { column: 's.staff_code', type: 'code' } },
  order: 's.staff_id',
};

/** The shop's staff, active or not (spec 4.3). */
export const searchStaff = (em: EntityManager, criteria: SearchCriteria): Promise<Found<StaffRow>> =>
  search<StaffRow>(em, criteria, searchable);

export const noSuchStaff = (staffId: number) => staffMemberNotFound([staffId]);

const readRole = statement({
  takes: { roleId: integer },
  gives: allOfRole.gives,
  text: `select ${allOfRole.columns} from pos_role r where r.role_id = $roleId`,
});

/** One role. Refused with: 404 unknown id (spec 4.3). */
export async function findRole(em: EntityManager, roleId: number): Promise<RoleRow> {
  const row = await readRole.first(em, { roleId });
  if (!row) throw noSuchRole(roleId);
  return row;
}

export const noSuchRole = (roleId: number) => roleNotFound([roleId]);

/** The locations of a member of staff; one with `allLocations` may have none. Refused with: 404 unknown id. */
export async function findLocationsOfStaff(em: EntityManager, staffId: number): Promise<LocationRow[]> {
  await findStaff(em, staffId);
  return locationsOf.all(em, { staffId });
}

const locationsOf = statement({
  takes: { staffId: integer },
  gives: allOfLocation.gives,
  text: `
    select ${allOfLocation.columns} from pos_location l join pos_staff_location a using (location_id)
    where a.staff_id = $staffId order by l.location_id`,
});

/** The hash for checking a passcode at sign-in; undefined for an unknown address. */
export const findPasscodeHash = (em: EntityManager, emailKey: string): Promise<RowFrom<typeof hashOf> | undefined> =>
  hashOf.first(em, { emailKey });

const hashOf = statement({
  takes: { emailKey: text },
  gives: of(Staff, 'staffId', 'passcodeHash', 'isActive'),
  text: 'select staff_id, passcode_hash, is_active from pos_staff where email_key = $emailKey',
});

export interface StaffAndRoles {
  staff: StaffRow[];
  roles: RoleRow[];
}

/** The active staff of a location, assigned to it or to all locations, with their roles (spec 2.2). */
export async function findStaffOfLocation(em: EntityManager, locationId: number | null): Promise<StaffAndRoles> {
  const staff = await staffOf.all(em, { locationId });
  const roleIds = [...new Set(staff.map((member) => member.role_id))];
  return { staff, roles: roleIds.length === 0 ? [] : await rolesOf.all(em, { roleIds }) };
}

const staffOf = statement({
  takes: { locationId: orNull(integer) },
  gives: staffPosted,
  text: `
    select ${staffColumns} from pos_staff s
    where s.is_active and (s.all_locations
      or s.staff_id in (select a.staff_id from pos_staff_location a where a.location_id = $locationId))
    order by s.staff_id`,
});

const rolesOf = statement({
  takes: { roleIds: integers },
  gives: allOfRole.gives,
  text: `select ${allOfRole.columns} from pos_role r where r.role_id = any($roleIds) order by r.role_id`,
});
