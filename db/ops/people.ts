import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '../audit/record-audit.ts';
import { json, orNull, text, type Kind } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { digestOf, newToken } from '../platform/access/token-digest.ts';
import { recordCredentialGift } from '../staff/second-person.ts';
import { type OpsUserKind } from './ops.entity.ts';

/** Who signs in at the operator's page, and what keeps them signed in. */

/** After so long without a page a session is over, and after so long at any rate. */
const idleMinutes = 30;
export const mostHours = 12;
/** For reading a picture with a phone and typing its first code. */
const enrollingMinutes = 10;

/** No other token of the shop has this digest. */
const sessionDigest = (token: string) => digestOf(`ops ${token}`);

export interface UserKey {
  userKind: OpsUserKind;
  userId: number;
}
const userKind = text as Kind<OpsUserKind>;

/** A signed-in person, read anew for each page: who was dismissed is out at once. */
export type OpsSessionRow = RowFrom<typeof findSession>;

const findSession = sql('people.findSession', { gives: { userKind, resources: orNull(json<string[]>()) } })`
  select s.session_id, s.user_kind, s.user_id, s.is_enrolling, lower(coalesce(a.email, m.email)) as email,
    coalesce(nullif(trim(concat_ws(' ', a.first_name, a.last_name)), ''), a.username,
      nullif(trim(concat_ws(' ', m.first_name, m.last_name)), ''), m.email) as name,
    a.resources, r.permissions,
    case when m.staff_id is not null and not m.all_locations
      then array(select l.location_id from pos_staff_location l where l.staff_id = m.staff_id) end as location_ids,
    s.seen_at > now() - interval '1 minute' as is_seen_lately
  from ops_session s
  left join admin_user a on s.user_kind = 'admin' and a.user_id = s.user_id and a.is_active
    and a.resources is not null
  left join pos_staff m on s.user_kind = 'staff' and m.staff_id = s.user_id and m.is_active
  left join pos_role r on r.role_id = m.role_id and r.is_active
  where s.digest = $digest and s.ends_at > now() and s.seen_at > now() - interval '${idleMinutes} minutes'
    and (a.user_id is not null or r.role_id is not null)`;

const touch = sql('people.touch')`
  update ops_session set seen_at = now() where session_id = $sessionId
  and seen_at < now() - interval '1 minute'`;

/** Undefined: unknown, over, idle for too long, or of a person who may not sign in any more. */
export async function findOpsSession(em: EntityManager, token: string): Promise<OpsSessionRow | undefined> {
  const session = await findSession.first(em, { digest: sessionDigest(token) });
  if (session && !session.isSeenLately) await touch.run(em, session);
  return session;
}

const open = sql('people.open', { takes: { userKind } })`
  with over as (delete from ops_session where ends_at < now() - interval '1 day')
  insert into ops_session (digest, user_kind, user_id, is_enrolling, ends_at)
  values ($digest, $userKind, $userId, $isEnrolling, now() + make_interval(mins => $minutes))`;

/** A new session; each sign-in makes one more. @returns what the cookie holds, which cannot be read again */
export async function openOpsSession(em: EntityManager, who: UserKey & { isEnrolling: boolean }): Promise<string> {
  const token = newToken();
  const minutes = who.isEnrolling ? enrollingMinutes : mostHours * 60;
  await open.run(em, { ...who, digest: sessionDigest(token), minutes });
  return token;
}

const end = sql('people.end')`delete from ops_session where digest = $digest`;

/** A repeat changes nothing. */
export const endOpsSession = (em: EntityManager, token: string): Promise<number> =>
  end.run(em, { digest: sessionDigest(token) });

/** How a code is checked: the half minute that it is of; undefined for a wrong one. */
export type CheckCode = (sealedSecret: string) => number | undefined;

const mostFailures = 5;
const waitMinutes = 15;

const reserve = sql('people.reserve', { takes: { userKind } })`
  update ops_second_factor set failed_at = now(), failures = case
      when failed_at is null or failed_at < now() - interval '${waitMinutes} minutes' then 1 else failures + 1 end
  where user_kind = $userKind and user_id = $userId
    and (failures < ${mostFailures} or failed_at < now() - interval '${waitMinutes} minutes')
  returning factor_id, sealed_secret, confirmed_at`;

/** Once for each half minute, whoever asks at the same time. */
const take = sql('people.take')`
  update ops_second_factor set last_step = $step, failures = 0, failed_at = null, updated_at = now(),
    confirmed_at = coalesce(confirmed_at, now())
  where factor_id = $factorId and last_step < $step`;

/**
 * Takes a code of a person's second factor. A guess is counted before it is checked; after five the person waits. The
 * first code confirms a factor that was shown.
 */
