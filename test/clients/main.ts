import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * `npm run tools -- clients`: two clients of the real platform, as their registries have them, against the service:
 * reads, a bulk, a sale, its invoice, its shipment, its refund. They are installed into a folder that goes with the
 * run.
 *
 * It needs Python 3 with venv, npm, and both registries; so it is no part of `npm test`.
 */
const folder = mkdtempSync(join(tmpdir(), 'pos-clients-'));
const here = new URL('.', import.meta.url).pathname;
const readyWithinMs = 300_000;

interface Ready {
  api: string;
  adminToken: string;
}

async function main(): Promise<void> {
  cpSync(here, folder, { recursive: true });
  console.log('Installing the clients.');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: folder, stdio: 'inherit' });
  execFileSync('python3', ['-m', 'venv', 'python'], { cwd: folder, stdio: 'inherit' });
  execFileSync('python/bin/pip', ['install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'], {
    cwd: folder,
    stdio: 'inherit',
  });
  const service = startService();
  try {
    const ready = await untilReady(service);
    const common = {
      CLIENT_URL: ready.api.replace(/\/rest$/, ''),
      CLIENT_SALE: readFileSync(join(folder, 'data/examples/sale.json'), 'utf8'),
    };
    console.log('\nPyMagento, with a bearer token');
    run('python/bin/python', 'shop_day.py', { ...common, CLIENT_TOKEN: ready.adminToken });
    console.log('\nmagento-api-rest, with signed requests');
    run(process.execPath, 'shop-day.cjs', { ...common, ...signing() });
    console.log('\nBoth clients work unchanged.');
  } finally {
    await stop(service);
    rmSync(folder, { recursive: true, force: true });
  }
}

const environment = () => ({ ...process.env, PORT: '0', POS_DATA_DIR: join(folder, 'data') });

const startService = () =>
  spawn(process.execPath, ['local/start.ts'], { env: environment(), stdio: 'ignore', detached: true });

async function untilReady(service: ChildProcess): Promise<Ready> {
  const file = join(folder, 'data/ready.json');
  const until = Date.now() + readyWithinMs;
  while (!existsSync(file)) {
    if (service.exitCode !== null) throw new Error('The service ended before it was ready; npm start tells why.');
    if (Date.now() > until) throw new Error('The service was not ready within five minutes.');
    await pause(200);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The four values of an integration that signs. */
function signing(): Record<string, string> {
  const words = ['cli/main.ts', '--json', 'integration', 'create', '--name', 'JavaScript client', '--acl', 'all'];
  const made = JSON.parse(execFileSync(process.execPath, words, { env: environment(), encoding: 'utf8' }));
  return {
    CLIENT_CONSUMER_KEY: made.consumer_key,
    CLIENT_CONSUMER_SECRET: made.consumer_secret,
    CLIENT_ACCESS_TOKEN: made.access_token,
    CLIENT_ACCESS_TOKEN_SECRET: made.access_token_secret,
  };
}

function run(program: string, script: string, env: Record<string, string>): void {
  execFileSync(program.startsWith('/') ? program : join(folder, program), [script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'inherit',
  });
}

async function stop(service: ChildProcess): Promise<void> {
  if (service.pid === undefined || service.exitCode !== null) return;
  const ended = new Promise((resolve) => service.once('exit', resolve));
  process.kill(service.pid, 'SIGTERM');
  await ended;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
