import {
  isPlausible,
  readValue,
  type TelemetryEvent,
  type TelemetrySource,
} from '../../domain/telemetry/telemetry-event.ts';
import { plainText } from '../support/plain-text.ts';
import { isStorableText } from '../support/read-json.ts';
import { readInteger } from '../support/read-number.ts';
import { spellingsOf } from '../support/spelling.ts';
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
  const events = isRecord(payload) ? valueOf(payload, 'events') : undefined;
  if (!isRecord(payload) || !Array.isArray(events) || events.length === 0) return undefined;
  const source = readSource(payload);
  const read = events.map((event) => readEvent(event, now)).filter((event) => event !== undefined);
  return {
    source,
    events: read.map(({ event }) => event),
    isRecognisable: (source.terminalId ?? source.deviceId) !== undefined && read.every(({ isDated }) => isDated),
  };
}

function readSource(payload: object): TelemetrySource {
  return {
    locationId: readInteger(valueOf(payload, 'locationId')),
    terminalId: readInteger(valueOf(payload, 'terminalId')),
    deviceId: storable(readShort(valueOf(payload, 'deviceId'), longest.deviceId)),
    appVersion: storable(readShort(valueOf(payload, 'appVersion'), longest.appVersion)),
  };
}

function readEvent(given: unknown, now: Date): { event: TelemetryEvent; isDated: boolean } | undefined {
  if (!isRecord(given) || !isStorableJson(given)) return undefined;
  const eventType = readShort(valueOf(given, 'eventType'), longest.eventType);
  const eventName = readShort(valueOf(given, 'eventName'), longest.eventName);
  if (eventType === undefined || eventName === undefined) return undefined;

  const data = valueOf(given, 'eventData');
  const value = orMissing(valueOf(given, 'value'), readValue);
  const period = orMissing(valueOf(given, 'period'), (text) => readShort(text, longest.period));
  const recordedAt = orMissing(valueOf(given, 'recordedAt'), readStockDate);
  if (value === malformed || period === malformed || recordedAt === malformed) return undefined;
  if (recordedAt && !isPlausible(recordedAt, now)) return undefined;
  return {
    event: {
      eventType,
      eventName,
      eventData: data === undefined ? undefined : JSON.stringify(data),
      value,
      period,
      recordedAt: recordedAt ?? now,
    },
    isDated: recordedAt !== undefined,
  };
}

const malformed = Symbol('malformed');

/** Undefined for what is not there, `malformed` for what is there and cannot be read. */
function orMissing<Value>(given: unknown, read: (given: unknown) => Value | undefined) {
  if (given === undefined || given === '') return undefined;
  return read(given) ?? malformed;
}

/** Text of at least one character that can be seen, and of at most so many. */
function readShort(given: unknown, max: number): string | undefined {
  const text = plainText(given)?.trim();
  return text && text.length <= max ? text : undefined;
}

const storable = (text: string | undefined) => (text !== undefined && isStorableText(text) ? text : undefined);

/** Worked out once: a batch has thousands of keys. */
const spellings = {
  events: spellingsOf('events'),
  locationId: spellingsOf('locationId'),
  terminalId: spellingsOf('terminalId'),
  deviceId: spellingsOf('deviceId'),
  appVersion: spellingsOf('appVersion'),
  eventType: spellingsOf('eventType'),
  eventName: spellingsOf('eventName'),
  eventData: spellingsOf('eventData'),
  value: spellingsOf('value'),
  period: spellingsOf('period'),
  recordedAt: spellingsOf('recordedAt'),
};

/** By name in either spelling; null is absent. What JSON brought has nothing of these names but its own. */
function valueOf(holder: object, name: keyof typeof spellings): unknown {
  for (const spelling of spellings[name]) {
    const value: unknown = Reflect.get(holder, spelling);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
