import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { buildServer } from '../../local/temporal/build-server.ts';
import { findServer } from '../../local/temporal/find-server.ts';
import { putInPlace, type WayToGetOne } from '../../local/temporal/way-to-get-one.ts';
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

const version = (server: string) => `echo "temporal version 1.9.1 (Server ${server}, UI 2.54.1)"`;
const keptAt = (of: string) => join(machine.cache, 'pos-temporal', of, 'temporal');

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
  program(keptAt('1.9.1'), '');

  expect(await find()).toEqual({ binary: join(machine.bin, 'temporal') });
});

test('one on the PATH that is too old is passed over, and said so', async () => {
  program(join(machine.bin, 'temporal'), version('1.29.1'));
  program(keptAt('1.8.2'), '');

  expect(await find()).toEqual({ binary: keptAt('1.8.2') });
  expect(machine.said.join()).toContain('too old');
});

test('one that was fetched is taken before one that was built', async () => {
  program(keptAt('1.8.2'), '');
  program(keptAt('1.9.1'), '');

  expect(await find()).toEqual({ binary: keptAt('1.9.1') });
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
    /1\. Install.*2\. Say where.*3\. Install pip.*4\. Use a server.*no network; Go is/s,
  );
});

test('where nothing can be kept, one sentence says so before anything is fetched', async () => {
  machine.environment['XDG_CACHE_HOME'] = program(join(machine.bin, 'a-file'), '');

  await expect(find([buildServer])).rejects.toThrow(/No Temporal server can be kept in .* set XDG_CACHE_HOME/);
});

test('of two starts at once one gets the server, and the other takes what it got', async () => {
  const tried: string[] = [];
  const slowly: WayToGetOne = async ({ cache }) => {
    tried.push(cache);
    return { binary: await putInPlace(join(cache, '1.9.1'), (file) => void program(file, '')) };
  };

  expect(await twiceAtOnce(() => find([slowly]))).toEqual([{ binary: keptAt('1.9.1') }, { binary: keptAt('1.9.1') }]);
  expect(tried).toEqual([join(machine.cache, 'pos-temporal')]);
  expect(machine.said).toEqual(['Another start is getting the Temporal server; waiting for it …']);
  expect(readdirSync(join(machine.cache, 'pos-temporal'))).toEqual(['1.9.1']);
});

test('what a killed start left half done is never taken, and goes with the next one', async () => {
  program(join(keptAt('1.9.1'), '..', '.unfinished', 'temporal'), 'half');

  expect(await find([async ({ cache }) => ({ binary: await putInPlace(join(cache, '1.9.1'), whole) })])).toEqual({
    binary: keptAt('1.9.1'),
  });
  expect(readdirSync(join(machine.cache, 'pos-temporal', '1.9.1'))).toEqual(['temporal']);
  expect(readFileSync(keptAt('1.9.1'), 'utf8')).toContain('whole');
});

const whole = (file: string) => void program(file, 'whole');

test('Go builds one where Go is installed', async () => {
  // Plays `go`: answers `go version`, and writes what comes after -o.
  program(
    join(machine.bin, 'go'),
    '[ "$1" = version ] && exit 0\nwhile [ "$1" != -o ]; do shift; done\necho program > "$2"',
  );

  expect(await find([buildServer])).toEqual({ binary: keptAt('1.8.2') });
  expect(machine.said[0]).toContain('from source, once on this machine');
});

test('a build that fails says why, and leaves nothing behind', async () => {
  program(join(machine.bin, 'go'), '[ "$1" = version ] && exit 0\necho "no space left on device" >&2\nexit 1');

  await expect(find([buildServer])).rejects.toThrow('building it with Go failed (no space left on device)');
  expect(existsSync(keptAt('1.8.2'))).toBe(false);
});
