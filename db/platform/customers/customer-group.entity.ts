import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A customer group; 0 is "not logged in" (platform facts 8). */
export const CustomerGroup = defineEntity({
  name: 'CustomerGroup',
  tableName: 'customer_group',
  properties: {
    id: p.integer().primary(),
    /** Once, in any case of letters: tier prices name a group by it. */
    code: p.string().length(32),
    taxClassId: p.integer().default(3),
    /** Websites that are not for the group: kept for callers, who follow it (platform facts 8). */
    excludeWebsiteIds: p.json<number[]>().defaultRaw(`'[]'::jsonb`),
  },
  uniques: [
    {
      name: 'customer_group_code_once',
      expression: 'create unique index "customer_group_code_once" on "customer_group" (lower("code"))',
    },
  ],
});

export type CustomerGroup = InferEntity<typeof CustomerGroup>;
