import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A customer group; 0 is "not logged in" (platform facts 8). */
export const CustomerGroup = defineEntity({
  name: 'CustomerGroup',
  tableName: 'customer_group',
  properties: {
    id: p.integer().primary(),
    code: p.string().length(32).unique(),
    taxClassId: p.integer().default(3),
  },
});

export type CustomerGroup = InferEntity<typeof CustomerGroup>;
