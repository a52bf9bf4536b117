import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { findServer } from '../../local/temporal/find-server.ts';
import { startTemporal, type TemporalServer } from '../../local/temporal/start-server.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { booksOf } from '../support/books.ts';
import { createOrm } from '../../db/orm.ts';

/** Everything between the fences, with what stands behind the language. */
const blocks = [...readFileSync('docs/first-shop.md', 'utf8').matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', name = '', text = '']) => ({ language, name, text }),
);

/** As if one stood in the project's folder; what is written there goes with it. */
function folderLikeTheProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pos-first-shop-'));
  for (const entry of readdirSync('.').filter((name) => !/^\.(?!nvmrc)|\.env/.test(name)))
    symlinkSync(resolve(entry), join(folder, entry));
  return folder;
}

const untilReady = (at: string) =>
  `for i in $(seq 300); do curl -sf ${at}/health/live > /dev/null && break; sleep 0.2; done`;

/** Each block in turn, in one shell: what an earlier one exports, a later one has. Processes run beside it. */
const scriptOf = (at: string) =>
  blocks
    .flatMap(({ language, name, text }) => {
      if (language !== 'sh') return [];
      if (name !== 'processes') return [text];
      const begun = text
        .trim()
        .split('\n')
        .map((line) => `${line} > ${line.split(' ').at(-1)}.log 2>&1 &`);
      return [...begun, untilReady(at)];
    })
    .join('\n');

/** Made as the page says, under another name: its owner is an ordinary user, who may do nothing else on the server. */
async function newDatabase(name: string): Promise<string> {
  const server = process.env['TEST_POSTGRES'] ?? '';
  const admin = new pg.Client({ connectionString: `${server}postgres` });
  await admin.connect();
  for (const { text } of blocks.filter(({ language }) => language === 'sql'))
    for (const line of text.trim().split('\n')) await admin.query(line.replaceAll(/\bpos\b/g, name));
  await admin.end();
  const { host } = new URL(server);
  return `postgresql://${name}:password@${host}/${name}`;
}

/** A Temporal server that has nothing of ours: of one that the tests are given, a name that nobody used. */
async function newTemporal(): Promise<Record<string, string>> {
  const found = await findServer({ environment: process.env, say: () => undefined });
  if ('address' in found) return { address: found.address, TEMPORAL_NAMESPACE: `first-shop-${process.pid}` };
  temporal = await startTemporal({ binary: found.binary, namespace: 'of-somebody-else' });
  return { address: temporal.address };
}

const folder = folderLikeTheProject();
let temporal: TemporalServer | undefined;
let shell: ChildProcess | undefined;
afterAll(async () => {
  try {
    if (shell?.pid) process.kill(-shell.pid, 'SIGKILL');
  } catch {
    // It has ended, and all it began.
  }
  await temporal?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('docs/first-shop.md leads from two servers that have nothing to the first sale', async () => {
  const port = await freePort();
  const metricsPort = await freePort();
  const { address = '', ...namespace } = await newTemporal();
  const url = await newDatabase(`shop_${port}`);
  const own = (text: string) =>
    text
      .replaceAll('postgresql://pos:password@127.0.0.1:5432/pos', url)
      .replaceAll('127.0.0.1:7233', address)
      .replaceAll('8080', String(port));
  for (const { name, text } of blocks.filter(({ language, name: file }) => language !== 'sh' && file !== ''))
    writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'script.sh'), own(`set -eu\n${scriptOf('http://127.0.0.1:8080')}`));

  shell = spawn('bash', ['script.sh'], {
    cwd: folder,
    detached: true,
    env: {
      ...bareEnvironment(),
      HOME: folder,
      METRICS_PORT: String(metricsPort),
      ...namespace,
    },
  });
  let said = '';
  shell.stdout?.on('data', (chunk) => (said += String(chunk)));
  shell.stderr?.on('data', (chunk) => (said += String(chunk)));
  const [code] = await once(shell, 'exit');
  expect([code, said]).toEqual([0, expect.stringContaining('Nothing needs to be done.')]);
  expect(said).toContain('The shop is as the file says: nothing to change.');
  expect(said).toContain('2 rows: 2 saved, 0 refused.');
  expect(JSON.parse(readFileSync(join(folder, 'sold.json'), 'utf8'))).toEqual({
    increment_id: '000000001',
    status: 'complete',
    total_paid: 13.5,
  });
  const orm = await createOrm(url);
  expect(await booksOf(() => orm).shelf('MUG', 'high_street')).toBe(39);
  await orm.close();
}, 300_000);
