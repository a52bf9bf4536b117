import {
  isPlausible,
  readValue,
  type TelemetryEvent,
  type TelemetrySource,
} from '../../domain/telemetry/telemetry-event.ts';
import { plainText } from '../support/plain-text.ts';
import { isStorableText } from '../support/read-json.ts';
import { readInteger } from '../support/read-number.ts';
import { readStockDate } from '../support/stock-date.ts';
import { isStorableJson } from '../support/storable-json.ts';

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

interface Reading {
  now: string;
  moment: (given: unknown) => string | undefined;
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
  const recordedAt = orMissing(given['recordedAt'] ?? given['recorded_at'], moment);
  if (value === malformed || period === malformed || recordedAt === malformed) return undefined;
  if (recordedAt === undefined) undated();
  return {
    eventType,
    eventName,
    eventData: data === undefined ? undefined : JSON.stringify(data),
    value,
    period,
    recordedAt: recordedAt ?? now,
  };
}

const readPeriod = (given: unknown) => readShort(given, longest.period);

/** Reads plausible moments, in ISO 8601. Counters that are told together carry one moment, so the last is kept. */
function momentReader(now: Date): Reading['moment'] {
  let last: { given: unknown; read: string | undefined } = { given: undefined, read: undefined };
  return (given) => {
    if (given !== last.given) last = { given, read: readMoment(given, now) };
    return last.read;
  };
}

function readMoment(given: unknown, now: Date): string | undefined {
  const moment = readWritten(given) ?? readStockDate(given);
  return moment && isPlausible(moment, now) ? moment.toISOString() : undefined;
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
