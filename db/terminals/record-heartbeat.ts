import type { EntityManager } from '@mikro-orm/postgresql';
import { unauthorized } from '../../domain/errors.ts';
import type { LicenseStatus } from '../../domain/terminals/license.ts';
import { configHash } from '../configuration/config-hash.ts';
import { findTerminal } from './terminal.repository.ts';

/** What a heartbeat finds. Moments are text. */
export interface Heartbeat {
  isActive: boolean;
  isBound: boolean;
  hasUnusedCode: boolean;
  requiresTerminalRegistration: string | null;
  configHash: string;
  licenseId: number | null;
  licenseStatus: LicenseStatus | null;
  licenseExpiresAt: string | null;
  sealedToken: string | null;
  lastUpstreamCheckAt: string | null;
  lastUpstreamCheckSucceeded: boolean | null;
}

interface HeartbeatRow extends Omit<Heartbeat, 'configHash'> {
  versions: string;
}

/** A function of the database, which plans its statement once. */
const beat = `
select is_active as "isActive", is_bound as "isBound", has_unused_code as "hasUnusedCode",
  requires_terminal_registration as "requiresTerminalRegistration", versions, license_id as "licenseId",
  license_status as "licenseStatus", expires_at as "licenseExpiresAt", sealed_token as "sealedToken",
  last_upstream_check_at as "lastUpstreamCheckAt", last_upstream_check_succeeded as "lastUpstreamCheckSucceeded"
from pos_heartbeat(?, ?)`;

/**
 * Notes that a terminal is alive and tells what it must know, in one statement (spec 4.2). The device that was bound
 * last is heard too, so that it learns why it no longer is.
 *
 * Any number of beats are as good as the last one.
 *
 * Refused with: 404 unknown terminal · 401 another device.
 */
export async function recordHeartbeat(
  em: EntityManager,
  { terminalId, deviceIdentifier }: { terminalId: number; deviceIdentifier: string },
): Promise<Heartbeat> {
  const [row] = await em.execute<HeartbeatRow[]>(beat, [terminalId, deviceIdentifier]);
  if (!row) {
    await findTerminal(em, terminalId);
    throw unauthorized('Device identifier mismatch.');
  }
  const { versions, ...found } = row;
  return { ...found, configHash: configHash(versions) };
}
