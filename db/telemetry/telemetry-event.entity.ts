import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalIntegers } from '../support/columns.ts';

/** The longest type and the longest name. */
export const longestEventType = 128;
export const longestEventName = 255;

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
    ...optionalIntegers('locationId', 'terminalId'),
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
