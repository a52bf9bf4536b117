import type { EntityManager } from '@mikro-orm/postgresql';
import { unauthorized } from '../../domain/errors.ts';
import type { LicenseStatus } from '../../domain/terminals/license.ts';
import { configHash, configVersionsSql } from '../configuration/config-hash.ts';
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

/** A location without a website is the default website's. */
const websiteId = `coalesce(nullif(p.website_id, 0), (select website_id from website where is_default order by website_id limit 1))`;

const beat = `
update pos_terminal_heartbeat h set last_seen_at = now()
from pos_terminal t left join pos_location p using (location_id) left join pos_license l using (license_id)
where h.terminal_id = ? and t.terminal_id = h.terminal_id
  and ? in (t.device_identifier, case when t.device_identifier is null then t.released_device_identifier end)
returning t.is_active as "isActive", t.device_identifier is not null as "isBound",
  t.activation_code is not null and t.activation_used_at is null as "hasUnusedCode",
  (select value from config_value
   where path = 'vendor_pos/general/require_terminal_registration'
     and (scope = 'default' or (scope = 'websites' and scope_id = ${websiteId}))
   order by scope = 'default' limit 1) as "requiresTerminalRegistration",
  ${configVersionsSql({ websiteId, locationId: 't.location_id', terminalId: 't.terminal_id' })} as versions,
  l.license_id as "licenseId", l.license_status as "licenseStatus", l.expires_at as "licenseExpiresAt",
  l.sealed_token as "sealedToken", l.last_upstream_check_at as "lastUpstreamCheckAt",
  l.last_upstream_check_succeeded as "lastUpstreamCheckSucceeded"`;

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
