import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

export const configVersionScopes = ['global', 'website', 'location', 'terminal'] as const;

/**
 * Counts, per scope, the changes that registers see. The heartbeat's `config_hash` is made of these counters and the
 * installed services.
 *
 * Triggers of the database count every write. Website 0 of `website` is unused.
 */
export const ConfigVersion = defineEntity({
  name: 'ConfigVersion',
  tableName: 'pos_config_version',
  properties: {
    scope: p.enum(configVersionScopes).primary(),
    scopeId: p.bigint('number').primary(),
    version: p.bigint('number').default(1),
  },
});

export type ConfigVersion = InferEntity<typeof ConfigVersion>;
