import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Location } from '../locations/location.entity.ts';
import { textIndex } from '../support/search-indexes.ts';
import { timestamps } from '../support/timestamps.ts';
import { License } from './license.entity.ts';

/**
 * A register: a device bound to a location by its identifier (spec 2.4).
 *
 * Heartbeats write to a separate narrow table, so that this row changes only when the register changes.
 */
export const Terminal = defineEntity({
  name: 'Terminal',
  tableName: 'pos_terminal',
  properties: {
    terminalId: p.integer().primary().autoincrement(),
    name: p.string().length(255),
    /** Null while no device is bound. One device is one terminal. */
    deviceIdentifier: p.string().length(100).unique().nullable(),
    /** The last bound device: it may still ask why it is not bound any more. */
    releasedDeviceIdentifier: p.string().length(100).nullable().hidden(),
    locationId: () =>
      p.manyToOne(Location).mapToPk().fieldName('location_id').index().deleteRule('set null').nullable(),
    isActive: p.boolean().default(true).index(),
    /** In capitals; usable once, while `activationUsedAt` is null. */
    activationCode: p.string().length(12).nullable().hidden(),
    activationUsedAt: p.datetime(6).nullable(),
    /** The device for which the code is reserved while the license service is asked, and until when at most. */
    codeClaimedBy: p.string().length(100).nullable().hidden(),
    codeClaimedUntil: p.datetime(6).nullable().hidden(),
    licenseId: () => p.manyToOne(License).mapToPk().fieldName('license_id').index().deleteRule('set null').nullable(),
    /** Settings of this register alone, by the keys of the resolved config (spec 2.2). */
    configOverrides: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    ...timestamps,
  },
  indexes: [textIndex('pos_terminal', 'name')],
  uniques: [
    {
      name: 'pos_terminal_unused_code_once',
      properties: ['activationCode'],
      where: 'activation_used_at is null',
    },
  ],
  checks: [
    { name: 'pos_terminal_device_identifier_format', expression: `device_identifier ~ '^[a-zA-Z0-9-]{1,100}$'` },
    { name: 'pos_terminal_activation_code_format', expression: `activation_code ~ '^[A-Z0-9]{4,12}$'` },
  ],
});

export type Terminal = InferEntity<typeof Terminal>;
