import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServer } from '../../local/temporal/find-server.ts';
import { startTemporal } from '../../local/temporal/start-server.ts';
import setUp from '../support/global-setup.ts';
import tearDown from '../support/global-teardown.ts';

/** A worker that dies over a workflow task is missed after this long, not after ten seconds: most points wait for it. */
const impatient = { 'history.defaultWorkflowTaskTimeout': '2s' };

export interface Servers {
  temporalAddress: string;
  stop(): Promise<void>;
}

/** A Temporal server for the crash matrix; the database is the one all tests share, or one of its own outside them. */
export async function startServers(): Promise<Servers> {
  const found = await findServer({ environment: process.env, say: (line) => console.error(line) });
  const temporal =
    'binary' in found
      ? await startTemporal({
          binary: found.binary,
          namespace: 'pos',
          settings: impatient,
          dataFile: join(mkdtempSync(join(tmpdir(), 'pos-crash-')), 'temporal.db'),
        })
      : undefined;
  const temporalAddress = temporal?.address ?? ('address' in found ? found.address : '');
  const ownsDatabase = process.env['TEST_POSTGRES'] === undefined;
  if (ownsDatabase) {
    process.env['TEMPORAL_ADDRESS'] = temporalAddress;
    await setUp();
  }
  return {
    temporalAddress,
    async stop() {
      if (ownsDatabase) await tearDown();
      await temporal?.stop();
    },
  };
}
