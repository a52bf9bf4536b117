import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/** The hour of a location's night at which sessions are closed by force. */
const hourOfNight = 4;

const clock = sql('session-clock.clock')`
  select n.now,
    (date_trunc('day', n.night - interval '${hourOfNight} hours' - interval '1 microsecond')
      + interval '1 day ${hourOfNight} hours') at time zone n.zone as forced_after
  from (select clock_timestamp() as now, pos_zone_of($locationId::bigint) as zone,
    (clock_timestamp() + make_interval(hours => $forceAfterHours::int)) at time zone pos_zone_of($locationId::bigint)
      as night) n`;

/** The moment of a session's opening, and the first night in which it may be closed by force. */
export async function sessionClock(
  em: EntityManager,
  request: { locationId: number; forceAfterHours: number },
): Promise<{ now: Date; forcedAfter: Date }> {
  const row = await clock.first(em, request);
  if (!row) throw new Error('the database has no clock');
  return { now: new Date(row.now), forcedAfter: new Date(row.forcedAfter) };
}

const day = sql('session-clock.day')`select pos_business_day($locationId::bigint, $moment::timestamptz)::text as day`;

/** The day of a moment at a location. */
export async function businessDayOf(em: EntityManager, of: { locationId: number; moment: Date }): Promise<string> {
  const row = await day.first(em, of);
  if (!row) throw new Error('the database has no clock');
  return row.day ?? '';
}

const claim = sql('session-clock.claim')`
  update pos_movement set register_session_uuid = register_session_uuid
  where register_session_uuid = $registerSessionUuid and session_id is null`;

/** Gives a session the movements that named it before it was opened: its register was offline. */
export const claimMovements = (em: EntityManager, registerSessionUuid: string): Promise<number> =>
  claim.run(em, { registerSessionUuid });
