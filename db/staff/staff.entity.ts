import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Location } from '../locations/location.entity.ts';
import { timestamps } from '../support/shop-clock.ts';

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

/** A cashier's rights at the register, which enforces them (spec 2.6). `permissions` is a JSON text of boolean keys. */
export const Role = defineEntity({
  name: 'Role',
  tableName: 'pos_role',
  properties: {
    roleId: p.bigint('number').primary().autoincrement(),
    name: p.string().length(255),
    permissions: p.text().default('{}'),
    isActive: p.boolean().default(true),
    ...timestamps,
  },
});

export type Role = InferEntity<typeof Role>;

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
    sessionId: p.bigint('number').primary().autoincrement(),
    digest: p.string().length(64).unique().hidden(),
    staffId: p.bigint('number').index(),
    terminalId: p.bigint('number').nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    expiresAt: p.datetime(6).index(),
  },
  // A trigger ends the sessions of a terminal whose activation code, device, location or activity changes.
  indexes: [{ name: 'pos_staff_session_terminal', properties: ['terminalId'], where: 'terminal_id is not null' }],
});

export type StaffSession = InferEntity<typeof StaffSession>;

/** A person who works at a register; not a platform administrator (spec 2.5). */
export const Staff = defineEntity({
  name: 'Staff',
  tableName: 'pos_staff',
  properties: {
    staffId: p.bigint('number').primary().autoincrement(),
    /** Generated once and never changed; printed on receipts instead of a name where the shop wants that. */
    staffCode: p.string().length(5).unique(),
    firstName: p.string().length(255),
    lastName: p.string().length(255),
    email: p.string().length(255),
    /** The e-mail in the form that sign-in compares (`emailKey`). */
    emailKey: p.string().length(255).unique().hidden(),
    passcodeHash: p.string().length(72).hidden(),
    passcodeUpdatedAt: p.datetime(6).defaultRaw('now()'),
    roleId: () => p.manyToOne(Role).mapToPk().fieldName('role_id').index().deleteRule('restrict'),
    allLocations: p.boolean().default(false),
    isActive: p.boolean().default(true),
    ...timestamps,
  },
  indexes: [{ name: 'pos_staff_everywhere', properties: ['staffId'], where: 'all_locations and is_active' }],
});
export type Staff = InferEntity<typeof Staff>;

/** A location where a member works; staff with `allLocations` need no row. */
export const StaffLocation = defineEntity({
  name: 'StaffLocation',
  tableName: 'pos_staff_location',
  properties: {
    staff: () => p.manyToOne(Staff).primary().fieldName('staff_id').deleteRule('cascade'),
    location: () => p.manyToOne(Location).primary().fieldName('location_id').index().deleteRule('cascade'),
  },
});
export type StaffLocation = InferEntity<typeof StaffLocation>;
