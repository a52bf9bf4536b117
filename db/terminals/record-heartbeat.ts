import type { EntityManager } from '@mikro-orm/postgresql';
import { deviceMismatch } from '../../domain/refusals/register.ts';
import type { LicenseStatus } from '../../domain/terminals.ts';
import { gathered } from '../support/gather.ts';
import { flag, integer, momentText, orNull, text, type Kind } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { findTerminal } from './read-terminals.ts';

/** The terminal and the device that send the heartbeat. */
export interface Beat {
  terminalId: number;
  deviceIdentifier: string;
}

/** The answer to a heartbeat. Times are text; the versions count the changes that this register sees. */
export type Heartbeat = Omit<HeartbeatRow, keyof Beat>;

type HeartbeatRow = RowFrom<typeof heartbeats>;

/** A database function, which plans its statement once. */
const heartbeats = sql('record-heartbeat.heartbeats', {
  answerWithinMs: 3_000,
  gives: {
    requiresTerminalRegistration: orNull(text),
    licenseId: orNull(integer),
    licenseStatus: orNull(text as Kind<LicenseStatus>),
    licenseExpiresAt: orNull(momentText),
    sealedToken: orNull(text),
    lastUpstreamCheckAt: orNull(momentText),
    lastUpstreamCheckSucceeded: orNull(flag),
  },
})`
  select terminal_id, device as device_identifier, is_active, is_bound, has_unused_code,
    requires_terminal_registration, versions, license_id, license_status, expires_at as license_expires_at,
    sealed_token, last_upstream_check_at, last_upstream_check_succeeded
  from pos_heartbeats($terminalIds, $devices)`;

const beatTogether = gathered<Beat, HeartbeatRow | undefined>({ atMost: 256, ask: recordBeats });

/**
 * Records a heartbeat and returns what the terminal must know, in one statement (spec 4.2) that concurrent heartbeats
 * share. The last bound device is answered too, so that it learns why it is not bound any more.
 *
 * A repeat changes nothing but the time.
 *
 * Refused with: 404 unknown terminal · 401 another device.
 */
export async function recordHeartbeat(em: EntityManager, { terminalId, deviceIdentifier }: Beat): Promise<Heartbeat> {
  const row = await beatTogether(em, { terminalId, deviceIdentifier });
  if (!row) {
    await findTerminal(em, terminalId);
    throw deviceMismatch();
  }
  return row;
}

/**
 * Undefined for a heartbeat that is not permitted. Rows are locked in the order of their ids, in every process, so
 * that no two deadlock.
 */
async function recordBeats(em: EntityManager, beats: readonly Beat[]): Promise<(HeartbeatRow | undefined)[]> {
  const distinct = [...new Map(beats.map((beat) => [keyOf(beat), beat])).values()];
  const sorted = distinct.toSorted((one, other) => one.terminalId - other.terminalId);
  const rows = await heartbeats.all(em, {
    terminalIds: sorted.map(({ terminalId }) => terminalId),
    devices: sorted.map(({ deviceIdentifier }) => deviceIdentifier),
  });
  const heard = new Map(rows.map((row) => [keyOf(row), row]));
  return beats.map((beat) => heard.get(keyOf(beat)));
}

const keyOf = ({ terminalId, deviceIdentifier }: Beat) => `${terminalId} ${deviceIdentifier}`;
