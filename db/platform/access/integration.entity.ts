import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { timestamps } from '../../support/timestamps.ts';

/** A system that calls the API with a token of its own, such as a register (platform facts 1.1). */
export const Integration = defineEntity({
  name: 'Integration',
  tableName: 'integration',
  properties: {
    integrationId: p.integer().primary().autoincrement(),
    name: p.string().length(255).unique(),
    isActive: p.boolean().default(true),
    resources: p.json<string[]>().defaultRaw(`'[]'::jsonb`),
    ...timestamps,
  },
});

export type Integration = InferEntity<typeof Integration>;
