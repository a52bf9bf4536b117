import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * Guesses at one e-mail's passcode (spec 8), known addresses and unknown ones alike.
 *
 * Counted before the guess is looked at, so that parallel guesses buy no more looks than the ladder allows.
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