export async function takeCode(em: EntityManager, who: UserKey, check: CheckCode): Promise<boolean> {
  const factor = await reserve.first(em, who);
  const step = factor && check(factor.sealedSecret);
  return factor !== undefined && step !== undefined && (await take.run(em, { factorId: factor.factorId, step })) === 1;
}

const factorOf = sql('people.factorOf', { takes: { userKind } })`
  select sealed_secret, confirmed_at from ops_second_factor where user_kind = $userKind and user_id = $userId`;

export const secondFactorOf = (em: EntityManager, who: UserKey): Promise<RowFrom<typeof factorOf> | undefined> =>
  factorOf.first(em, who);

const put = sql('people.put', { takes: { userKind } })`
  insert into ops_second_factor as f (user_kind, user_id, sealed_secret, confirmed_at)
  values ($userKind, $userId, $sealedSecret, $confirmedAt?)
  on conflict (user_kind, user_id) do update set sealed_secret = excluded.sealed_secret,
    confirmed_at = excluded.confirmed_at, last_step = 0, failures = 0, failed_at = null, updated_at = now()
  where excluded.confirmed_at is not null or f.confirmed_at is null`;

const endAll = sql('people.endAll', { takes: { userKind } })`
  delete from ops_session
  where user_kind = $userKind and user_id = $userId and session_id is distinct from $sessionId?::bigint`;

const claimKey = sql('people.claimKey')`
  update ops_session set key_shown_at = now()
  where session_id = $sessionId and is_enrolling and key_shown_at is null`;

/** Whether a session may show the key of a new second factor: true once, also of concurrent requests. */
export const mayShowKey = async (em: EntityManager, sessionId: number): Promise<boolean> =>
  (await claimKey.run(em, { sessionId })) === 1;

export interface NewFactor extends UserKey {
  sealedSecret: string;
  /** It was handed over by an administrator; else its first code confirms it. */
  confirmedAt: Date | null;
  /** Who made it, in the audit trail. */
  by: string;
  /** Whose it is. */
  name: string;
  /** The account of the giver; absent: the person, or the tool on the server. */
  byAccount?: string;
  /** The session in which the person sets it up; it goes on, and all others end. */
  sessionId?: number;
}

/**
 * Gives a person a new second factor in place of the one before, and ends what was opened with that. One that its
 * first code has to confirm takes the place of no confirmed one.
 *
 * @returns false: a confirmed one is there, and nothing was changed
 */
export async function giveSecondFactor(em: EntityManager, factor: NewFactor): Promise<boolean> {
  const { by, byAccount, name, sessionId = null, ...row } = factor;
  return transact(em, async (tx) => {
    if ((await put.run(tx, row)) === 0) return false;
    await endAll.run(tx, { ...row, sessionId });
    await recordCredentialGift(tx, { ...row, what: 'second_factor', by: byAccount });
    await recordAudit(tx, {
      entityType: row.userKind === 'staff' ? 'staff' : 'admin_user',
      entityId: row.userId,
      entityName: name,
      fieldName: 'second_factor',
      newValue: 'given',
      changeSource: 'admin',
      staffName: by,
    });
    return true;
  });
}

const staffRights = sql('people.staffRights')`
  select r.permissions, concat_ws(' ', m.first_name, m.last_name) as name
  from pos_staff m join pos_role r on r.role_id = m.role_id and r.is_active
  where m.staff_id = $staffId and m.is_active`;

/** The role of an active member of the staff. */
export const rightsOfStaff = (em: EntityManager, staffId: number): Promise<RowFrom<typeof staffRights> | undefined> =>
  staffRights.first(em, { staffId });

const forget = sql('people.forget')`
  with user_of as (select user_id, username from admin_user where lower(username) = lower($username)),
  gone as (delete from ops_second_factor f using user_of u where f.user_kind = 'admin' and f.user_id = u.user_id),
  out as (delete from ops_session s using user_of u where s.user_kind = 'admin' and s.user_id = u.user_id)
  select user_id, username as name from user_of`;

/**
 * Forgets an administrator's second factor, for a phone that is lost: the next sign-in makes a new one. A repeat
 * changes nothing.
 *
 * @returns false: nobody has this user name
 */
export async function forgetSecondFactor(
  em: EntityManager,
  { username, by }: { username: string; by: string },
): Promise<boolean> {
  return transact(em, async (tx) => {
    const found = await forget.first(tx, { username });
    if (!found) return false;
    await recordAudit(tx, {
      ...{ entityType: 'admin_user', entityId: found.userId, entityName: found.name, fieldName: 'second_factor' },
      ...{ newValue: 'forgotten', changeSource: 'admin', staffName: by },
    });
    return true;
  });
}
