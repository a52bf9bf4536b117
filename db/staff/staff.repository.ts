import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { query } from '../support/query.ts';
import type { LocationRow } from '../locations/location.repository.ts';

/** A member of staff without the passcode's hash; moments are text. */
export interface StaffRow {
  staff_id: number;
  staff_code: string;
  first_name: string;
  last_name: string;
  email: string;
  passcode_updated_at: string;
  role_id: number;
  all_locations: boolean;
  is_active: boolean;
  created_at: string;
  updated_at: string;
}

export interface RoleRow {
  role_id: number;
  name: string;
  permissions: string;
  is_active: boolean;
  created_at: string;
  updated_at: string;
}

/** Everything of a member of staff but what sign-in alone may see. */
export const staffColumns = `s.staff_id, s.staff_code, s.first_name, s.last_name, s.email, s.passcode_updated_at,
  s.role_id, s.all_locations, s.is_active, s.created_at, s.updated_at`;

/** One member of staff, active or not. Refused with: 404 unknown id (spec 4.3). */
export async function findStaff(em: EntityManager, staffId: number): Promise<StaffRow> {
  const [row] = await em.execute<StaffRow[]>(`select ${staffColumns} from pos_staff s where s.staff_id = ?`, [staffId]);
  if (!row) throw noSuchStaff(staffId);
  return row;
}

export const noSuchStaff = (staffId: number) => notFound('Staff member with id %1 does not exist', [staffId]);

/** One role. Refused with: 404 unknown id (spec 4.3). */
export async function findRole(em: EntityManager, roleId: number): Promise<RoleRow> {
  const [row] = await em.execute<RoleRow[]>('select * from pos_role where role_id = ?', [roleId]);
  if (!row) throw noSuchRole(roleId);
  return row;
}

export const noSuchRole = (roleId: number) => notFound('Role with id %1 does not exist', [roleId]);

/** Where a member of staff is assigned; whoever works everywhere may be assigned nowhere. Refused with: 404 unknown id. */
export async function findLocationsOfStaff(em: EntityManager, staffId: number): Promise<LocationRow[]> {
  await findStaff(em, staffId);
  return em.execute<LocationRow[]>(
    `select l.* from pos_location l join pos_staff_location a using (location_id)
     where a.staff_id = ? order by l.location_id`,
    [staffId],
  );
}

/** What sign-in compares a passcode with; undefined for an unknown address. */
export async function findPasscodeHash(
  em: EntityManager,
  emailKey: string,
): Promise<{ staffId: number; passcodeHash: string; isActive: boolean } | undefined> {
  const [row] = await query<{ staffId: number; passcodeHash: string; isActive: boolean }>(
    em,
    `select staff_id as "staffId", passcode_hash as "passcodeHash", is_active as "isActive"
     from pos_staff where email_key = $1`,
    [emailKey],
  );
  return row;
}

export interface StaffAndRoles {
  staff: StaffRow[];
  roles: RoleRow[];
}

/** Who works at a location: active, and assigned to it or to all; and the roles they have (spec 2.2). */
export async function findStaffOfLocation(em: EntityManager, locationId: number | null): Promise<StaffAndRoles> {
  const staff = await em.execute<StaffRow[]>(
    `select ${staffColumns} from pos_staff s
     where s.is_active and (s.all_locations
       or s.staff_id in (select a.staff_id from pos_staff_location a where a.location_id = ?))
     order by s.staff_id`,
    [locationId],
  );
  const roleIds = [...new Set(staff.map((member) => member.role_id))];
  const roles =
    roleIds.length === 0
      ? []
      : await em.execute<RoleRow[]>('select * from pos_role where role_id in (?) order by role_id', [roleIds]);
  return { staff, roles };
}
