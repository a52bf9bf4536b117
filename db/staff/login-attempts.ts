import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { lockoutLadder, lockoutResetSeconds } from '../../domain/staff.ts';
import { unlockOpsName } from './ops-sign-in-attempts.ts';
import { recordAudit, type Change } from '../audit/record-audit.ts';
import type { Author } from '../audit/record-difference.ts';
import { integer, orNull } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { updateStaff } from './staff.ts';

/** Known and unknown addresses are counted alike, under a digest. */
export const failureDigest = (emailKey: string) => createHash('sha256').update(`staff ${emailKey}`).digest('hex');

const failuresNow = `case when f.first_failed_at <= now() - make_interval(secs => ${lockoutResetSeconds}) then 1
  else f.failures + 1 end`;

/** The domain's waiting times as SQL: the wait after so many failures. */
const cooldownSql = (failures: string) =>
  `case ${lockoutLadder
    .map((rung) => `when ${failures} >= ${rung.failures} then interval '${rung.cooldownSeconds} seconds'`)
    .toReversed()
    .join(' ')} end`;

const reserve = sql('login-attempts.reserve')`
  insert into pos_staff_login_failure as f (email_digest, failures, first_failed_at, blocked_until)
  values ($digest, 1, now(), null)
  on conflict (email_digest) do update set
    failures = ${failuresNow},
    first_failed_at = case when f.first_failed_at <= now() - make_interval(secs => ${lockoutResetSeconds})
      then now() else f.first_failed_at end,
    blocked_until = now() + ${cooldownSql(failuresNow)}
  where f.first_failed_at <= now() - make_interval(secs => ${lockoutResetSeconds})
    or f.blocked_until is null or f.blocked_until <= now()`;

/**
 * Counts a guess as failed before it is checked, unless the address is cooling down (spec 8).
 *
 * One guarded upsert by the database's clock: of any number of concurrent guesses, no more pass than the limits
 * permit.
 *
 * @returns 0 when the guess may be checked, else the seconds to wait
 */
export async function reserveLoginAttempt(em: EntityManager, emailKey: string): Promise<number> {
  const digest = failureDigest(emailKey);
  if ((await reserve.run(em, { digest })) > 0) return 0;
  return (await wait.first(em, { digest }))?.seconds ?? 1;
}

const wait = sql('login-attempts.wait', { gives: { seconds: orNull(integer) } })`
  select greatest(1, ceil(extract(epoch from blocked_until - now())))::int as seconds
  from pos_staff_login_failure where email_digest = $digest`;

/**
 * Takes a reserved guess back: it was never checked. No cooldown remains, because there was none when it was
 * reserved.
 */
export async function releaseLoginAttempt(em: EntityManager, emailKey: string): Promise<void> {
  await release.run(em, { digest: failureDigest(emailKey) });
}

const release = sql('login-attempts.release')`
  update pos_staff_login_failure set failures = failures - 1, blocked_until = null
  where email_digest = $digest and failures > 0`;

/** A manager's unlock: the count starts again, as after a success (spec 3.5). Safe to repeat. */
export async function clearLoginFailures(em: EntityManager, emailKey: string): Promise<void> {
  await clear.run(em, { digest: failureDigest(emailKey) });
}

const clear = sql('login-attempts.clear')`delete from pos_staff_login_failure where email_digest = $digest`;

const counted = sql('login-attempts.counted')`
  select failures from pos_staff_login_failure where email_digest = $digest`;

/** Whether failed guesses of an address are counted, so that an unlock would change something. */
export const hasLoginFailures = async (em: EntityManager, emailKey: string): Promise<boolean> =>
  (await counted.first(em, { digest: failureDigest(emailKey) })) !== undefined;

/**
 * A manager's unlock: the member may sign in again at once (spec 3.5, 4.3). Safe to repeat. Writes an audit entry.
 *
 * @returns false for an unknown id
 */
export async function unlockStaff(
  em: EntityManager,
  { staffId, by }: { staffId: number; by: Pick<Change, 'changeSource' | 'staffName'> },
): Promise<boolean> {
  return transact(em, async (tx) => {
    const member = await selectLoginAttempts.first(tx, { staffId });
    if (!member) return false;
    await clearLoginFailures(tx, member.emailKey);
    await unlockOpsName(tx, member.emailKey);
    await recordAudit(tx, {
      entityType: 'staff',
      entityId: staffId,
      entityName: member.name,
      fieldName: 'lockout',
      newValue: 'unlocked',
      ...by,
    });
    return true;
  });
}

/** Gives a member a new passcode, hashed by the caller; whoever was locked out may sign in again at once. */
export async function givePasscode(
  em: EntityManager,
  { staffId, passcodeHash, by }: { staffId: number; passcodeHash: string | undefined; by: Author },
): Promise<void> {
  await updateStaff(em, { staffId, wish: { passcodeHash }, by });
  await unlockStaff(em, { staffId, by });
}

const selectLoginAttempts = sql('login-attempts.selectLoginAttempts')`
  select email_key, concat_ws(' ', first_name, last_name) as name from pos_staff where staff_id = $staffId`;
