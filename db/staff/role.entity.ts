import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { timestamps } from '../support/timestamps.ts';

/** A cashier's rights at the register, which enforces them (spec 2.6). `permissions` is a JSON text of boolean keys. */
export const Role = defineEntity({
  name: 'Role',
  tableName: 'pos_role',
  properties: {
    roleId: p.integer().primary().autoincrement(),
    name: p.string().length(255),
    permissions: p.text().default('{}'),
    isActive: p.boolean().default(true),
    ...timestamps,
  },
});

export type Role = InferEntity<typeof Role>;
