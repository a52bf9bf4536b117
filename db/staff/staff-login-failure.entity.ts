import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * Failed guesses at the passcode of one e-mail (spec 8), for known and unknown addresses alike.
 *
 * Counted before the guess is checked, so that concurrent guesses never exceed the limits.
 */
export const StaffLoginFailure = defineEntity({
  name: 'StaffLoginFailure',
  tableName: 'pos_staff_login_failure',
  properties: {
    emailDigest: p.string().length(64).primary(),
    failures: p.integer(),
    firstFailedAt: p.datetime(6),
    /** Null: no cooldown. */
    blockedUntil: p.datetime(6).nullable(),
  },
  indexes: [{ properties: ['firstFailedAt'] }],
});

export type StaffLoginFailure = InferEntity<typeof StaffLoginFailure>;
