import type { EntityManager } from '@mikro-orm/postgresql';
import { createHash, randomBytes } from 'node:crypto';
import { sessionExpired, sessionStaffMissing, sessionTokenNotValid } from '../../domain/refusals/register.ts';
import { momentText } from '../support/entity-columns.ts';
import { perhaps, rowOf, rowPart } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import { failureDigest } from './login-attempts.ts';
import { staffKeys } from './read-staff.ts';
import { Role, Staff } from './staff.entity.ts';

/**
 * A running session with its member of staff and role as they are now (spec 4.3, `validate`).
 *
 * Refused with 401: `Invalid session token.` · `Session has expired.` · `Staff member not found.`, the last also for
 * a deactivated member (our choice).
 */
export async function findSession(em: EntityManager, token: string) {
  const found = await selectSession.first(em, { digest: sessionDigest(token) });
  if (!found) throw sessionTokenNotValid();
  const { isExpired, sessionId, expiresAt, staff, role } = found;
  if (isExpired) throw sessionExpired();
  if (staff === null || role === null) throw sessionStaffMissing();
  return { sessionId, expiresAt, staff, role };
}

const staff = perhaps(rowPart(Staff, 's', ...staffKeys));
const role = perhaps(rowOf(Role, 'r'));

const selectSession = sql('sessions.selectSession', { gives: { expiresAt: momentText, staff, role } })`
  select n.session_id, n.expires_at, n.expires_at <= now() as is_expired, ${staff.columns}, ${role.columns}
  from pos_staff_session n left join pos_staff s on s.staff_id = n.staff_id and s.is_active
  left join pos_role r on r.role_id = s.role_id
  where n.digest = $digest`;

/** Spec 8. */
const lifetimeDays = 30;
/** 32 random bytes are the 64 characters of spec 2.7. */
const tokenBytes = 32;

/** The digest by which the database finds a session; a reader of the table cannot use it. */
const sessionDigest = (token: string) => createHash('sha256').update(token).digest('hex');

const open = sql('sessions.open')`
  with forgotten as (delete from pos_staff_login_failure where email_digest = $emailDigest)
  insert into pos_staff_session (digest, staff_id, terminal_id, expires_at)
  values ($digest, $staffId, $terminalId?, now() + make_interval(days => ${lifetimeDays}))`;

/**
 * Signs a member of staff in: opens a session of 30 days and resets failed guesses (spec 3.5, 4.3). Each call opens
 * another session.
 *
 * @returns the session's token, which cannot be read again
 */
export async function openSession(
  em: EntityManager,
  { staffId, emailKey, terminalId }: { staffId: number; emailKey: string; terminalId: number | undefined },
): Promise<string> {
  const token = randomBytes(tokenBytes).toString('hex');
  const digests = { digest: sessionDigest(token), emailDigest: failureDigest(emailKey) };
  await open.run(em, { ...digests, staffId, terminalId: terminalId ?? null });
  return token;
}
