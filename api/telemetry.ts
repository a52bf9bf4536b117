import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { reportTelemetry, storeEvents } from '../db/telemetry/store-events.ts';
import { noteSoftware } from '../db/terminals/note-software.ts';
import { isStorableText } from '../domain/storable-text.ts';
import { timeZoneOfLocation } from '../db/platform/stores/time-zone.ts';
import { dateAfter } from '../domain/local-day.ts';
import { dayOf, isPlausible, readValue, type TelemetryEvent, type TelemetrySource } from '../domain/telemetry.ts';
import { route, type RouteContext } from './http/route.ts';
import { plainText, readStockDate, readWholeNumber } from './wire/criteria.ts';
import { count, decimal, fieldsOf, orNull } from './wire/fields.ts';
import { invalidField } from './wire/outcomes.ts';
import { recordId, stockDate } from './wire/schemas.ts';
import { isStorableJson } from './wire/storable-json.ts';

/** Without dates: the last month. */
const defaultDays = 30;
/** Earlier dates are refused, because no earlier telemetry is stored. */
const earliestDay = '2000-01-01';
/** A limit, because registers choose the names themselves. */
const mostRows = 10_000;

const sum = fieldsOf({
  day: z.iso.date(),
  location_id: z.int().nullable(),
  event_type: z.string(),
  event_name: z.string(),
  event_count: count(),
  value_count: count(),
  value_sum: decimal(),
  value_min: orNull(decimal()),
  value_max: orNull(decimal()),
  is_final: z.boolean(),
});

/** Counts of telemetry by day, location and name (spec 4.10; the shape is our choice), newest day first. */
export const telemetryReport = route({
  method: 'GET',
  path: '/V1/pos/telemetry/report',
  acl: 'Vendor_Pos::pos',
  summary: 'Telemetry by day, location and name',
  name: 'getTelemetryReport',
  description: `Sums by day, location and name, the newest day first. Without dates it is the last 30 days. Days are
    those of the website's time zone, and both ends belong to it. \`is_final\` is false for days that are not summed up yet: today, and yesterday
    until 04:00. \`is_complete\` is false where there are more than 10,000 rows.`,
  outcomes: [invalidField('`from` or `to` is no date.')],
  query: z.object({ locationId: recordId.optional(), from: stockDate.optional(), to: stockDate.optional() }),
  response: z.object({
    location_id: z.int().nullable(),
    from: z.iso.date(),
    to: z.iso.date(),
    total_events: z.int(),
    is_complete: z.boolean(),
    rows: z.array(sum.answer),
  }),

  async handle({ em, query, now }) {
    const zone = await timeZoneOfLocation(em, query.locationId);
    const to = query.to ? dayOf(query.to) : dayOf(now, 0, zone);
    const request = query.from ? dayOf(query.from) : dateAfter(to, -defaultDays);
    const from = request < earliestDay ? earliestDay : request;
    const question = { locationId: query.locationId, from, to, today: dayOf(now, 0, zone), limit: mostRows + 1 };
    const found = await reportTelemetry(em, question);
    const rows = found.slice(0, mostRows).map(sum.render);
    return {
      location_id: query.locationId ?? null,
      from,
      to,
      total_events: rows.reduce((sum, row) => sum + row.event_count, 0),
      is_complete: found.length <= mostRows,
      rows,
    };
  },
});

export interface ReadBatch {
  source: TelemetrySource;
  /** The well-formed events. */
  events: TelemetryEvent[];
  /** Whether a repeat of the batch can be recognised: it names its register and the time of each event. */
  isRecognisable: boolean;
}

/** The lengths of the columns. */
const longest = { eventType: 128, eventName: 255, period: 64, deviceId: 255, appVersion: 64 };

/** Events read before other requests get their turn: a few milliseconds. */
const readAtOnce = 1_000;

/**
 * Reads a batch as leniently as the interface demands (spec 4.10): malformed parts are left out, nothing is refused.
 *
 * @returns undefined for something that is not a batch, or has no events
 */
async function readBatch(payload: unknown, now: Date): Promise<ReadBatch | undefined> {
  const input = isRecord(payload) ? payload['events'] : undefined;
  if (!isRecord(payload) || !Array.isArray(input) || input.length === 0) return undefined;
  const source = readSource(payload);
  const events: TelemetryEvent[] = [];
  let isDated = true;
  const reading = { now: now.toISOString(), moment: momentReader(now), undated: () => (isDated = false) };
  for (const [at, one] of input.entries()) {
    if (at % readAtOnce === readAtOnce - 1) await setImmediate();
    const event = readEvent(one, reading);
    if (event) events.push(event);
  }
  return { source, events, isRecognisable: (source.terminalId ?? source.deviceId) !== undefined && isDated };
}

/**
 * Keys come in either spelling, the camelCase one wins; null counts as absent. Written out by hand, because a batch
 * has thousands of keys.
 */
function readSource(payload: Input): TelemetrySource {
  return {
    locationId: readWholeNumber(payload['locationId'] ?? payload['location_id']),
    terminalId: readWholeNumber(payload['terminalId'] ?? payload['terminal_id']),
    deviceId: storable(readShort(payload['deviceId'] ?? payload['device_id'], longest.deviceId)),
    appVersion: storable(readShort(payload['appVersion'] ?? payload['app_version'], longest.appVersion)),
  };
}

