import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteProcesses } from '../../local/left-overs.ts';
import { makeTrouble } from '../../local/trouble/make-trouble.ts';

const folder = mkdtempSync(join(tmpdir(), 'pos-trouble-'));
const processes = join(folder, 'processes.json');
let shell: ChildProcess;
beforeAll(async () => {
  shell = spawn('sh', ['-c', 'sleep 600 & wait'], { stdio: 'ignore', detached: true });
  await until(() => childrenOf(shell.pid) !== '');
  noteProcesses(processes, [{ name: 'Temporal', pid: shell.pid ?? 0 }]);
});
afterAll(() => {
  process.kill(-(shell.pid ?? 0), 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const childrenOf = (pid = 0) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
/** `T`: it stands still. */
const stateOf = (pid = 0) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise(setImmediate);
};

test('a part stands still with all that is below it, and goes on when the trouble is over', async () => {
  const calledOff = new AbortController();
  const trouble = makeTrouble({ processes, trouble: 'temporal-away', forMs: 60_000, signal: calledOff.signal });
  await until(() => stateOf(shell.pid) === 'T');
  const below = Number(childrenOf(shell.pid));
  await until(() => stateOf(below) === 'T');
  calledOff.abort();

  expect(await trouble).toBe(true);
  await until(() => stateOf(shell.pid) !== 'T' && stateOf(below) !== 'T');
  expect([stateOf(shell.pid), stateOf(below)]).not.toContain('T');
});

test('where no such part runs, nothing is touched, and it is said', async () => {
  expect(await makeTrouble({ processes, trouble: 'database-away', forMs: 1_000 })).toBe(false);
  expect(await makeTrouble({ processes: join(folder, 'none.json'), trouble: 'temporal-away', forMs: 1_000 })).toBe(
    false,
  );
});
