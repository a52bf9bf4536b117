import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

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
