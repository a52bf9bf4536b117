import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Location } from '../locations/location.entity.ts';
import { timestamps } from '../support/timestamps.ts';
import { Role } from './role.entity.ts';

/** A person who works at a register; not a platform administrator (spec 2.5). */
export const Staff = defineEntity({
  name: 'Staff',
  tableName: 'pos_staff',
  properties: {
    staffId: p.integer().primary().autoincrement(),
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
    staffId: () => p.manyToOne(Staff).mapToPk().primary().fieldName('staff_id').deleteRule('cascade'),
    locationId: () => p.manyToOne(Location).mapToPk().primary().fieldName('location_id').index().deleteRule('cascade'),
  },
});
export type StaffLocation = InferEntity<typeof StaffLocation>;
