import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../support/sql.ts';
import type { PasswordEntryPoint, UserType } from './access.entity.ts';

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
  /** Each entry point counts separately. */
  entryPoint: PasswordEntryPoint;
}

/**
 * Counts a token request as failed before the password is checked, so that concurrent guesses never exceed the limit.
 * Call `forgetFailures` when the password was right.
 *
 * @returns false while the user name is locked; nothing is counted then
 */
export async function mayTryPassword(
  em: EntityManager,
  { userName, userType, entryPoint }: TokenRequester,
  now: Date,
): Promise<boolean> {
  const until = new Date(now.getTime() + lockSeconds * 1_000);
  return (await count.run(em, { userName, userType, entryPoint, now, maxFailures, until })) > 0;
}

const count = sql('throttle-token-request.count')`
  insert into token_throttle as t (user_name, user_type, entry_point, failures, last_failed_at)
  values (lower($userName), $userType, $entryPoint, 1, $now::timestamptz)
  on conflict (user_name, user_type, entry_point) do update set
    last_failed_at = excluded.last_failed_at,
    failures = case when t.locked_until is null then t.failures + 1 else 1 end,
    locked_until = case when t.locked_until is null and t.failures + 1 >= $maxFailures then $until::timestamptz end
  where t.locked_until is null or t.locked_until <= $now::timestamptz`;

/** Resets the count of one entry point after the right password; a repeat changes nothing. */
export async function forgetFailures(em: EntityManager, requester: TokenRequester): Promise<void> {
  await forgetAll.run(em, requester);
}

const ofRequester = 'user_name = lower($userName) and user_type = $userType and entry_point = $entryPoint';

const forgetAll = sql('throttle-token-request.forgetAll')`delete from token_throttle where ${ofRequester}`;

/** Lifts the locks of all entry points, as after a new password; a repeat changes nothing. */
export async function liftLocks(em: EntityManager, name: Omit<TokenRequester, 'entryPoint'>): Promise<void> {
  await lift.run(em, name);
}

const lift = sql('throttle-token-request.lift')`
  delete from token_throttle where user_name = lower($userName) and user_type = $userType`;

/** Takes one failure back, because the guess was not checked. A lock that it began ends. */
export async function forgetFailure(em: EntityManager, requester: TokenRequester): Promise<void> {
  await forgetOne.run(em, requester);
}

const forgetOne = sql('throttle-token-request.forgetOne')`
  update token_throttle set failures = failures - 1, locked_until = null
  where ${ofRequester} and failures > 0`;

export interface Credentials {
  userId: number;
  passwordHash: string | null;
  /** For an administrator: whether a role is set. */
  hasRole: boolean;
  /** For a customer: the account waits for its e-mail to be confirmed. */
  isAwaiting?: boolean;
}

/** An active administrator by user name, in any case of letters. */
export const findAdminCredentials = (em: EntityManager, username: string): Promise<Credentials | undefined> =>
  findAdmin.first(em, { username });

const findAdmin = sql('throttle-token-request.findAdmin')`
  select user_id, password_hash, resources is not null as has_role
  from admin_user where lower(username) = lower($username) and is_active`;

/**
 * A customer by e-mail, in any case of letters, in the website of the call. In the admin scope every website counts,
 * the oldest account first.
 */
export const findCustomerCredentials = (
  em: EntityManager,
  email: string,
  websiteId: number,
): Promise<Credentials | undefined> => findCustomer.first(em, { email, websiteId });

const findCustomer = sql('throttle-token-request.findCustomer')`
  select id as user_id, password_hash, false as has_role, confirmation is not null as is_awaiting
  from customer where lower(email) = lower($email) and (website_id = $websiteId or $websiteId = 0)
  order by id limit 1`;
