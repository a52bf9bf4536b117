import {
  isPlausible,
  readValue,
  type TelemetryEvent,
  type TelemetrySource,
} from '../../domain/telemetry/telemetry-event.ts';
import { plainText } from '../wire/plain-text.ts';
import { isStorableText } from '../wire/read-json.ts';
import { readInteger } from '../wire/read-number.ts';
import { readStockDate } from '../wire/stock-date.ts';
import { isStorableJson } from '../wire/storable-json.ts';

export interface ReadBatch {
  source: TelemetrySource;
  /** The well-formed ones. */
  events: TelemetryEvent[];
  /** Whether the register may send it again and mean the same: it says who it is and when each event was. */
  isRecognisable: boolean;
}

/** What the columns hold. */
const longest = { eventType: 128, eventName: 255, period: 64, deviceId: 255, appVersion: 64 };

/**
 * Reads a batch as leniently as the interface has it (spec 4.10): what is malformed is left out, nothing is refused.
 *
 * @returns undefined for what is no batch, or has no events
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

/** Keys come in either spelling, the camelCase one wins; null is absent. Written out: a batch has thousands of them. */
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
  /** Is told of a well-formed event that does not say when it was. */
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

/** Reads moments, in ISO 8601. Counters that are told together carry one moment, so the last is kept. */
function momentReader(now: Date): Reading['moment'] {
  let last: { given: unknown; read: Moment | undefined } = { given: undefined, read: undefined };
  return (given) => {
    if (given !== last.given) last = { given, read: readMoment(given, now) };
    return last.read;
  };
}

/** A clock that is years wrong, or days ahead, loses no event: what it says is taken for now (our choice). */
function readMoment(given: unknown, now: Date): Moment | undefined {
  const moment = readWritten(given) ?? readStockDate(given);
  if (!moment) return undefined;
  const told = moment.toISOString();
  return isPlausible(moment, now) ? { recordedAt: told } : { recordedAt: now.toISOString(), toldAt: told };
}

/** What is written as JavaScript writes it needs no other look than whether it would be written so again. */
function readWritten(given: unknown): Date | undefined {
  if (typeof given !== 'string' || given.length !== 24) return undefined;
  const moment = new Date(given);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === given ? moment : undefined;
}

const malformed = Symbol('malformed');

/** Undefined for what is not there, `malformed` for what is there and cannot be read. */
function orMissing<Value>(given: unknown, read: (given: unknown) => Value | undefined) {
  if (given === undefined || given === null || given === '') return undefined;
  return read(given) ?? malformed;
}

/** Text of at least one character that can be seen, and of at most so many. */
function readShort(given: unknown, max: number): string | undefined {
  const text = plainText(given)?.trim();
  return text && text.length <= max ? text : undefined;
}

const storable = (text: string | undefined) => (text !== undefined && isStorableText(text) ? text : undefined);

type Given = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
