import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTransport, type Transporter } from 'nodemailer';
import { freePort, freePorts, isFree } from '../../local/free-port.ts';
import { noteProcesses, stopLeftOvers } from '../../local/left-overs.ts';
import { type CaughtMail, type MailCatcher, startMailCatcher } from '../../local/mail-catcher.ts';
import { choosePorts } from '../../local/ports.ts';
import { identify, stillRuns } from '../../local/process-identity.ts';
import { type Part, type Running, Supervisor } from '../../local/supervisor.ts';
import { readTool } from '../../local/tool-options.ts';
import { tools } from '../../local/tools.ts';
import { makeTrouble } from '../../local/trouble/make-trouble.ts';
import { lockHolder, takeLock, withLock } from '../../local/with-lock.ts';
import { parseSettings } from '../../providers/settings.ts';
import { atOnce } from '../support/rivals.ts';

describe('installed', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  let clone: string;
  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'pos-clone-'));
    mkdirSync(join(clone, 'local'));
    for (const file of ['package-lock.json', 'local/installed.mjs']) cpSync(file, join(clone, file));
  });
  afterEach(() => rmSync(clone, { recursive: true, force: true }));

  const check = () => spawnSync(process.execPath, ['local/installed.mjs'], { cwd: clone, encoding: 'utf8' });

  /** What npm writes down of the packages that it installed. */
  function install(change: (packages: Record<string, { version: string }>) => void): void {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    change(lock.packages);
    mkdirSync(join(clone, 'node_modules'));
    writeFileSync(join(clone, 'node_modules', '.package-lock.json'), JSON.stringify(lock));
  }

  test.each(Object.entries(scripts))('npm run %s looks first whether the packages are there', (_name, script) => {
    expect(script).toMatch(/^node local\/installed\.mjs && /v);
  });

  test('a clone without packages says what to do, in one sentence', () => {
    expect(check()).toMatchObject({ status: 1, stdout: '', stderr: 'The packages are not installed. Run: npm ci\n' });
  });

  test('packages of another day are told apart from those of today', () => {
    install((packages) => {
      packages['node_modules/zod'] = { version: '0.0.1' };
    });
    expect(check()).toMatchObject({
      status: 1,
      stderr: 'The installed packages are not those of package-lock.json. Run: npm ci\n',
    });
  });

  test('an image without the packages for developers is whole', () => {
    install((packages) => {
      for (const [name, one] of Object.entries(packages))
        if ('dev' in one || 'devOptional' in one) delete packages[name];
    });
    expect(check()).toMatchObject({ status: 0, stderr: '' });
  });

  test('with the packages of the lock file nothing is said', () => {
    install(() => undefined);
    expect(check()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });
});

describe('left overs', () => {
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
});

describe('mail catcher', () => {
  let catcher: MailCatcher;
  let sender: Transporter;

  beforeAll(async () => {
    catcher = await startMailCatcher({ smtpPort: 0, webPort: 0 });
    sender = createTransport(catcher.smtpUrl);
  });
  afterAll(async () => {
    sender.close();
    await catcher.stop();
  });
  beforeEach(async () => {
    await fetch(`${catcher.url}/api/messages`, { method: 'DELETE' });
  });

  async function messages(): Promise<CaughtMail[]> {
    return JSON.parse(await (await fetch(`${catcher.url}/api/messages`)).text());
  }

  test('a mail is caught with its text, its HTML and its attachments', async () => {
    await sender.sendMail({
      from: 'The shop <shop@example.com>',
      to: 'Ada <ada@example.com>, bob@example.com',
      subject: 'Your receipt, 12,50 €',
      text: 'Thank you.',
      html: '<p>Thank you.</p>',
      attachments: [{ filename: 'receipt.pdf', content: Buffer.from('%PDF') }],
    });

    expect(await messages()).toMatchObject([
      {
        from: 'shop@example.com',
        to: ['ada@example.com', 'bob@example.com'],
        subject: 'Your receipt, 12,50 €',
        text: 'Thank you.\n',
        html: '<p>Thank you.</p>\n',
        attachments: [{ filename: 'receipt.pdf', contentType: 'application/pdf', contentBase64: btoa('%PDF') }],
      },
    ]);
  });

  test('the newest mail comes first, each under an id of its own', async () => {
    for (const subject of ['first', 'second'])
      await sender.sendMail({ from: 'a@b.c', to: 'd@e.f', subject, text: '.' });

    const caught = await messages();
    expect(caught.map(({ subject }) => subject)).toEqual(['second', 'first']);
    expect(new Set(caught.map(({ id }) => id)).size).toBe(2);
  });

  test('there is a page for people, and nothing else', async () => {
    expect(await (await fetch(catcher.url)).text()).toContain('<title>Mail catcher</title>');
    expect((await fetch(`${catcher.url}/elsewhere`)).status).toBe(404);
  });
});

