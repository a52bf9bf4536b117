import { TelemetryBatch, TelemetryEvent, TelemetrySummary } from './telemetry-event.entity.ts';

/** The tables of telemetry. */
export const telemetryEntities = [TelemetryEvent, TelemetryBatch, TelemetrySummary];
