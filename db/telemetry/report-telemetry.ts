import type { EntityManager } from '@mikro-orm/postgresql';
import { bigText, day, decimal, flag, integer, orNull, surely, text } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';

/** The sum of a day's events of one name at one location. Days are `YYYY-MM-DD`, bigints and decimals are text. */
export type TelemetrySumRow = RowFrom<typeof report>;

export interface TelemetryQuestion {
  locationId: number | undefined;
  /** Both days are included; `YYYY-MM-DD`. */
  from: string;
  to: string;
  today: string;
  limit: number;
}

/**
 * The sums of finished days, and the sums so far of the days since then, newest day first.
 *
 * Only days without a summary are counted from their events: usually yesterday and today.
 */
export const reportTelemetry = (
  em: EntityManager,
  { locationId, from, to, today, limit }: TelemetryQuestion,
): Promise<TelemetrySumRow[]> => report.all(em, { locationId: locationId ?? null, from, to, today, limit });

const sums = `event_type, event_name, event_count, value_count, value_sum, value_min, value_max`;

const report = statement({
  takes: { from: day, to: day, locationId: orNull(integer), today: day, limit: integer },
  gives: {
    day: surely(text),
    location_id: orNull(integer),
    event_type: text,
    event_name: text,
    event_count: surely(bigText),
    value_count: surely(bigText),
    value_sum: surely(decimal),
    value_min: orNull(decimal),
    value_max: orNull(decimal),
    is_final: surely(flag),
  },
  text: `
    with asked as (
      select $from::date as first, $to::date as last, $locationId::integer as location_id,
        coalesce((select max(day) + 1 from pos_telemetry_summary where day < $today::date), '0001-01-01') as open_from
    )
    select to_char(day, 'YYYY-MM-DD') as day, nullif(r.location_id, 0) as location_id, ${sums}, is_final
    from asked, lateral (
      select day, s.location_id, ${sums}, true as is_final
      from pos_telemetry_summary s
      where day between first and least(last, open_from - 1)
        and (asked.location_id is null or s.location_id = asked.location_id)
      union all
      select recorded_on, coalesce(e.location_id, 0), event_type, event_name, count(*), count(value),
        coalesce(sum(value), 0), min(value), max(value), false
      from pos_telemetry_event e
      where recorded_on between greatest(first, open_from) and last
        and (asked.location_id is null or coalesce(e.location_id, 0) = asked.location_id)
      group by 1, 2, 3, 4
    ) as r
    order by day desc, r.location_id, event_type, event_name
    limit $limit`,
});
