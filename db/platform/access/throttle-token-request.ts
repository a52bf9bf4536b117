import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, moment, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import type { UserType } from './access-token.entity.ts';

/** After so many failures a user name is locked for so long (platform facts 1.3). */
const maxFailures = 6;
const lockSeconds = 1_800;

/** The number of rows that unknown names share. */
const nobodysNames = 1_024;

/**
 * The name under which an unknown user name is counted: one of a fixed number, so that random names do not fill the
 * table. It is written as for a known name, but never read.
 */
export const nobodysName = (userName: string) =>
  `(nobody) ${createHash('sha256').update(userName.toLowerCase()).digest().readUInt16BE() % nobodysNames}`;

export interface TokenRequester {
  userName: string;
  userType: UserType;
}

/**
 * Counts a token request as failed before the password is checked, so that concurrent guesses never exceed the limit.
 * Call `forgetFailures` when the password was right.
 *
 * @returns false while the user name is locked; nothing is counted then
 */
export async function mayTryPassword(
  em: EntityManager,
  { userName, userType }: TokenRequester,
  now: Date,
): Promise<boolean> {
  const until = new Date(now.getTime() + lockSeconds * 1_000);
  return (await count.run(em, { userName, userType, now, maxFailures, until })) > 0;
}

const count = statement({
  takes: { userName: text, userType: text, now: moment, maxFailures: integer, until: moment },
  text: `
    insert into token_throttle as t (user_name, user_type, failures, last_failed_at)
    values (lower($userName), $userType, 1, $now::timestamptz)
    on conflict (user_name, user_type) do update set
      last_failed_at = excluded.last_failed_at,
      failures = case when t.locked_until is null then t.failures + 1 else 1 end,
      locked_until = case when t.locked_until is null and t.failures + 1 >= $maxFailures then $until::timestamptz end
    where t.locked_until is null or t.locked_until <= $now::timestamptz`,
});

/** Resets the count after the right password; a repeat changes nothing. */
export async function forgetFailures(em: EntityManager, { userName, userType }: TokenRequester): Promise<void> {
  await forgetAll.run(em, { userName, userType });
}

const forgetAll = statement({
  takes: { userName: text, userType: text },
  text: 'delete from token_throttle where user_name = lower($userName) and user_type = $userType',
});

/** Takes one failure back, because the guess was not checked. A lock that it began ends. */
export async function forgetFailure(em: EntityManager, { userName, userType }: TokenRequester): Promise<void> {
  await forgetOne.run(em, { userName, userType });
}

const forgetOne = statement({
  takes: { userName: text, userType: text },
  text: `
    update token_throttle set failures = failures - 1, locked_until = null
    where user_name = lower($userName) and user_type = $userType and failures > 0`,
});
