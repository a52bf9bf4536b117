import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { buildServer } from '../../local/temporal/build-server.ts';
import { findServer } from '../../local/temporal/find-server.ts';
import type { WayToGetOne } from '../../local/temporal/way-to-get-one.ts';
import { twiceAtOnce } from '../support/rivals.ts';

const root = mkdtempSync(join(tmpdir(), 'pos-find-server-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A machine with nothing on it; each test puts there what it is about. */
let machine: { bin: string; cache: string; environment: Record<string, string | undefined>; said: string[] };

beforeEach(() => {
  const home = mkdtempSync(join(root, 'machine-'));
  const [bin, cache] = [join(home, 'bin'), join(home, 'cache')];
  mkdirSync(bin);
  machine = { bin, cache, environment: { PATH: bin, XDG_CACHE_HOME: cache }, said: [] };
});

function program(file: string, script: string): string {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const version = (server: string) => `echo "temporal version 1.8.2 (Server ${server}, UI 2.50.1)"`;
const cachedAt = () => join(machine.cache, 'pos-temporal', '1.8.2', 'temporal');

const find = (waysToGetOne: WayToGetOne[] = []) =>
  findServer({ environment: machine.environment, say: (line) => machine.said.push(line), waysToGetOne });

test('a server that runs already is taken before anything else', async () => {
  machine.environment['TEMPORAL_ADDRESS'] = 'temporal.example:7233';
  machine.environment['TEMPORAL_BIN'] = program(join(machine.bin, 'mine'), '');

  expect(await find()).toEqual({ address: 'temporal.example:7233' });
});

test('a program named by its path is taken before the one on the PATH', async () => {
  machine.environment['TEMPORAL_BIN'] = program(join(machine.bin, 'mine'), '');
  program(join(machine.bin, 'temporal'), version('1.31.2'));

  expect(await find()).toEqual({ binary: join(machine.bin, 'mine') });
});

test('a program named by a wrong path ends the search with one sentence', async () => {
  machine.environment['TEMPORAL_BIN'] = '/nowhere/temporal';

  await expect(find()).rejects.toThrow('TEMPORAL_BIN is "/nowhere/temporal", but no program is there');
});

test('the one on the PATH is taken before the one kept from before', async () => {
  program(join(machine.bin, 'temporal'), version('1.32.0'));
  program(cachedAt(), '');

  expect(await find()).toEqual({ binary: join(machine.bin, 'temporal') });
});

test('one on the PATH that is too old is passed over, and said so', async () => {
  program(join(machine.bin, 'temporal'), version('1.29.1'));
  program(cachedAt(), '');

  expect(await find()).toEqual({ binary: cachedAt() });
  expect(machine.said.join()).toContain('too old');
});

test('with nothing at hand the ways to get one are tried in order, until one works', async () => {
  const tried: string[] = [];
  const way =
    (name: string, works: boolean): WayToGetOne =>
    async () => {
      tried.push(name);
      return works ? { binary: `/${name}` } : { why: `${name} did not work` };
    };

  expect(await find([way('fetch', false), way('build', true), way('never', true)])).toEqual({ binary: '/build' });
  expect(tried).toEqual(['fetch', 'build']);
});

test('when nothing works there is one message with the four ways on', async () => {
  const failing = find([async () => ({ why: 'no network' }), buildServer]);

  await expect(failing).rejects.toThrow(
    /1\. Install.*2\. Say where.*3\. Install Go.*4\. Use a server.*no network; Go is/s,
  );
});

test('Go builds under a temporary name, so no start sees half a program; two starts at once build once', async () => {
  const log = join(machine.bin, 'built');
  // Plays `go`: answers `go version`, and writes what comes after -o.
  program(
    join(machine.bin, 'go'),
    `[ "$1" = version ] && exit 0\nwhile [ "$1" != -o ]; do shift; done\necho once >> ${log}\nsleep 0.2\necho program > "$2"`,
  );
  machine.environment['PATH'] = `${machine.bin}:/usr/bin:/bin`;

  const both = await twiceAtOnce(() => find([buildServer]));

  expect(both).toEqual([{ binary: cachedAt() }, { binary: cachedAt() }]);
  expect(existsSync(log)).toBe(true);
  expect(machine.said.filter((line) => line.startsWith('Building'))).toHaveLength(1);
});

test('a build that fails says why, and leaves nothing behind', async () => {
  program(join(machine.bin, 'go'), '[ "$1" = version ] && exit 0\necho "no space left on device" >&2\nexit 1');

  await expect(find([buildServer])).rejects.toThrow('building it with Go failed (no space left on device)');
  expect(existsSync(cachedAt())).toBe(false);
});
