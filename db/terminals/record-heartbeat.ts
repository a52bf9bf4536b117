import type { EntityManager } from '@mikro-orm/postgresql';
import { unauthorized } from '../../domain/errors.ts';
import type { LicenseStatus } from '../../domain/terminals/license.ts';
import { gathered } from '../support/gather.ts';
import { readPrepared } from '../support/read-prepared.ts';
import { findTerminal } from './terminal.repository.ts';

/** Who says that it is alive. */
export interface Beat {
  terminalId: number;
  deviceIdentifier: string;
}

/** What a heartbeat finds. Moments are text. */
export interface Heartbeat {
  isActive: boolean;
  isBound: boolean;
  hasUnusedCode: boolean;
  requiresTerminalRegistration: string | null;
  /** How often what this register sees has changed; for the configuration's hash. */
  versions: string;
  licenseId: number | null;
  licenseStatus: LicenseStatus | null;
  licenseExpiresAt: string | null;
  sealedToken: string | null;
  lastUpstreamCheckAt: string | null;
  lastUpstreamCheckSucceeded: boolean | null;
}

type HeartbeatRow = Beat & Heartbeat;

/** A function of the database, which plans its statement once. */
const heartbeats = {
  name: 'heartbeats',
  text: `
select terminal_id as "terminalId", device as "deviceIdentifier", is_active as "isActive", is_bound as "isBound", has_unused_code as "hasUnusedCode",
  requires_terminal_registration as "requiresTerminalRegistration", versions, license_id as "licenseId",
  license_status as "licenseStatus", expires_at as "licenseExpiresAt", sealed_token as "sealedToken",
  last_upstream_check_at as "lastUpstreamCheckAt", last_upstream_check_succeeded as "lastUpstreamCheckSucceeded"
from pos_heartbeats($1, $2)`,
};

const beatTogether = gathered<Beat, HeartbeatRow | undefined>({ atMost: 256, ask: recordBeats });

/**
 * Notes that a terminal is alive and tells what it must know, in one statement (spec 4.2), which beats that come at the
 * same moment share. The device that was bound last is heard too, so that it learns why it no longer is.
 *
 * Any number of beats are as good as the last one.
 *
 * Refused with: 404 unknown terminal · 401 another device.
 */
export async function recordHeartbeat(em: EntityManager, { terminalId, deviceIdentifier }: Beat): Promise<Heartbeat> {
  const row = await beatTogether(em, { terminalId, deviceIdentifier });
  if (!row) {
    await findTerminal(em, terminalId);
    throw unauthorized('Device identifier mismatch.');
  }
  return row;
}

/**
 * Undefined for a beat that nobody may send. Rows are locked in the order of their ids, as in every process, so that no
 * two wait for each other.
 */
async function recordBeats(em: EntityManager, beats: readonly Beat[]): Promise<(HeartbeatRow | undefined)[]> {
  const distinct = [...new Map(beats.map((beat) => [keyOf(beat), beat])).values()];
  const sorted = distinct.toSorted((one, other) => one.terminalId - other.terminalId);
  const rows = await readPrepared<HeartbeatRow>(em, heartbeats, [
    sorted.map(({ terminalId }) => terminalId),
    sorted.map(({ deviceIdentifier }) => deviceIdentifier),
  ]);
  const heard = new Map(rows.map((row) => [keyOf(row), row]));
  return beats.map((beat) => heard.get(keyOf(beat)));
}

const keyOf = ({ terminalId, deviceIdentifier }: Beat) => `${terminalId} ${deviceIdentifier}`;