type Moment = Pick<TelemetryEvent, 'recordedAt' | 'toldAt'>;

interface Reading {
  now: string;
  moment: (input: unknown) => Moment | undefined;
  /** Called for a well-formed event without a time. */
  undated: () => void;
}

function readEvent(input: unknown, { now, moment, undated }: Reading): TelemetryEvent | undefined {
  if (!isRecord(input) || !isStorableJson(input)) return undefined;
  const eventType = readShort(input['eventType'] ?? input['event_type'], longest.eventType);
  const eventName = readShort(input['eventName'] ?? input['event_name'], longest.eventName);
  if (eventType === undefined || eventName === undefined) return undefined;

  const data = input['eventData'] ?? input['event_data'] ?? undefined;
  const value = orMissing(input['value'], readValue);
  const period = orMissing(input['period'], readPeriod);
  const recorded = orMissing(input['recordedAt'] ?? input['recorded_at'], moment);
  if (value === malformed || period === malformed || recorded === malformed) return undefined;
  if (recorded === undefined) undated();
  return {
    eventType,
    eventName,
    eventData: data === undefined ? undefined : JSON.stringify(data),
    value,
    period,
    ...(recorded ?? { recordedAt: now }),
  };
}

const readPeriod = (input: unknown) => readShort(input, longest.period);

/** Reads times in ISO 8601. Counters of one report share a time, so the last result is reused. */
function momentReader(now: Date): Reading['moment'] {
  let last: { given: unknown; read: Moment | undefined } = { given: undefined, read: undefined };
  return (input) => {
    if (input !== last.given) last = { given: input, read: readMoment(input, now) };
    return last.read;
  };
}

/**
 * An event from a clock that is years wrong, or days ahead, is not lost: it counts at the present time (our choice).
 */
function readMoment(input: unknown, now: Date): Moment | undefined {
  const moment = readWritten(input) ?? readStockDate(input);
  if (!moment) return undefined;
  const written = moment.toISOString();
  return isPlausible(moment, now) ? { recordedAt: written } : { recordedAt: now.toISOString(), toldAt: written };
}

/** A time in JavaScript's own format only needs to be written back and compared. */
function readWritten(input: unknown): Date | undefined {
  if (typeof input !== 'string' || input.length !== 24) return undefined;
  const moment = new Date(input);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === input ? moment : undefined;
}

const malformed = Symbol('malformed');

/** Undefined for an absent value, `malformed` for an unreadable one. */
function orMissing<Value>(input: unknown, read: (posted: unknown) => Value | undefined) {
  if (input === undefined || input === null || input === '') return undefined;
  return read(input) ?? malformed;
}

/** Text with at least one visible character, and at most this length. */
function readShort(input: unknown, max: number): string | undefined {
  const text = plainText(input)?.trim();
  return text && text.length <= max ? text : undefined;
}

const storable = (text: string | undefined) => (text !== undefined && isStorableText(text) ? text : undefined);

type Input = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** More than a register collects in weeks without a connection; a larger batch is answered false. */
const largestBatchBytes = 8_388_608;

/**
 * Stores a batch of telemetry (spec 4.10). Malformed events are left out, all others are stored. It refuses nothing.
 * False means that nothing was stored: no event was valid, or the batch was above 8 MB.
 *
 * An event with an impossible time, before 2000 or more than a day ahead, gets the time of its arrival (our choice).
 *
 * A register that lost our answer sends its batch again. The batch counts once, if it names its register and the time
 * of each event (our choice).
 *
 * @example { payload: { terminal_id: 7, events: [{ event_type: 'counter', event_name: 'checkout_completed', value: 1 }]
 * } }
 */
export const submitTelemetry = route({
  method: 'POST',
  path: '/V1/pos/telemetry',
  acl: 'Vendor_Pos::locations',
  summary: 'Submit a batch of telemetry',
  name: 'submitTelemetry',
  description: `Refuses nothing: true means that something was stored, false that nothing was. Malformed events are
    left out. A batch may have 8 MB. A repeat counts once, as long as the batch names its register and each event its
    moment. An event from before 2000, or more than a day ahead, counts at the moment it came.`,
  outcomes: [],
  commits: 'several',
  body: z.object({ payload: z.unknown().optional() }),
  response: z.boolean(),
  takesAnyJson: true,
  mostBytes: largestBatchBytes,

  async handle(request) {
    const { em, body, now } = request;
    const batch = await readBatch(body.payload, now);
    if (!batch || batch.events.length === 0) return false;
    await storeEvents(em, batch);
    await noteVersion(request, batch.source);
    return true;
  },
});

/** For the operator's page Tills. Telemetry refuses nothing, so a fault here is a line of the log alone. */
async function noteVersion({ em, log }: RouteContext, { terminalId, appVersion }: TelemetrySource): Promise<void> {
  if (terminalId === undefined || appVersion === undefined) return;
  try {
    await noteSoftware(em, { terminalId, appVersion });
  } catch (error) {
    log.warn({ terminalId, error }, 'the version of a register could not be noted; its next batch tries again');
  }
}
