import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { Journal } from '../../local/gateway-simulator/journal.ts';
import { makePrivate } from '../../local/make-private.ts';
import { openLog } from '../../local/open-log.ts';
import { privately } from '../../local/privately.ts';
import { writeStateFile } from '../../local/state-file.ts';
import { Supervisor } from '../../local/supervisor.ts';

const root = mkdtempSync(join(tmpdir(), 'pos-state-files-'));
afterAll(() => rmSync(root, { recursive: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'));
});

const modeOf = (file: string) => statSync(file).mode & 0o777;
const untilTrue = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};
/** Takes nothing, like a disk that is full. */
const fullDisk = '/dev/full';

test('a state file is replaced whole, for its owner only, and leaves nothing beside it', () => {
  const file = join(folder, 'processes.json');
  writeFileSync(file, 'a longer text of an earlier time', { mode: 0o644 });
  const reader = statSync(file).ino;

  writeStateFile(file, 'new');

  expect(readFileSync(file, 'utf8')).toBe('new');
  // Another file in its place: a reader of the old one still reads all of it.
  expect(statSync(file).ino).not.toBe(reader);
  expect(modeOf(file)).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['processes.json']);
});

test('a state file that cannot be written stays as it was', () => {
  const file = join(folder, 'processes.json');
  writeFileSync(file, 'old');
  symlinkSync(fullDisk, `${file}.new`);

  expect(() => writeStateFile(file, 'new')).toThrow(/ENOSPC|EINVAL/);

  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['processes.json']);
});

test('a log on a full disk is told once, and stops no process', async () => {
  const file = join(folder, 'api.log');
  symlinkSync(fullDisk, file);
  const said: string[] = [];
  const log = openLog(file, (line) => said.push(line));

  for (let line = 0; line < 3; line++) log.write(`line ${line}\n`);
  await untilTrue(() => said.length > 0);
  log.write('one more\n');
  log.end();

  expect(said).toEqual([expect.stringMatching(/^The log .*api\.log cannot be written \(ENOSPC/)]);
});

test('a log that can be written has every line, for its owner only', async () => {
  const file = join(folder, 'api.log');
  const log = openLog(file, () => undefined);
  log.write('one\n');
  log.write(Buffer.from('two\n'));
  log.end();
  await untilTrue(() => existsSync(file) && readFileSync(file, 'utf8') === 'one\ntwo\n');
  expect(modeOf(file)).toBe(0o600);
});

test('what runs is kept running where it cannot be noted', async () => {
  const said: string[] = [];
  const supervisor = new Supervisor({
    say: (line) => said.push(line),
    noted: () => {
      throw new Error('ENOSPC: no space left on device');
    },
  });
  let end = (_how: string): void => undefined;
  const ended = new Promise<string>((resolve) => (end = resolve));

  await supervisor.keep({ name: 'Temporal', start: async () => ({ pid: 1, ended, stop: async () => end('stopped') }) });
  await supervisor.stop();

  expect(said).toContain('What runs could not be noted (ENOSPC: no space left on device).');
});

test('a process that would outlive us is noted before it answers', async () => {
  const noted: string[][] = [];
  const supervisor = new Supervisor({
    say: () => undefined,
    noted: (processes) => noted.push(processes.map(({ name, pid }) => `${name} ${pid}`)),
  });
  const start = async (_giveUp: AbortSignal, born?: (pid: number) => void) => {
    born?.(7);
    expect(noted).toEqual([['Temporal 7']]);
    throw new Error('It did not start.');
  };

  await expect(supervisor.keep({ name: 'Temporal', start })).rejects.toThrow('It did not start.');

  expect(noted.at(-1)).toEqual([]);
});

test('a simulator whose disk is full forgets what it could not write, and keeps what it could', () => {
  const file = join(folder, 'journal.jsonl');
  const journal = new Journal<{ n: number }>(file);
  journal.append({ n: 1 });
  expect(modeOf(file)).toBe(0o600);
  const full = new Journal<{ n: number }>(fullDisk);

  expect(() => full.append({ n: 2 })).toThrow(/ENOSPC/);

  writeFileSync(file, '{"n":1}\n{"n":', { flag: 'w' });
  expect(journal.read()).toEqual([{ n: 1 }]);
  journal.append({ n: 3 });
  expect(journal.read()).toEqual([{ n: 1 }, { n: 3 }]);
});

test('what processes of ours write is for their owner only', () => {
  privately(() => spawnSync('sh', ['-c', 'mkdir temporal; echo x > temporal/temporal.db'], { cwd: folder }));
  expect(modeOf(join(folder, 'temporal'))).toBe(0o700);
  expect(modeOf(join(folder, 'temporal', 'temporal.db'))).toBe(0o600);
});

test('what an earlier release left open is closed, and nothing but ours is touched', () => {
  mkdirSync(join(folder, 'temporal'));
  for (const file of ['temporal/temporal.db', 'tokens.json', 'of-somebody-else.txt']) {
    writeFileSync(join(folder, file), 'x');
    chmodSync(join(folder, file), 0o644);
  }

  makePrivate(folder);

  expect(modeOf(join(folder, 'temporal'))).toBe(0o700);
  expect(modeOf(join(folder, 'temporal/temporal.db'))).toBe(0o600);
  expect(modeOf(join(folder, 'tokens.json'))).toBe(0o600);
  expect(modeOf(join(folder, 'of-somebody-else.txt'))).toBe(0o644);
});
