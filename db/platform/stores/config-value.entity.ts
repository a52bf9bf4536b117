import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

export const configScopes = ['default', 'websites', 'stores'] as const;

/** One merchant setting in one scope: store view over website over default. Provider keys are encrypted at rest. */
export const ConfigValue = defineEntity({
  name: 'ConfigValue',
  tableName: 'config_value',
  properties: {
    configId: p.integer().primary().autoincrement(),
    scope: p.enum(configScopes).default('default'),
    scopeId: p.integer().default(0),
    path: p.string().length(255),
    value: p.text().nullable(),
    isEncrypted: p.boolean().default(false),
  },
  uniques: [{ name: 'config_value_once_per_scope', properties: ['path', 'scope', 'scopeId'] }],
});

export type ConfigValue = InferEntity<typeof ConfigValue>;
