import type { EntityManager } from '@mikro-orm/postgresql';
import { day as aDay } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';

/** Creates a partition for each day. Safe to repeat and to run concurrently. Returns how many are new. */
export async function openTelemetryDays(em: EntityManager, days: readonly string[]): Promise<number> {
  let opened = 0;
  for (const day of days) {
    if ((await open.first(em, { day }))?.opened) opened++;
  }
  return opened;
}

const open = sql('open-telemetry-days.open', { takes: { day: aDay } })`
  select pos_telemetry_open_day($day::date) as opened`;
