import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { TelemetryEvent, TelemetrySource } from '../../domain/telemetry.ts';
import { bigText, decimal, flag, integer, listText, orNull, definite, text } from '../support/entity-columns.ts';
import { isOfData } from '../support/is-of-data.ts';
import { timeZoneOfLocation } from '../platform/stores/time-zone.ts';
import { localDateOf } from '../../domain/local-day.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';

export interface Batch {
  source: TelemetrySource;
  events: readonly TelemetryEvent[];
  /** Whether a repeat of the batch can be recognised and is not stored again. */
  isRecognisable: boolean;
}

/** Stores nothing where the batch is known. */
const insert = sql('store-events.insert', {
  takes: {
    days: listText('date[]'),
    moments: listText('timestamp with time zone[]'),
    types: listText('text[]'),
    names: listText('text[]'),
    data: listText('jsonb[]'),
    values: listText('numeric[]'),
    periods: listText('text[]'),
  },
})`
  with batch as (
    insert into pos_telemetry_batch (digest) select $digest?::text where $digest::text is not null
    on conflict (digest) do nothing returning digest
  )
  insert into pos_telemetry_event (location_id, terminal_id, device_id, app_version, recorded_on, recorded_at,
    event_type, event_name, event_data, value, period)
  select $locationId?::bigint, $terminalId?::bigint, $deviceId?::text, $appVersion?::text, e.*
  from unnest($days::date[], $moments::timestamptz[], $types::text[], $names::text[], $data::jsonb[],
    $values::numeric[], $periods::text[]) as e
  where $digest::text is null or exists (select from batch)`;

/**
 * Stores a batch of well-formed events in one statement (spec 4.10). A recognisable batch is stored once, however
 * often and concurrently it comes.
 *
 * When PostgreSQL still refuses one event, the batch is halved until only that event is left out.
 */
export async function storeEvents(em: EntityManager, batch: Batch): Promise<void> {
  if (batch.events.length === 0) return;
  const columns = await columnsOf({ ...batch, timeZone: await timeZoneOfLocation(em, batch.source.locationId) });
  const digest = batch.isRecognisable ? digestOf((await byRegisterClock(batch)) ?? columns) : null;
  try {
    await insert.run(em, { digest, ...columns });
  } catch (error) {
    if (!isOfData(error)) throw error;
    await storeInHalves(em, batch, digest);
  }
}

/**
 * Compared by the register's own data, because each repeat arrives at another time. Undefined: they are equal
 * already.
 */
async function byRegisterClock({ source, events }: Batch): Promise<Columns | undefined> {
  if (!events.some(({ toldAt }) => toldAt !== undefined)) return undefined;
  return columnsOf({
    source,
    events: events.map((event) => ({ ...event, recordedAt: event.toldAt ?? event.recordedAt })),
  });
}

/** The separator occurs in no column. */
const digestOf = (columns: Columns) => hash('sha256', Object.values(columns).join('\0'));

/** Events written before other requests get their turn: a few milliseconds. */
const writtenAtOnce = 2_000;

/** The day of a moment in the zone. Events of one batch are close together: most have the hour of the one before. */
function dayIn(timeZone: string): (recordedAt: string) => string {
  if (timeZone === 'UTC') return (recordedAt) => recordedAt.slice(0, 10);
  const days = new Map<string, string>();
  return (recordedAt) => {
    // Zones differ from UTC by quarters of an hour.
    const quarter = recordedAt.slice(0, 14) + String(Math.floor(Number(recordedAt.slice(14, 16)) / 15));
    const known = days.get(quarter) ?? localDateOf(new Date(recordedAt), timeZone);
    days.set(quarter, known);
    return known;
  };
}

/**
 * Arrays in PostgreSQL's own format, written in one pass: the driver would take as long as storing them. Days, times
 * and decimals need no quotes.
 */
async function columnsOf({
  source,
  events,
  timeZone = 'UTC',
}: Pick<Batch, 'source' | 'events'> & { timeZone?: string }) {
  const dayOfEvent = dayIn(timeZone);
  const days: string[] = [];
  const moments: string[] = [];
  const types: string[] = [];
  const names: string[] = [];
  const data: string[] = [];
  const values: string[] = [];
  const periods: string[] = [];
  for (const { recordedAt, eventType, eventName, eventData, value, period } of events) {
    if (days.length % writtenAtOnce === writtenAtOnce - 1) await setImmediate();
    days.push(dayOfEvent(recordedAt));
    moments.push(recordedAt);
    types.push(quoted(eventType));
    names.push(quoted(eventName));
    // In JSON text only what JSON itself escapes needs escaping, in the same way, so `JSON.stringify` does it faster.
    data.push(eventData === undefined ? 'NULL' : JSON.stringify(eventData));
    values.push(value ?? 'NULL');
    periods.push(period === undefined ? 'NULL' : quoted(period));
  }
  const listed = (column: readonly string[]) => `{${column.join(',')}}`;
  return {
    locationId: source.locationId ?? null,
    terminalId: source.terminalId ?? null,
    deviceId: source.deviceId ?? null,
    appVersion: source.appVersion ?? null,
    ...{ days: listed(days), moments: listed(moments), types: listed(types), names: listed(names) },
    ...{ data: listed(data), values: listed(values), periods: listed(periods) },
  };
}

/** In the order used for digests. */
type Columns = Awaited<ReturnType<typeof columnsOf>>;

const special = /["\\]/;
const quoted = (value: string) => `"${special.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;

const insertBatch = sql('store-events.insertBatch')`
  insert into pos_telemetry_batch (digest) values ($digest) on conflict (digest) do nothing`;

/** One transaction, so that the batch is known exactly when its events are stored. */
const storeInHalves = (em: EntityManager, batch: Batch, digest: string | null): Promise<void> =>
  transact(em, async (tx) => {
    if (digest !== null) {
      if ((await insertBatch.run(tx, { digest })) === 0) return;
    }
    let waiting = [batch.events];
    while (waiting.length > 0) {
      const refused: (readonly TelemetryEvent[])[] = [];
      for (const events of waiting) {
        if (!(await isStored(tx, { source: batch.source, events })) && events.length > 1) refused.push(events);
      }
      waiting = refused.flatMap(inHalves);
    }
  });

function inHalves(events: readonly TelemetryEvent[]) {
  const middle = Math.ceil(events.length / 2);
  return [events.slice(0, middle), events.slice(middle)];
}

async function isStored(em: EntityManager, part: Pick<Batch, 'source' | 'events'>): Promise<boolean> {
  const columns = await columnsOf(part);
  try {
    // Within the transaction this is a savepoint.
    await em.transactional((tx) => insert.run(tx, { digest: null, ...columns }));
    return true;
  } catch (error) {
    if (isOfData(error)) return false;
    throw error;
  }
}

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

const report = sql('store-events.report', {
  gives: {
    location_id: orNull(integer),
    event_type: text,
    event_name: text,
    event_count: definite(bigText),
    value_count: definite(bigText),
    value_sum: definite(decimal),
    value_min: orNull(decimal),
    value_max: orNull(decimal),
    is_final: definite(flag),
  },
})`
  with asked as (
    select $from::date as first, $to::date as last, $locationId?::bigint as location_id,
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
  limit $limit`;
