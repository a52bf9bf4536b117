import type { EntityManager } from '@mikro-orm/postgresql';
import { day as aDay } from '../support/entity-columns.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';

/**
 * Sums up the events of a day (spec 6), by location and name. A repeat changes nothing; concurrent runs take turns,
 * so that the later sum stays.
 *
 * @param day `YYYY-MM-DD`
 * @returns how many sums the day has
 */
export const summariseDay = (em: EntityManager, day: string): Promise<number> =>
  transact(em, async (tx) => {
    // A separate statement: the next one sees what was committed while this one waited.
    await lockAdvisory(tx, `telemetry day ${day}`);
    return summarise.run(tx, { day });
  });

const summarise = sql('summarise-day.summarise', { takes: { day: aDay } })`
  insert into pos_telemetry_summary (day, location_id, event_type, event_name, event_count, value_count, value_sum,
    value_min, value_max, summarised_at)
  select recorded_on, coalesce(location_id, 0), event_type, event_name, count(*), count(value),
    coalesce(sum(value), 0), min(value), max(value), now()
  from pos_telemetry_event where recorded_on = $day::date
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (day, location_id, event_type, event_name) do update set event_count = excluded.event_count,
    value_count = excluded.value_count, value_sum = excluded.value_sum, value_min = excluded.value_min,
    value_max = excluded.value_max, summarised_at = excluded.summarised_at`;
