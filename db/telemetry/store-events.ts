import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { TelemetryEvent, TelemetrySource } from '../../domain/telemetry/telemetry-event.ts';
import { isOfData } from '../support/is-of-data.ts';
import { query } from '../support/query.ts';
import { transact } from '../support/transact.ts';

export interface Batch {
  source: TelemetrySource;
  events: readonly TelemetryEvent[];
  /** Whether the same batch sent again means the same, not more. */
  isRecognisable: boolean;
}

/** Nothing is stored where the batch is known already. */
const insert = `
  with batch as (
    insert into pos_telemetry_batch (digest) select $1::text where $1::text is not null
    on conflict (digest) do nothing returning digest
  )
  insert into pos_telemetry_event (location_id, terminal_id, device_id, app_version, recorded_on, recorded_at,
    event_type, event_name, event_data, value, period)
  select $2::integer, $3::integer, $4::text, $5::text, e.*
  from unnest($6::date[], $7::timestamptz[], $8::text[], $9::text[], $10::jsonb[], $11::numeric[], $12::text[]) as e
  where $1::text is null or exists (select from batch)`;

/**
 * Stores a batch of well-formed events in one statement (spec 4.10). A batch that can be recognised is stored once,
 * however often and however concurrently it comes.
 *
 * Should PostgreSQL dislike one event all the same, the batch is halved until that one alone is left out.
 */
export async function storeEvents(em: EntityManager, batch: Batch): Promise<void> {
  if (batch.events.length === 0) return;
  const columns = columnsOf(batch);
  const digest = batch.isRecognisable ? digestOf(asTold(batch) ?? columns) : null;
  try {
    await query(em, insert, [digest, ...columns]);
  } catch (error) {
    if (!isOfData(error)) throw error;
    await storeInHalves(em, batch, digest);
  }
}

/** By what the register said: the moment it came is another one for each repeat. Undefined: nothing differs. */
function asTold({ source, events }: Batch): unknown[] | undefined {
  if (!events.some(({ toldAt }) => toldAt !== undefined)) return undefined;
  return columnsOf({
    source,
    events: events.map((event) => ({ ...event, recordedAt: event.toldAt ?? event.recordedAt })),
  });
}

/** No column holds the character between them. */
const digestOf = (columns: unknown[]) => hash('sha256', columns.join('\0'));

/**
 * Arrays as PostgreSQL reads them, written here in one pass: the driver's own way of writing takes as long as storing
 * them. Days, moments and decimals need no quotes.
 */
function columnsOf({ source, events }: Pick<Batch, 'source' | 'events'>): unknown[] {
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
    // JSON text has nothing to escape but what JSON itself escapes in the same way, and does so faster.
    data.push(eventData === undefined ? 'NULL' : JSON.stringify(eventData));
    values.push(value ?? 'NULL');
    periods.push(period === undefined ? 'NULL' : quoted(period));
  }
  return [
    source.locationId ?? null,
    source.terminalId ?? null,
    source.deviceId ?? null,
    source.appVersion ?? null,
    ...[days, moments, types, names, data, values, periods].map((column) => `{${column.join(',')}}`),
  ];
}

const special = /["\\]/;
const quoted = (value: string) => `"${special.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;

/** One transaction, so that the batch is known exactly when its events are there. */
const storeInHalves = (em: EntityManager, batch: Batch, digest: string | null): Promise<void> =>
  transact(em, async (tx) => {
    if (digest !== null) {
      const isNew = await query(
        tx,
        'insert into pos_telemetry_batch (digest) values ($1) on conflict (digest) do nothing returning digest',
        [digest],
      );
      if (isNew.length === 0) return;
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
    // Inside the transaction this is a savepoint.
    await em.transactional((tx) => query(tx, insert, [null, ...columnsOf(part)]));
    return true;
  } catch (error) {
    if (isOfData(error)) return false;
    throw error;
  }
}
