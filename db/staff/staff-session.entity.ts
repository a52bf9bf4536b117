import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * A cashier's sign-in (spec 2.7), kept as the SHA-256 digest of its token.
 *
 * No foreign key to the staff: a session stays after its member was deleted, and its validation then reports that
 * (spec 4.3).
 */
export const StaffSession = defineEntity({
  name: 'StaffSession',
  tableName: 'pos_staff_session',
  properties: {
    sessionId: p.integer().primary().autoincrement(),
    digest: p.string().length(64).unique().hidden(),
    staffId: p.integer().index(),
    terminalId: p.integer().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    expiresAt: p.datetime(6).index(),
  },
});

export type StaffSession = InferEntity<typeof StaffSession>;
