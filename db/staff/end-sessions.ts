import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/** Ends what a former secret, a role or a person's activity had opened. */

const end = sql('end-sessions.end')`
  with at_the_page as (delete from ops_session where user_kind = 'staff' and user_id = $staffId)
  update pos_staff_session set expires_at = now() where staff_id = $staffId and expires_at > now()`;

/**
 * Ends every session of a member, at registers and at the operator's page, because the passcode changed or the member
 * was activated again: what the former passcode opened does not outlive it, and no session comes back with the member. A
 * repeat ends none.
 *
 * @returns how many sessions at registers ended
 */
export const endStaffSessions = (em: EntityManager, staffId: number): Promise<number> => end.run(em, { staffId });

const endAtLocation = sql('end-sessions.endAtLocation')`
  update pos_staff_session n set expires_at = now() from pos_terminal t
  where n.staff_id = $staffId and n.expires_at > now() and t.terminal_id = n.terminal_id
    and t.location_id = $locationId
    and not (select m.all_locations from pos_staff m where m.staff_id = $staffId)`;

/** Ends the sessions of a member at the registers of a location, because the member works there no longer. */
export const endSessionsAtLocation = (
  em: EntityManager,
  place: { staffId: number; locationId: number },
): Promise<number> => endAtLocation.run(em, place);

const endElsewhere = sql('end-sessions.endElsewhere')`
  update pos_staff_session n set expires_at = now() from pos_terminal t
  where n.staff_id = $staffId and n.expires_at > now() and t.terminal_id = n.terminal_id
    and t.location_id is not null and t.location_id not in (
      select l.location_id from pos_staff_location l where l.staff_id = $staffId)`;

/** Ends the sessions of a member at all but the locations assigned, because the member no longer works everywhere. */
export const endSessionsElsewhere = (em: EntityManager, staffId: number): Promise<number> =>
  endElsewhere.run(em, { staffId });

const endOfRole = sql('end-sessions.endOfRole')`
  delete from ops_session s using pos_staff m
  where s.user_kind = 'staff' and m.staff_id = s.user_id and m.role_id = $roleId`;

/** Ends the sessions at the operator's page of all who have a role, because it was switched off. */
export const endOpsSessionsOfRole = (em: EntityManager, roleId: number): Promise<number> =>
  endOfRole.run(em, { roleId });

const forget = sql('end-sessions.forget')`
  with sessions as (delete from ops_session where user_kind = 'staff' and user_id = $staffId)
  delete from ops_second_factor where user_kind = 'staff' and user_id = $staffId`;

/** What a deleted member had at the operator's page: sessions and the second factor. */
export const forgetOpsAccess = (em: EntityManager, staffId: number): Promise<number> => forget.run(em, { staffId });
