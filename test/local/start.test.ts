import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startShop, type StartedShop } from '../support/start-shop.ts';

/** A start on a slow machine that is busy with other tests. */
const patienceMs = 150_000;

const run = promisify(execFile);
const dataDir = mkdtempSync(join(tmpdir(), 'pos-start-'));
const readyFile = join(dataDir, 'ready.json');
let running: StartedShop | undefined;
afterAll(async () => {
  running?.child.kill('SIGKILL');
  for (const pid of relatives()) process.kill(pid, 'SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<StartedShop> {
  running = await startShop(dataDir);
  expect(running.said()).toContain('Ready in');
  return running;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Every process that has our data directory on its command line or in its environment, ourselves excepted. */
function relatives(): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids
    .filter((pid) => textOf(pid, 'cmdline').includes(dataDir) || textOf(pid, 'environ').includes(dataDir))
    .map(Number);
}

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const childOf = (file: string) => relatives().find((pid) => textOf(String(pid), 'cmdline').includes(file))!;
const readReady = () => JSON.parse(readFileSync(readyFile, 'utf8'));
const answers = async (url: string, token = '') => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } }).catch(() => undefined);
  return answer?.ok === true;
};

/** The status that a token's holder gets. */
const activate = async (api: string, token: string, body: object): Promise<number> =>
  (
    await fetch(`${api}/V1/pos/terminals/activate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).status;

/** A register that was licensed by the service works on while the service is away. */
async function staysLicensed(ready: { api: string; license: string; adminToken: string }): Promise<void> {
  const post = async (url: string, body: object) => {
    const headers = { authorization: `Bearer ${ready.adminToken}`, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return JSON.parse(await answer.text());
  };
  const deviceIdentifier = 'till-of-the-start';
  const activate = { activationCode: 'HIGHST02', deviceIdentifier };
  const { terminal } = await post(`${ready.api}/V1/pos/terminals/activate`, activate);
  const at = `${ready.api}/V1/pos/terminals/${terminal.terminal_id}`;
  expect(await post(`${at}/license/refresh`, { deviceIdentifier })).toMatchObject({ success: true, error: null });
  const { licenses } = await post(`${ready.license}/control`, { mood: 'drops' });
  expect(licenses).toContainEqual(expect.objectContaining({ bound_to: deviceIdentifier, type: 'pro' }));

  expect(await post(`${at}/license/refresh`, { deviceIdentifier })).toMatchObject({
    success: false,
    license_status: 'active',
  });
  expect(await post(`${at}/heartbeat`, { deviceIdentifier })).toMatchObject({
    is_active: true,
    license_status: 'active',
    upstream_connection_ok: false,
  });
  await post(`${ready.license}/control`, { mood: 'answers' });
  expect(await post(`${at}/license/refresh`, { deviceIdentifier })).toMatchObject({ success: true });
}

/** How each printed command ends that one is told to try, typed as it stands. */
async function examplesIn(said: string): Promise<string[]> {
  const ends: string[] = [];
  for (const [, command = ''] of said.matchAll(/^ {2}(curl .*)$/gm)) {
    const { stdout } = await run('bash', ['-c', command]);
    const answer = JSON.parse(stdout);
    ends.push(answer.parameters?.outcome ?? answer.status);
  }
  return ends;
}

/**
 * Everything in the data directory that another user could read. PostgreSQL sees to its own; the browser is a published
 * program, and runs as a user of its own.
 */
const openToOthers = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'postgres' && !name.startsWith('chromium-'))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      const isOpen = (statSync(path).mode & 0o077) !== 0;
      return [...(isOpen ? [path] : []), ...(entry.isDirectory() ? openToOthers(path) : [])];
    });

test(
  'a shop is up with one command, survives the death of any process of ours, and goes without a trace',
  async () => {
    const { child, said, ended } = await start();
    const ready = readReady();
    expect(openToOthers(dataDir)).toEqual([]);
    for (const url of [ready.openapi, ready.docs, ready.temporalUi, ready.gateway, ready.mail, ready.metrics])
      expect([url, await answers(url)]).toEqual([url, true]);
    expect(await answers(`${ready.api}/V1/store/websites`, ready.adminToken)).toBe(true);
    expect(await answers(`${ready.api}/V1/pos/config`, ready.registerToken)).toBe(true);

    const activation = { activationCode: 'ALTSTD02', deviceIdentifier: 'first-device' };
    expect(await activate(ready.api, ready.registerToken, activation)).toBe(401);
    expect(await activate(ready.api, ready.setUpToken, activation)).toBe(200);

    await staysLicensed(ready);
    expect(await examplesIn(said())).toEqual(['pending', 'awaiting_refund', 'closed', 'gateway_uncertain']);

    for (const file of ['api/main.ts', 'worker/main.ts', 'gateway-simulator/main.ts'])
      process.kill(childOf(file), 'SIGKILL');
    await until(() => (said().match(/is back\./g) ?? []).length === 3);
    expect(await answers(`${ready.api}/V1/pos/config`, ready.registerToken)).toBe(true);

    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(relatives()).toEqual([]);
    expect(existsSync(readyFile)).toBe(false);
  },
  patienceMs,
);

test(
  'a second start finds everything as it was, and a third one ends what a killed one left',
  async () => {
    const tokens = readFileSync(join(dataDir, 'tokens.json'), 'utf8');
    const { child, ended, said } = await start();
    expect(JSON.parse(tokens)).toMatchObject({ adminToken: readReady().adminToken });
    expect(said()).toContain('Starting the shop in');
    child.kill('SIGKILL');
    await ended;
    // Our own processes leave with their parent; PostgreSQL and Temporal cannot know.
    await until(() => relatives().length === 2);

    const third = await start();

    expect(third.said()).toContain('An earlier start was killed and left behind: PostgreSQL, Temporal. Stopped.');
    third.child.kill('SIGINT');
    expect(await third.ended).toBe(0);
    expect(relatives()).toEqual([]);
  },
  patienceMs,
);
