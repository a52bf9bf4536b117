import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { licenseStatuses, licenseTypes } from '../../domain/terminals.ts';
import { Location } from '../locations/location.entity.ts';
import { computedMoment, textIndex } from '../support/columns.ts';
import { timestamps } from '../support/shop-clock.ts';

/** A terminal's license and the fiscal credentials that come with it (spec 2.2). Token and key are sealed at rest. */
export const License = defineEntity({
  name: 'License',
  tableName: 'pos_license',
  properties: {
    licenseId: p.bigint('number').primary().autoincrement(),
    /** The license service's key; null for a license granted by an administrator. */
    licenseKey: p.string().length(128).nullable().unique(),
    type: p.enum(licenseTypes).fieldName('license_type'),
    status: p.enum(licenseStatuses).fieldName('license_status').default('active'),
    sealedToken: p.text().nullable().hidden(),
    expiresAt: p.datetime(6).nullable(),
    fiscalTssId: p.string().length(128).nullable(),
    sealedFiscalApiKey: p.text().nullable().hidden(),
    lastUpstreamCheckAt: p.datetime(6).nullable(),
    lastUpstreamCheckSucceeded: p.boolean().nullable(),
    ...timestamps,
  },
});

export type License = InferEntity<typeof License>;

/**
 * A register: a device bound to a location by its identifier (spec 2.4).
 *
 * Heartbeats write to a separate narrow table, so that this row changes only when the register changes.
 */
export const Terminal = defineEntity({
  name: 'Terminal',
  tableName: 'pos_terminal',
  properties: {
    terminalId: p.bigint('number').primary().autoincrement(),
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
    /** Of its last heartbeat. */
    lastSeenAt: computedMoment(
      ({ terminalId }) => `(select h.last_seen_at from pos_terminal_heartbeat h where h.terminal_id = ${terminalId})`,
    ),
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

/** What a register runs, for the operator's page: the configuration it fetched last, and the program that did. */
export const TerminalSoftware = defineEntity({
  name: 'TerminalSoftware',
  tableName: 'pos_terminal_software',
  properties: {
    terminalId: () => p.manyToOne(Terminal).mapToPk().primary().fieldName('terminal_id').deleteRule('cascade'),
    /** Of the configuration that it fetched last, as the heartbeat tells it. */
    configHash: p.string().length(32).nullable(),
    fetchedAt: p.datetime(6).nullable(),
    /** The `User-Agent` of that request. */
    agent: p.string().length(255).nullable(),
    /** As its telemetry names it. */
    appVersion: p.string().length(64).nullable(),
  },
});

export type TerminalSoftware = InferEntity<typeof TerminalSoftware>;

/**
 * The last heartbeat of a terminal: narrow and without further indexes, so that each heartbeat updates one page in
 * place.
 */
export const TerminalHeartbeat = defineEntity({
  name: 'TerminalHeartbeat',
  tableName: 'pos_terminal_heartbeat',
  properties: {
    terminalId: () => p.manyToOne(Terminal).mapToPk().primary().fieldName('terminal_id').deleteRule('cascade'),
    lastSeenAt: p.datetime(6).nullable(),
  },
});

export type TerminalHeartbeat = InferEntity<typeof TerminalHeartbeat>;
