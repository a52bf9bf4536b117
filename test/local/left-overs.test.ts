import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { noteProcesses, stopLeftOvers } from '../../local/left-overs.ts';
import { identify, stillRuns } from '../../local/process-identity.ts';
import { lockHolder, takeLock, withLock } from '../../local/with-lock.ts';
import { atOnce } from '../support/rivals.ts';

const folder = mkdtempSync(join(tmpdir(), 'pos-left-overs-'));
afterAll(() => rmSync(folder, { recursive: true }));

let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(folder, 'test-')), 'file');
});

const sleeper = () => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
const ended = (child: ReturnType<typeof sleeper>) => new Promise((resolve) => child.once('exit', resolve));

test('what a killed start left behind is stopped, and only that', async () => {
  const [left, stranger] = [sleeper(), sleeper()];
  noteProcesses(file, [{ name: 'PostgreSQL', pid: left.pid! }]);
  // The id of a process that ended long ago, since given to another process.
  const noted = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify([...noted, { name: 'Temporal', pid: stranger.pid, born: 'long ago' }]));

  expect(await stopLeftOvers(file)).toEqual(['PostgreSQL']);

  expect(stillRuns(identify(left.pid!))).toBe(false);
  expect(stillRuns(identify(stranger.pid!))).toBe(true);
  expect(existsSync(file)).toBe(false);
  stranger.kill();
});

test('nothing noted, or half a note, is nothing to stop', async () => {
  expect(await stopLeftOvers(file)).toEqual([]);
  writeFileSync(file, '[{"name":"Post');
  expect(await stopLeftOvers(file)).toEqual([]);
});

test('a lock is held by one process at a time', () => {
  expect(takeLock(file)).toBe(true);
  expect(takeLock(file)).toBe(false);
  expect(lockHolder(file)).toMatchObject({ pid: process.pid });
});

test('a lock whose process is gone, or whose id belongs to another process, does not count', async () => {
  const child = sleeper();
  writeFileSync(file, JSON.stringify(identify(child.pid!)));
  expect(takeLock(file)).toBe(false);
  child.kill();
  await ended(child);
  expect(takeLock(file)).toBe(true);

  writeFileSync(file, JSON.stringify({ pid: process.pid, born: 'long ago' }));
  expect(takeLock(file)).toBe(true);
});

test('work under a lock waits for its turn', async () => {
  const events: string[] = [];
  const work = (name: string) =>
    withLock(file, { wait: () => events.push(`${name} waits`) }, async () => events.push(name));

  await Promise.all([work('one'), work('two')]);

  expect(events).toEqual(['one', 'two waits', 'two']);
  expect(existsSync(file)).toBe(false);
});

test('of many starts that find the lock of a dead one, each works alone', async () => {
  writeFileSync(file, JSON.stringify({ pid: process.pid, born: 'long ago' }));
  const log = `${file}.log`;
  const start = `import { appendFileSync } from 'node:fs';
    import { withLock } from '${resolve('local/with-lock.ts')}';
    await withLock('${file}', { wait() {} }, async () => {
      for (let line = 0; line < 100; line++) appendFileSync('${log}', process.pid + '\\n');
    });`;

  await atOnce(4, () =>
    ended(spawn(process.execPath, ['--input-type=module-typescript', '-e', start], { stdio: 'inherit' })),
  );

  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(400);
  expect(lines.filter((line, at) => line !== lines[at - 1])).toHaveLength(4);
});
