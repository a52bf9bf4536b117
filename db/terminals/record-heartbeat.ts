import type { EntityManager } from '@mikro-orm/postgresql';
import { unauthorized } from '../../domain/errors.ts';
import type { LicenseStatus } from '../../domain/terminals/license.ts';
import { gathered } from '../support/gather.ts';
import { flag, integer, integers, momentText, orNull, surely, text, texts, type Kind } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { findTerminal } from './terminal.repository.ts';

/** Who says that it is alive. */
export interface Beat {
  terminalId: number;
  deviceIdentifier: string;
}

/** What a heartbeat finds. Moments are text; the versions say how often what this register sees has changed. */
export type Heartbeat = Omit<HeartbeatRow, keyof Beat>;

type HeartbeatRow = RowFrom<typeof heartbeats>;

/** A function of the database, which plans its statement once. */
const heartbeats = statement({
  answerWithinMs: 3_000,
  takes: { terminalIds: integers, devices: texts },
  gives: {
    terminalId: surely(integer),
    deviceIdentifier: surely(text),
    isActive: surely(flag),
    isBound: surely(flag),
    hasUnusedCode: surely(flag),
    requiresTerminalRegistration: orNull(text),
    versions: surely(text),
    licenseId: orNull(integer),
    licenseStatus: orNull(text as Kind<LicenseStatus>),
    licenseExpiresAt: orNull(momentText),
    sealedToken: orNull(text),
    lastUpstreamCheckAt: orNull(momentText),
    lastUpstreamCheckSucceeded: orNull(flag),
  },
  text: `
    select terminal_id, device as device_identifier, is_active, is_bound, has_unused_code,
      requires_terminal_registration, versions, license_id, license_status, expires_at as license_expires_at,
      sealed_token, last_upstream_check_at, last_upstream_check_succeeded
    from pos_heartbeats($terminalIds, $devices)`,
});

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
  const rows = await heartbeats.all(em, {
    terminalIds: sorted.map(({ terminalId }) => terminalId),
    devices: sorted.map(({ deviceIdentifier }) => deviceIdentifier),
  });
  const heard = new Map(rows.map((row) => [keyOf(row), row]));
  return beats.map((beat) => heard.get(keyOf(beat)));
}

const keyOf = ({ terminalId, deviceIdentifier }: Beat) => `${terminalId} ${deviceIdentifier}`;
