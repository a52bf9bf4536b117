import type { EntityManager } from '@mikro-orm/postgresql';

/** What a day's events of one name come to at one location. Bigints and decimals are text. */
export interface TelemetrySumRow {
  /** `YYYY-MM-DD`. */
  day: string;
  location_id: number | null;
  event_type: string;
  event_name: string;
  event_count: string;
  value_count: string;
  value_sum: string;
  value_min: string | null;
  value_max: string | null;
  is_final: boolean;
}

export interface TelemetryQuestion {
  locationId: number | undefined;
  /** Both days belong to it; `YYYY-MM-DD`. */
  from: string;
  to: string;
  today: string;
  limit: number;
}

const sums = `event_type, event_name, event_count, value_count, value_sum, value_min, value_max`;

/**
 * The sums of days that are over, and what the days since the last one of these have come to so far, newest day first.
 *
 * Only the days after the last summed-up one are counted from their events: yesterday and today, as a rule.
 */
export const reportTelemetry = (
  em: EntityManager,
  { locationId, from, to, today, limit }: TelemetryQuestion,
): Promise<TelemetrySumRow[]> =>
  em.execute<TelemetrySumRow[]>(
    `with asked as (
       select ?::date as first, ?::date as last, ?::integer as location_id,
         coalesce((select max(day) + 1 from pos_telemetry_summary where day < ?::date), '0001-01-01') as open_from
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
     limit ?`,
    [from, to, locationId ?? null, today, limit],
  );
