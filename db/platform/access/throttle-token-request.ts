import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UserType } from './access-token.entity.ts';

/** So many failures lock a user name for so long (platform facts 1.3). */
const maxFailures = 6;
const lockSeconds = 1_800;

/** Rows that names nobody has share. */
const nobodysNames = 1_024;

/**
 * What a name that nobody has is counted under: one of a few names, so that random names fill no table. It is written as a
 * known one is, and never asked for anything.
 */
export const nobodysName = (userName: string) =>
  `(nobody) ${createHash('sha256').update(userName.toLowerCase()).digest().readUInt16BE() % nobodysNames}`;

export interface TokenRequester {
  userName: string;
  userType: UserType;
}

/**
 * Counts a token request as failed before the password is looked at, so that no number of guesses at once gets more
 * tries than the limit. Say `forgetFailures` when the password was right.
 *
 * @returns false while the user name is locked; nothing is counted then
 */
export async function mayTryPassword(
  em: EntityManager,
  { userName, userType }: TokenRequester,
  now: Date,
): Promise<boolean> {
  const rows = await em.execute<{ failures: number }[]>(
    `insert into token_throttle as t (user_name, user_type, failures, last_failed_at) values (lower(?), ?, 1, ?::timestamptz)
     on conflict (user_name, user_type) do update set
       last_failed_at = excluded.last_failed_at,
       failures = case when t.locked_until is null then t.failures + 1 else 1 end,
       locked_until = case when t.locked_until is null and t.failures + 1 >= ? then ?::timestamptz end
     where t.locked_until is null or t.locked_until <= ?::timestamptz
     returning failures`,
    [userName, userType, now, maxFailures, new Date(now.getTime() + lockSeconds * 1_000), now],
  );
  return rows.length > 0;
}

/** The right password ends the count; a repeat changes nothing. */
export async function forgetFailures(em: EntityManager, { userName, userType }: TokenRequester): Promise<void> {
  await em.execute('delete from token_throttle where user_name = lower(?) and user_type = ?', [userName, userType]);
}

/** Takes one failure back: nobody looked at the guess. A lock that it began ends. */
export async function forgetFailure(em: EntityManager, { userName, userType }: TokenRequester): Promise<void> {
  await em.execute(
    `update token_throttle set failures = failures - 1, locked_until = null
     where user_name = lower(?) and user_type = ? and failures > 0`,
    [userName, userType],
  );
}
