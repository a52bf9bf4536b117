import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalIds } from '../support/columns.ts';

/** The longest type and the longest name. */
const longestEventType = 128;
const longestEventName = 255;

/**
 * A count or an event from a register (spec 2.16), as sent. Partitioned by the day it was recorded, in UTC; days
 * without a partition are in the last one, `pos_telemetry_event_other`.
 *
 * The primary key also finds days with new events.
 */
export const TelemetryEvent = defineEntity({
  name: 'TelemetryEvent',
  tableName: 'pos_telemetry_event',
  properties: {
    recordedOn: p.date().primary(),
    receivedAt: p.datetime(6).primary().defaultRaw('now()'),
    eventId: p.bigint('number').primary().autoincrement(),
    recordedAt: p.datetime(6),
    ...optionalIds('locationId', 'terminalId'),
    deviceId: p.string().length(255).nullable(),
    appVersion: p.string().length(64).nullable(),
    eventType: p.string().length(longestEventType),
    eventName: p.string().length(longestEventName),
    eventData: p.json<unknown>().nullable(),
    value: p.decimal('string').precision(24).scale(6).nullable(),
    period: p.string().length(64).nullable(),
  },
  partitionBy: {
    type: 'range',
    expression: 'recorded_on',
    partitions: [{ name: 'pos_telemetry_event_other', values: 'default' }],
  },
});

export type TelemetryEvent = InferEntity<typeof TelemetryEvent>;

const value = () => p.decimal('string').precision(24).scale(6).nullable();

/** The sum of the events of a day, a location and a name. Always computed again, never added to. */
export const TelemetrySummary = defineEntity({
  name: 'TelemetrySummary',
  tableName: 'pos_telemetry_summary',
  properties: {
    day: p.date().primary(),
    /** 0: the registers sent no location. */
    locationId: p.bigint('number').primary(),
    eventType: p.string().length(longestEventType).primary(),
    eventName: p.string().length(longestEventName).primary(),
    eventCount: p.bigint('number'),
    /** Events with a value. */
    valueCount: p.bigint('number'),
    valueSum: p.decimal('string').precision(38).scale(6),
    valueMin: value(),
    valueMax: value(),
    summarisedAt: p.datetime(6),
  },
});

export type TelemetrySummary = InferEntity<typeof TelemetrySummary>;

/** A stored batch, by a digest of its content: a register that lost our answer sends it again. */
export const TelemetryBatch = defineEntity({
  name: 'TelemetryBatch',
  tableName: 'pos_telemetry_batch',
  properties: {
    digest: p.string().length(64).primary(),
    receivedAt: p.datetime(6).defaultRaw('now()').index(),
  },
});

export type TelemetryBatch = InferEntity<typeof TelemetryBatch>;
