import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A batch that was stored, by what was in it: a register that lost our answer sends it again. */
export const TelemetryBatch = defineEntity({
  name: 'TelemetryBatch',
  tableName: 'pos_telemetry_batch',
  properties: {
    digest: p.string().length(64).primary(),
    receivedAt: p.datetime(6).defaultRaw('now()').index(),
  },
});

export type TelemetryBatch = InferEntity<typeof TelemetryBatch>;
