import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { testDatabaseUrl } from '../support/database.ts';

/** What a worker that cannot start says, and that it says nothing else. */
const lastWords = (settings: Record<string, string>) =>
  new Promise<string>((resolve) => {
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: 'postgres://pos@127.0.0.1:9/pos',
      METRICS_PORT: '0',
      ...settings,
    };
    execFile(process.execPath, ['worker/main.ts'], { env }, (_, out, err) => resolve(out + err));
  });

test('without Temporal it says so in one sentence', async () => {
  const port = await freePort();
  expect(await lastWords({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` })).toMatch(
    new RegExp(
      `^No Temporal server answers at 127\\.0\\.0\\.1:${port} \\(.*\\); start it, or correct TEMPORAL_ADDRESS\\.\\n$`,
    ),
  );
});

test('on a Temporal server that nobody prepared it says what prepares it, in one sentence', async () => {
  const TEMPORAL_ADDRESS = process.env['TEST_TEMPORAL'] ?? '';
  const said = await lastWords({
    DATABASE_URL: await testDatabaseUrl(),
    TEMPORAL_ADDRESS,
    TEMPORAL_NAMESPACE: 'nobody-made-it',
  });
  expect(said).toBe(
    `Temporal at ${TEMPORAL_ADDRESS}: namespace "nobody-made-it" does not exist; run npm run pos -- temporal set-up.\n`,
  );
});

test('a port for the metrics that is taken is named, in one sentence', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
  const said = await lastWords({ TEMPORAL_ADDRESS: '127.0.0.1:9', METRICS_PORT: String(port) });
  server.close();
  expect(said).toMatch(
    new RegExp(
      `^The metrics cannot be served at 127\\.0\\.0\\.1:${port} \\(.*\\); set METRICS_PORT to another one.*\\.\\n$`,
    ),
  );
});

test('a certificate that is not there is named by its setting, in one sentence', async () => {
  expect(await lastWords({ TEMPORAL_ADDRESS: '127.0.0.1:9', TEMPORAL_TLS_CA: '/nope/ca.crt' })).toMatch(
    /^TEMPORAL_TLS_CA names a file that cannot be read \(.*\/nope\/ca\.crt.*\)\.\n$/,
  );
});
