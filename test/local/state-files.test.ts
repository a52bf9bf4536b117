import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createOrm } from '../../db/orm.ts';
import { freePort } from '../../local/free-port.ts';
import { Journal } from '../../local/simulators/gateway/ledger.ts';
import { makePrivate } from '../../local/stack.ts';
import { openLog } from '../../local/open-log.ts';
import { privately } from '../../local/privately.ts';
import { writeStateFile } from '../../local/state-file.ts';
import { Supervisor } from '../../local/supervisor.ts';
import { buildServer, findServer, putInPlace, type WayToGetOne } from '../../local/temporal/find-server.ts';
import { startTemporal, type TemporalServer } from '../../local/temporal/start-server.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { booksOf } from '../support/books.ts';
import { twiceAtOnce } from '../support/rivals.ts';

describe('find server', () => {
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
});

describe('first shop', () => {
  /** Everything between the fences, with what stands behind the language. */
  const blocks = [...readFileSync('docs/first-shop.md', 'utf8').matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', name = '', text = '']) => ({ language, name, text }),
  );

  /** As if one stood in the project's folder; what is written there goes with it. */
  function folderLikeTheProject(): string {
    const folder = mkdtempSync(join(tmpdir(), 'pos-first-shop-'));
    // The first command builds; what it builds is the project's.
    const entries = new Set([...readdirSync('.'), 'dist']);
    for (const entry of [...entries].filter((name) => !/^\.(?!nvmrc)|\.env/.test(name)))
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

  /**
   * Made as the page says, under another name: its owner is an ordinary user, who may do nothing else on the server.
   */
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
  });
});

describe('state files', () => {
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

    await supervisor.keep({
      name: 'Temporal',
      start: async () => ({ pid: 1, ended, stop: async () => end('stopped') }),
    });
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
});