describe('ports', () => {
  const linuxRange = '/proc/sys/net/ipv4/ip_local_port_range';

  const open: Server[] = [];
  afterEach(() => {
    for (const server of open.splice(0)) server.close();
  });

  const take = (port: number) =>
    new Promise<number>((resolve, reject) => {
      const server = createServer().once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve(port));
      open.push(server);
    });

  async function choose(environment: Record<string, string>) {
    const said: string[] = [];
    const settings = parseSettings(environment);
    const ports = await choosePorts({ settings, environment, say: (line) => said.push(line) });
    return { ports, said };
  }

  test('free ports are all different', async () => {
    expect(new Set(await freePorts(50)).size).toBe(50);
  });

  /** Linux says from where on; elsewhere it is higher. */
  const outgoingFrom = existsSync(linuxRange) ? Number(readFileSync(linuxRange, 'utf8').split(/\s/)[0]) : 49_152;

  test('no outgoing connection of another part can take a free port before its own part listens', async () => {
    expect(Math.max(...(await freePorts(200)))).toBeLessThan(Math.min(outgoingFrom, 32_768));
  });

  test('PORT=0 takes a free port for every part, without a word', async () => {
    const { ports, said } = await choose({ PORT: '0' });

    expect(new Set(Object.values(ports)).size).toBe(8);
    for (const port of Object.values(ports)) expect(await isFree(port)).toBe(true);
    expect(said).toEqual([]);
  });

  test('a usual port that is taken moves to a free one and says so', async () => {
    if (await isFree(8025)) await take(8025);

    const { ports, said } = await choose({});

    expect(ports.mail).not.toBe(8025);
    expect(said).toContain(`Port 8025 is taken, so the mail catcher's page is at ${ports.mail}.`);
  });

  test('a chosen port is used, or refused with what to do', async () => {
    const port = await freePort();
    expect((await choose({ PORT: String(port) })).ports.api).toBe(port);

    await take(port);

    await expect(choose({ PORT: String(port) })).rejects.toThrow(
      `Port ${port} for the API is taken; stop what listens there, or choose another one`,
    );
  });
});

describe('supervisor', () => {
  /** A process that ends when the test says so. */
  class Actor implements Part {
    readonly name: string;
    readonly #log: string[];
    starts = 0;
    failNext = false;
    end: (how: string) => void = () => undefined;

    constructor(name: string, log: string[]) {
      this.name = name;
      this.#log = log;
    }

    async start(): Promise<Running> {
      this.starts += 1;
      if (this.failNext) {
        this.failNext = false;
        throw new Error(`${this.name} did not start`);
      }
      this.#log.push(`${this.name} starts`);
      const ended = new Promise<string>((resolve) => (this.end = resolve));
      const stop = async () => {
        this.#log.push(`${this.name} stops`);
        this.end('stopped');
      };
      return { pid: this.starts, ended, stop };
    }
  }

  function stage() {
    const log: string[] = [];
    const said: string[] = [];
    const noted: string[][] = [];
    const supervisor = new Supervisor({
      say: (line) => said.push(line),
      noted: (processes) => noted.push(processes.map(({ name, pid }) => `${name} ${pid}`)),
    });
    return { log, said, noted, supervisor, actor: (name: string) => new Actor(name, log) };
  }

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  test('parts stop in the reverse order of their start', async () => {
    const { log, supervisor, actor } = stage();
    for (const name of ['database', 'worker', 'api']) await supervisor.keep(actor(name));

    await supervisor.stop();

    expect(log.slice(3)).toEqual(['api stops', 'worker stops', 'database stops']);
  });

  test('a part that dies is started again, and people are told', async () => {
    const { said, noted, supervisor, actor } = stage();
    const worker = actor('The worker');
    await supervisor.keep(worker);

    worker.end('SIGKILL');
    await until(() => said.length === 2);

    expect(worker.starts).toBe(2);
    expect(said).toEqual(['The worker has ended (SIGKILL); starting it again.', 'The worker is back.']);
    expect(noted.at(-1)).toEqual(['The worker 2']);
    await supervisor.stop();
  });

  test('a part that cannot be started again is tried until it can', async () => {
    const { said, supervisor, actor } = stage();
    const worker = actor('The worker');
    await supervisor.keep(worker);

    worker.failNext = true;
    worker.end('SIGKILL');
    await until(() => said.includes('The worker is back.'));

    expect(worker.starts).toBe(3);
    expect(said).toContain('The worker did not start');
    await supervisor.stop();
  });

  test('a first start that fails is the caller’s to tell', async () => {
    const { supervisor, actor, log } = stage();
    await supervisor.keep(actor('database'));
    const api = actor('api');
    api.failNext = true;

    await expect(supervisor.keep(api)).rejects.toThrow('api did not start');

    await supervisor.stop();
    expect(log).toEqual(['database starts', 'database stops']);
  });

  test('what is stopped is not started again, and nothing is started any more', async () => {
    const { supervisor, actor, noted } = stage();
    const worker = actor('worker');
    await supervisor.keep(worker);
    worker.end('SIGKILL');

    await supervisor.stop();

    await expect(supervisor.keep(actor('api'))).rejects.toThrow();
    expect(worker.starts).toBe(1);
    expect(noted.at(-1)).toEqual([]);
  });
});

