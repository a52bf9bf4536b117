import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { longestEventName, longestEventType } from './telemetry-event.entity.ts';

const value = () => p.decimal('string').precision(24).scale(6).nullable();

/** The sum of the events of a day, a location and a name. Always computed again, never added to. */
export const TelemetrySummary = defineEntity({
  name: 'TelemetrySummary',
  tableName: 'pos_telemetry_summary',
  properties: {
    day: p.date().primary(),
    /** 0: the registers sent no location. */
    locationId: p.integer().primary(),
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
