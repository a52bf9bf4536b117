import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { failureDigest } from './login-attempts.ts';

/** Spec 8. */
const lifetimeDays = 30;
/** 32 random bytes are the 64 characters of spec 2.7. */
const tokenBytes = 32;

/** The digest by which the database finds a session; a reader of the table cannot use it. */
export const sessionDigest = (token: string) => createHash('sha256').update(token).digest('hex');

const open = statement({
  takes: { digest: text, staffId: integer, terminalId: orNull(integer), emailDigest: text },
  text: `
    with forgotten as (delete from pos_staff_login_failure where email_digest = $emailDigest)
    insert into pos_staff_session (digest, staff_id, terminal_id, expires_at)
    values ($digest, $staffId, $terminalId, now() + make_interval(days => ${lifetimeDays}))`,
});

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
