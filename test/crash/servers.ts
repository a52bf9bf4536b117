import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../local/free-port.ts';
import { findServer } from '../../local/temporal/find-server.ts';
import { startTemporal } from '../../local/temporal/start-server.ts';
import { startTestServers, stopTestServers, type TestServers } from '../support/global-setup.ts';
import { moveToSmallDisk, type SmallDisk } from './small-disk.ts';

/**
 * A worker that dies over a workflow task is missed after this long, not after ten seconds: most points wait for it.
 */
const impatient = { 'history.defaultWorkflowTaskTimeout': '2s' };

export interface Servers {
  temporalAddress: string;
  /**
   * Kills Temporal as a machine would, and starts it again on its data, later; undefined where it is somebody else's.
   */
  restartTemporal: ((laterMs?: number) => Promise<void>) | undefined;
  /** Of Temporal, where it is ours alone. */
  temporalPid(): number | undefined;
  /** Of the database server, where it is ours alone. */
  postgresPid: number | undefined;
  /** The disk of the databases, where a small one was asked for. */
  disk: SmallDisk | undefined;
  stop(): Promise<void>;
}

/** A Temporal server for the crash matrix; the database is the one all tests share, or one of its own outside them. */
export async function startServers({ isPatient = false, hasSmallDisk = false } = {}): Promise<Servers> {
  const found = await findServer({ environment: process.env, say: (line) => console.error(line) });
  const place = 'binary' in found ? await placeFor(found.binary, isPatient ? {} : impatient) : undefined;
  let temporal = place && (await startTemporal(place));
  const temporalAddress = temporal?.address ?? ('address' in found ? found.address : '');
  const ownsDatabase = process.env['TEST_POSTGRES'] === undefined;
  let own: TestServers | undefined;
  if (ownsDatabase) {
    process.env['TEMPORAL_ADDRESS'] = temporalAddress;
    own = await startTestServers();
  }
  const disk = hasSmallDisk && own ? await moveToSmallDisk(own.postgres) : undefined;
  return {
    temporalAddress,
    restartTemporal:
      place &&
      (async (laterMs = 0) => {
        if (temporal) process.kill(temporal.pid, 'SIGKILL');
        await temporal?.ended;
        await pause(laterMs);
        temporal = await startTemporal(place);
      }),
    temporalPid: () => temporal?.pid,
    postgresPid: own?.postgres.pid,
    disk,
    async stop() {
      if (own) await stopTestServers(own);
      disk?.unmount();
      await temporal?.stop();
      if (place) rmSync(dirname(place.dataFile), { recursive: true, force: true });
    },
  };
}

const placeFor = async (binary: string, settings: Readonly<Record<string, string>>) => ({
  binary,
  namespace: 'pos',
  port: await freePort(),
  settings,
  dataFile: join(mkdtempSync(join(tmpdir(), 'pos-crash-')), 'temporal.db'),
});
