import { TelemetryBatch } from './telemetry-batch.entity.ts';
import { TelemetryEvent } from './telemetry-event.entity.ts';
import { TelemetrySummary } from './telemetry-summary.entity.ts';

/** The tables of telemetry. */
export const telemetryEntities = [TelemetryEvent, TelemetryBatch, TelemetrySummary];
