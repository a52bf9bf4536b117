import type { EntityManager } from '@mikro-orm/postgresql';

import { sql } from '../support/sql.ts';

/** Longer than any transaction: an event may be committed so long after its own time. */
export const longestTransaction = `interval '1 hour'`;

/**
 * Finished days with new events since their last summary, and days never summed up; `YYYY-MM-DD`, oldest first.
 *
 * A day with events within the hour before its summary is returned once more than necessary.
 */
export const findDueDays = async (em: EntityManager, from: string, to: string): Promise<string[]> =>
  (await selectDueDays.all(em, { from, to })).map((row) => row.day);

const selectDueDays = sql('find-due-days.selectDueDays')`
  select to_char(d.day, 'YYYY-MM-DD') as day
  from (select generate_series($from::date, $to::date, interval '1 day')::date as day) as d
  where exists (
    select from pos_telemetry_event e
    where e.recorded_on = d.day and e.received_at > coalesce(
      (select min(s.summarised_at) from pos_telemetry_summary s where s.day = d.day),
        '-infinity') - ${longestTransaction})
  order by 1`;