describe('tool options', () => {
  const tool = {
    command: 'npm run proof --',
    about: 'Proves something.',
    options: {
      rounds: { type: 'string', default: '5', isNumber: true, says: 'how often' },
      kind: { type: 'string', oneOf: ['all', 'moves'], value: 'KIND', says: 'which' },
      only: { type: 'string', multiple: true, says: 'those alone' },
      fresh: { type: 'boolean', default: false, says: 'begin anew' },
    },
  } as const;

  test('what is asked for is read, with what holds else', () => {
    expect(readTool(tool, ['--only', 'A', '--only', 'B', '--fresh'])).toEqual({
      values: { rounds: '5', only: ['A', 'B'], fresh: true },
    });
  });

  test('--help lists every option with what holds else', () => {
    expect(readTool(tool, ['--fresh', '--help'])).toEqual({
      exitCode: 0,
      says: [
        'Usage: npm run proof -- [options]',
        '',
        'Proves something.',
        '',
        '  --rounds N   how often (5)',
        '  --kind KIND  which',
        '  --only TEXT  those alone',
        '  --fresh      begin anew',
      ].join('\n'),
    });
  });

  test.each([
    [['--bogus'], "Unknown option '--bogus'"],
    [['loose'], "Unexpected argument 'loose'"],
    [['--rounds', 'abc'], '--rounds is "abc", but a number is wanted'],
    [['--rounds', ''], '--rounds is "", but a number is wanted'],
    [['--kind', 'none'], '--kind is "none", but one of all, moves is wanted'],
    [['--rounds'], "Option '--rounds <value>' argument missing"],
  ])('%j is one sentence', (given, sentence) => {
    const asked = readTool(tool, given);
    if ('values' in asked) throw new Error('it was taken');
    expect(asked.exitCode).toBe(1);
    expect(asked.says).toMatch(/; npm run proof -- --help lists the options\.$/);
    expect(asked.says.startsWith(sentence)).toBe(true);
  });

  test.each([
    'bench/main.ts',
    'test/crash/main.ts',
    'test/mutants/main.ts',
    'test/simulation/main.ts',
    'local/demo.ts',
  ])('%s starts nothing for --help, nor for what it does not know', (file) => {
    const help = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8' });
    const bogus = spawnSync(process.execPath, [file, '--bogus'], { encoding: 'utf8' });

    expect(help).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^Usage: npm run /) });
    expect(bogus).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Unknown option '--bogus'; npm/),
    });
    expect(bogus.stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('tools', () => {
  const ask = (...words: string[]) =>
    spawnSync(process.execPath, ['local/tools.ts', ...words], { encoding: 'utf8', timeout: 60_000 });

  test('without a name they are listed, each with a line', () => {
    const asked = ask();
    const listed = asked.stdout.split('\n').flatMap((line) => /^ {2}([\w:\-]+) +\w/v.exec(line)?.[1] ?? []);
    expect(asked).toMatchObject({ status: 0, stderr: '' });
    expect(listed).toEqual(Object.keys(tools));
  });

  test('a name that is not there is one sentence', () => {
    const sentence = 'There is no tool "toString"; npm run tools lists them.\n';
    expect(ask('toString')).toMatchObject({ status: 1, stdout: '', stderr: sentence });
  });

  test('a tool gets its options as they are typed, and its end is the end', () => {
    expect(ask('crash-matrix', '--help')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Usage: npm run tools -- crash-matrix \[options\]/v),
    });
    expect(ask('mutants', '--bogus').status).toBe(1);
  });

  test('each file of a tool is there', () => {
    const files = Object.values(tools).flatMap(({ runs }) => (typeof runs === 'string' ? [runs] : []));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('trouble', () => {
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
});
