import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { timestamps } from '../../support/timestamps.ts';

/** A platform administrator, with the resources of the role (platform facts 1.2). */
export const AdminUser = defineEntity({
  name: 'AdminUser',
  tableName: 'admin_user',
  properties: {
    userId: p.integer().primary().autoincrement(),
    username: p.string().length(40).unique(),
    firstName: p.string().length(64),
    lastName: p.string().length(64),
    email: p.string().length(128).unique(),
    passwordHash: p.string().length(255).hidden(),
    isActive: p.boolean().default(true),
    /** Null: a user without a role, who gets no token. */
    resources: p.json<string[]>().nullable(),
    ...timestamps,
  },
});

export type AdminUser = InferEntity<typeof AdminUser>;
