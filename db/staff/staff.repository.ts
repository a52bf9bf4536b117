import type { EntityManager } from '@mikro-orm/postgresql';
import { rowOf, rowPart } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { staffKeys, type StaffRow } from './read-staff.ts';
import { Role, Staff } from './staff.entity.ts';

const member = rowPart(Staff, 's', ...staffKeys);
const role = rowOf(Role, 'r');

/** The hash for checking a passcode at sign-in; undefined for an unknown address. */
export const findPasscodeHash = (em: EntityManager, emailKey: string): Promise<RowFrom<typeof hashOf> | undefined> =>
  hashOf.first(em, { emailKey });

const hashOf = sql('staff.repository.hashOf')`
  select staff_id, passcode_hash, is_active from pos_staff where email_key = $emailKey`;

export interface StaffAndRoles {
  staff: StaffRow[];
  roles: Role[];
}

/** The active staff of a location, assigned to it or to all locations, with their roles (spec 2.2). */
export async function findStaffOfLocation(em: EntityManager, locationId: number | null): Promise<StaffAndRoles> {
  const staff = (await staffOf.all(em, { locationId })).map((row) => row.member);
  const roleIds = [...new Set(staff.map(({ roleId }) => roleId))];
  const roles = roleIds.length === 0 ? [] : await rolesOf.all(em, { roleIds });
  return { staff, roles: roles.map((row) => row.role) };
}

const staffOf = sql('staff.repository.staffOf', { gives: { member } })`
  select ${member.columns} from pos_staff s
  where s.is_active and (s.all_locations
    or s.staff_id in (select a.staff_id from pos_staff_location a where a.location_id = $locationId?))
  order by s.staff_id`;

const rolesOf = sql('staff.repository.rolesOf', { gives: { role } })`
  select ${role.columns} from pos_role r where r.role_id = any($roleIds) order by r.role_id`;
