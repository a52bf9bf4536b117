import type { EntityManager } from '@mikro-orm/postgresql';
import { day as aDay, flag, definite } from '../support/entity-columns.ts';
import { statement } from '../support/statement.ts';

/** Creates a partition for each day. Safe to repeat and to run concurrently. Returns how many are new. */
export async function openTelemetryDays(em: EntityManager, days: readonly string[]): Promise<number> {
  let opened = 0;
  for (const day of days) {
    if ((await open.first(em, { day }))?.opened) opened++;
  }
  return opened;
}

const open = statement({
  takes: { day: aDay },
  gives: { opened: definite(flag) },
  text: 'select pos_telemetry_open_day($day::date) as opened',
});
