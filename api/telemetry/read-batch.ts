import {
  isPlausible,
  readValue,
  type TelemetryEvent,
  type TelemetrySource,
} from '../../domain/telemetry/telemetry-event.ts';
import { plainText } from '../wire/plain-text.ts';
import { isStorableText } from '../../domain/storable-text.ts';
import { readInteger } from '../wire/read-number.ts';
import { readStockDate } from '../wire/stock-date.ts';
import { isStorableJson } from '../wire/storable-json.ts';

export interface ReadBatch {
  source: TelemetrySource;
  /** The well-formed events. */
  events: TelemetryEvent[];
  /** Whether a repeat of the batch can be recognised: it names its register and the time of each event. */
  isRecognisable: boolean;
}

/** The lengths of the columns. */
const longest = { eventType: 128, eventName: 255, period: 64, deviceId: 255, appVersion: 64 };

/**
 * Reads a batch as leniently as the interface demands (spec 4.10): malformed parts are left out, nothing is refused.
 *
 * @returns undefined for something that is not a batch, or has no events
 */
export function readBatch(payload: unknown, now: Date): ReadBatch | undefined {
  const given = isRecord(payload) ? payload['events'] : undefined;
  if (!isRecord(payload) || !Array.isArray(given) || given.length === 0) return undefined;
  const source = readSource(payload);
  const events: TelemetryEvent[] = [];
  let isDated = true;
  const reading = { now: now.toISOString(), moment: momentReader(now), undated: () => (isDated = false) };
  for (const one of given) {
    const event = readEvent(one, reading);
    if (event) events.push(event);
  }
  return { source, events, isRecognisable: (source.terminalId ?? source.deviceId) !== undefined && isDated };
}

/**
 * Keys come in either spelling, the camelCase one wins; null counts as absent. Written out by hand, because a batch
 * has thousands of keys.
 */
function readSource(payload: Given): TelemetrySource {
  return {
    locationId: readInteger(payload['locationId'] ?? payload['location_id']),
    terminalId: readInteger(payload['terminalId'] ?? payload['terminal_id']),
    deviceId: storable(readShort(payload['deviceId'] ?? payload['device_id'], longest.deviceId)),
    appVersion: storable(readShort(payload['appVersion'] ?? payload['app_version'], longest.appVersion)),
  };
}

type Moment = Pick<TelemetryEvent, 'recordedAt' | 'toldAt'>;

interface Reading {
  now: string;
  moment: (given: unknown) => Moment | undefined;
  /** Called for a well-formed event without a time. */
  undated: () => void;
}

function readEvent(given: unknown, { now, moment, undated }: Reading): TelemetryEvent | undefined {
  if (!isRecord(given) || !isStorableJson(given)) return undefined;
  const eventType = readShort(given['eventType'] ?? given['event_type'], longest.eventType);
  const eventName = readShort(given['eventName'] ?? given['event_name'], longest.eventName);
  if (eventType === undefined || eventName === undefined) return undefined;

  const data = given['eventData'] ?? given['event_data'] ?? undefined;
  const value = orMissing(given['value'], readValue);
  const period = orMissing(given['period'], readPeriod);
  const recorded = orMissing(given['recordedAt'] ?? given['recorded_at'], moment);
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

const readPeriod = (given: unknown) => readShort(given, longest.period);

/** Reads times in ISO 8601. Counters of one report share a time, so the last result is reused. */
function momentReader(now: Date): Reading['moment'] {
  let last: { given: unknown; read: Moment | undefined } = { given: undefined, read: undefined };
  return (given) => {
    if (given !== last.given) last = { given, read: readMoment(given, now) };
    return last.read;
  };
}

/**
 * An event from a clock that is years wrong, or days ahead, is not lost: it counts at the present time (our choice).
 */
function readMoment(given: unknown, now: Date): Moment | undefined {
  const moment = readWritten(given) ?? readStockDate(given);
  if (!moment) return undefined;
  const written = moment.toISOString();
  return isPlausible(moment, now) ? { recordedAt: written } : { recordedAt: now.toISOString(), toldAt: written };
}

/** A time in JavaScript's own format only needs to be written back and compared. */
function readWritten(given: unknown): Date | undefined {
  if (typeof given !== 'string' || given.length !== 24) return undefined;
  const moment = new Date(given);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === given ? moment : undefined;
}

const malformed = Symbol('malformed');

/** Undefined for an absent value, `malformed` for an unreadable one. */
function orMissing<Value>(given: unknown, read: (given: unknown) => Value | undefined) {
  if (given === undefined || given === null || given === '') return undefined;
  return read(given) ?? malformed;
}

/** Text with at least one visible character, and at most this length. */
function readShort(given: unknown, max: number): string | undefined {
  const text = plainText(given)?.trim();
  return text && text.length <= max ? text : undefined;
}

const storable = (text: string | undefined) => (text !== undefined && isStorableText(text) ? text : undefined);

type Given = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
