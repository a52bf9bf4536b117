import type { EntityManager } from '@mikro-orm/postgresql';
import { unauthorized } from '../../domain/errors.ts';
import { query } from '../support/query.ts';
import { sessionDigest } from './open-session.ts';
import { staffColumns, type RoleRow, type StaffRow } from './staff.repository.ts';

export interface SessionRow extends StaffRow {
  session_id: number;
  expires_at: string;
  role_name: string;
  role_permissions: string;
  role_is_active: boolean;
  role_created_at: string;
  role_updated_at: string;
}

/**
 * A running session with its member of staff and role as they are now (spec 4.3, `validate`).
 *
 * Refused with 401: `Invalid session token.` · `Session has expired.` · `Staff member not found.`, also for one who was
 * deactivated since (our choice).
 */
export async function findSession(em: EntityManager, token: string) {
  const [row] = await query<SessionRow & { is_expired: boolean; found_staff_id: number | null }>(
    em,
    `select n.session_id, n.expires_at, n.expires_at <= now() as is_expired, s.staff_id as found_staff_id,
       ${staffColumns}, r.name as role_name, r.permissions as role_permissions, r.is_active as role_is_active,
       r.created_at as role_created_at, r.updated_at as role_updated_at
     from pos_staff_session n left join pos_staff s on s.staff_id = n.staff_id and s.is_active
     left join pos_role r on r.role_id = s.role_id
     where n.digest = $1`,
    [sessionDigest(token)],
  );
  if (!row) throw unauthorized('Invalid session token.');
  if (row.is_expired) throw unauthorized('Session has expired.');
  if (row.found_staff_id === null) throw unauthorized('Staff member not found.');
  return { sessionId: row.session_id, expiresAt: row.expires_at, staff: row, role: roleOf(row) };
}

const roleOf = (row: SessionRow): RoleRow => ({
  role_id: row.role_id,
  name: row.role_name,
  permissions: row.role_permissions,
  is_active: row.role_is_active,
  created_at: row.role_created_at,
  updated_at: row.role_updated_at,
});
