import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { TelemetryEvent, TelemetrySource } from '../../domain/telemetry/telemetry-event.ts';
import { isOfData } from '../support/is-of-data.ts';
import { integer, listText, orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';

export interface Batch {
  source: TelemetrySource;
  events: readonly TelemetryEvent[];
  /** Whether a repeat of the batch can be recognised and is not stored again. */
  isRecognisable: boolean;
}

/** Stores nothing where the batch is known. */
const insert = statement({
  takes: {
    digest: orNull(text),
    locationId: orNull(integer),
    terminalId: orNull(integer),
    deviceId: orNull(text),
    appVersion: orNull(text),
    days: listText('date[]'),
    moments: listText('timestamp with time zone[]'),
    types: listText('text[]'),
    names: listText('text[]'),
    data: listText('jsonb[]'),
    values: listText('numeric[]'),
    periods: listText('text[]'),
  },
  text: `
    with batch as (
      insert into pos_telemetry_batch (digest) select $digest::text where $digest::text is not null
      on conflict (digest) do nothing returning digest
    )
    insert into pos_telemetry_event (location_id, terminal_id, device_id, app_version, recorded_on, recorded_at,
      event_type, event_name, event_data, value, period)
    select $locationId::integer, $terminalId::integer, $deviceId::text, $appVersion::text, e.*
    from unnest($days::date[], $moments::timestamptz[], $types::text[], $names::text[], $data::jsonb[],
      $values::numeric[], $periods::text[]) as e
    where $digest::text is null or exists (select from batch)`,
});

/**
 * Stores a batch of well-formed events in one statement (spec 4.10). A recognisable batch is stored once, however
 * often and concurrently it comes.
 *
 * When PostgreSQL still refuses one event, the batch is halved until only that event is left out.
 */
export async function storeEvents(em: EntityManager, batch: Batch): Promise<void> {
  if (batch.events.length === 0) return;
  const columns = columnsOf(batch);
  const digest = batch.isRecognisable ? digestOf(byRegisterClock(batch) ?? columns) : null;
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
function byRegisterClock({ source, events }: Batch): Columns | undefined {
  if (!events.some(({ toldAt }) => toldAt !== undefined)) return undefined;
  return columnsOf({
    source,
    events: events.map((event) => ({ ...event, recordedAt: event.toldAt ?? event.recordedAt })),
  });
}

/** The separator occurs in no column. */
const digestOf = (columns: Columns) => hash('sha256', Object.values(columns).join('\0'));

/**
 * Arrays in PostgreSQL's own format, written in one pass: the driver would take as long as storing them. Days, times
 * and decimals need no quotes.
 */
function columnsOf({ source, events }: Pick<Batch, 'source' | 'events'>) {
  const days: string[] = [];
  const moments: string[] = [];
  const types: string[] = [];
  const names: string[] = [];
  const data: string[] = [];
  const values: string[] = [];
  const periods: string[] = [];
  for (const { recordedAt, eventType, eventName, eventData, value, period } of events) {
    days.push(recordedAt.slice(0, 10));
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
type Columns = ReturnType<typeof columnsOf>;

const special = /["\\]/;
const quoted = (value: string) => `"${special.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;

const insertBatch = statement({
  takes: { digest: text },
  text: 'insert into pos_telemetry_batch (digest) values ($digest) on conflict (digest) do nothing',
});

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
  try {
    // Within the transaction this is a savepoint.
    await em.transactional((tx) => insert.run(tx, { digest: null, ...columnsOf(part) }));
    return true;
  } catch (error) {
    if (isOfData(error)) return false;
    throw error;
  }
}
