import { longestTransaction } from '../../../db/telemetry/find-due-days.ts';
import type { Invariant } from '../invariant.ts';

/** Telemetry that registers sent. */
export const telemetryInvariants: readonly Invariant[] = [
  {
    id: 'I-29',
    sentence: 'The sums of a day of telemetry that is over are those of its events.',
    needsQuiet: true,
    // One week back: a wrong sum would recur every night, and older days have many millions of rows.
    sql: `
      select s.day, s.events as summed_events, r.events, s.total as summed_total, r.total
      from (
        select day, sum(event_count) as events, sum(value_count) as values, sum(value_sum) as total,
          min(summarised_at) as at
        from pos_telemetry_summary where day between current_date - 7 and current_date - 1 group by day
      ) as s
      join (
        select recorded_on as day, count(*) as events, count(value) as values, coalesce(sum(value), 0) as total,
          max(received_at) as last_at
        from pos_telemetry_event where recorded_on between current_date - 7 and current_date - 1 group by recorded_on
      ) as r using (day)
      where r.last_at <= s.at - ${longestTransaction}
        and (s.events, s.values, s.total) is distinct from (r.events, r.values, r.total)`,
  },
];
