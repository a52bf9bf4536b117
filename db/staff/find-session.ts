import type { EntityManager } from '@mikro-orm/postgresql';
import { unauthorized } from '../../domain/errors.ts';
import { flag, integer, momentText, surely, text } from '../support/kinds.ts';
import { perhaps, rowListed } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { sessionDigest } from './open-session.ts';
import { Role } from './role.entity.ts';
import { Staff } from './staff.entity.ts';
import { staffKeys } from './staff.repository.ts';

/**
 * A running session with its member of staff and role as they are now (spec 4.3, `validate`).
 *
 * Refused with 401: `Invalid session token.` · `Session has expired.` · `Staff member not found.`, the last also for
 * a deactivated member (our choice).
 */
export async function findSession(em: EntityManager, token: string) {
  const found = await find.first(em, { digest: sessionDigest(token) });
  if (!found) throw unauthorized('Invalid session token.');
  const { isExpired, sessionId, expiresAt, staff, role } = found;
  if (isExpired) throw unauthorized('Session has expired.');
  if (staff === null || role === null) throw unauthorized('Staff member not found.');
  return { sessionId, expiresAt, staff, role };
}

const staff = perhaps(rowListed(Staff, 's', ...staffKeys));
const role = perhaps(rowListed(Role, 'r', 'roleId', 'name', 'permissions', 'isActive', 'createdAt', 'updatedAt'));

const find = statement({
  takes: { digest: text },
  gives: { sessionId: integer, expiresAt: momentText, isExpired: surely(flag), staff, role },
  text: `
    select n.session_id, n.expires_at, n.expires_at <= now() as is_expired, ${staff.columns}, ${role.columns}
    from pos_staff_session n left join pos_staff s on s.staff_id = n.staff_id and s.is_active
    left join pos_role r on r.role_id = s.role_id
    where n.digest = $digest`,
});
