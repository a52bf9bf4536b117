import type { EntityManager } from '@mikro-orm/postgresql';
import { actsAsBoth, giftHours } from '../../domain/ops/two-people.ts';
import { text, type Kind } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { credentialKinds, OpsUserKind } from '../ops/ops.entity.ts';

/** Who counts as a second person: not someone whose credentials the first gave, nor both of whose one gave. */

/** The identity of an account, as the giver and the receiver of credentials. */
export const identityOf = ({ userKind, userId }: { userKind: string; userId: number }): string =>
  `${userKind}:${userId}`;

const record = sql('second-person.record', { takes: { userKind: text as Kind<OpsUserKind> } })`
  insert into ops_credential_gift (user_kind, user_id, what, given_by, given_at)
  values ($userKind, $userId, $what, $givenBy, clock_timestamp())`;

/**
 * Notes that credentials were given to a person, in the transaction that gives them. Nothing is noted for a giver
 * without an identity: who runs the tool on the server reads the database anyway.
 */
export async function recordCredentialGift(
  em: EntityManager,
  gift: { userKind: OpsUserKind; userId: number; what: (typeof credentialKinds)[number]; by: string | undefined },
): Promise<void> {
  const { by, ...row } = gift;
  if (by !== undefined && by !== identityOf(row)) await record.run(em, { ...row, givenBy: by });
}

/** An account's e-mail, so that two accounts of one person are one; the account where it is gone. */
const nameOf = (kind: string, id: string, account: string) => `coalesce(
  (select lower(a.email) from admin_user a where ${kind} = 'admin' and a.user_id = ${id}),
  (select lower(m.email) from pos_staff m where ${kind} = 'staff' and m.staff_id = ${id}), ${account})`;

/** More gifts in a day are not looked through: then no two count as two people. */
const maxGifts = 5_000;

const gifts = sql('second-person.gifts')`
  select ${nameOf('g.user_kind', 'g.user_id', `g.user_kind || ':' || g.user_id`)} as to,
    ${nameOf(`split_part(g.given_by, ':', 1)`, `nullif(split_part(g.given_by, ':', 2), '')::bigint`, 'g.given_by')} as from
  from ops_credential_gift g
  where g.given_at > $since::timestamptz - interval '${giftHours} hours'
  order by g.given_at limit $limit`;

/**
 * Whether two people, by their e-mails, count as two, by the credentials that were given from a day before the first
 * of their decisions on.
 */
export async function areTwoPeople(
  em: EntityManager,
  { first, second, since }: { first: string; second: string; since: Date },
): Promise<boolean> {
  if (first === second) return false;
  const given = await gifts.all(em, { since, limit: maxGifts + 1 });
  return given.length <= maxGifts && actsAsBoth(first, second, given) === undefined;
}

const authorised = sql('second-person.authorised')`
  select exists (select from admin_user a
      where $account = 'admin:' || a.user_id and a.is_active and a.resources is not null)
    or exists (select from pos_staff m join pos_role r on r.role_id = m.role_id
      where $account = 'staff:' || m.staff_id and m.is_active and r.is_active
        and r.permissions::jsonb ->> 'issue_refunds' = 'true') as is_there`;

/** Whether an account still may decide: the decision of a person who was dismissed since counts for no second one. */
export const mayStillDecide = async (em: EntityManager, account: string): Promise<boolean> =>
  (await authorised.first(em, { account }))?.isThere === true;
