import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

export const configVersionScopes = ['global', 'website', 'location', 'terminal'] as const;

/**
 * Counts the changes a register would see, per scope; the heartbeat's `config_hash` is made of these numbers, and of what is installed.
 *
 * Counted by triggers of the database, whoever writes. Website 0 of `website` is nobody's.
 */
export const ConfigVersion = defineEntity({
  name: 'ConfigVersion',
  tableName: 'pos_config_version',
  properties: {
    scope: p.enum(configVersionScopes).primary(),
    scopeId: p.integer().primary(),
    version: p.bigint('number').default(1),
  },
});

export type ConfigVersion = InferEntity<typeof ConfigVersion>;
