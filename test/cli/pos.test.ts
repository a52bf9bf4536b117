import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { checkApi } from '../../providers/doctor/check-api.ts';
import { run } from '../../cli/run.ts';
import { operatorSettings } from '../../cli/support/operator-settings.ts';
import type { CommandContext } from '../../cli/support/command-context.ts';
import { createOrm } from '../../db/orm.ts';
import { aDayOfSales } from '../support/builders/day-of-sales.ts';
import { booksOf } from '../support/books.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { bareEnvironment } from '../support/bare-environment.ts';

let orm: MikroORM;
let url: string;
const { fork, configure, remove, change } = booksOf(() => orm);

const nowhere = mkdtempSync(join(tmpdir(), 'pos-cli-'));
const somewhere = mkdtempSync(join(tmpdir(), 'pos-cli-'));

beforeAll(async () => {
  url = await testDatabaseUrl();
  orm = await createOrm(url);
  await aDayOfSales(fork());
});
afterAll(async () => {
  await orm.close();
  for (const folder of [nowhere, somewhere]) rmSync(folder, { recursive: true, force: true });
});

const alone = () => ({ env: { ...bareEnvironment(), DATABASE_URL: url, POS_DATA_DIR: nowhere } });

/** The tool as a process of its own, as npm starts it. */
const pos = (...words: string[]) =>
  new Promise<{ out: string; err: string; code: number | null }>((resolve) => {
    const child = spawn(process.execPath, ['cli/main.ts', ...words], alone());
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    child.stderr.on('data', (chunk) => (err += String(chunk)));
    child.once('close', (code) => resolve({ out, err, code }));
  });

/** The same without the process. */
async function posHere(environment: Record<string, string>, ...words: string[]) {
  let [out, err] = ['', ''];
  const code = await run(
    words,
    { POS_DATA_DIR: nowhere, ...environment },
    { out: (text) => (out += text), err: (text) => (err += text) },
  );
  return { out, err, code };
}

test('from the shell: an answer on stdout and nothing else, exit code 0', async () => {
  const { out, err, code } = await pos('verify', '--json');

  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(JSON.parse(out)).toMatchObject({ ok: true, findings: [] });
});

test('from the shell: a refusal in one sentence on stderr, exit code 1', async () => {
  expect(await pos('explain', 'return', '4711')).toEqual({ out: '', err: 'No return is known as 4711.\n', code: 1 });
});

test('from the shell: a reader who stops early gets no stack trace', async () => {
  const child = spawn(process.execPath, ['cli/main.ts', 'explain', 'order', '1', '--json'], alone());
  child.stdout.destroy();
  let err = '';
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const [code] = await once(child, 'close');

  expect({ err, code }).toEqual({ err: '', code: 0 });
});

test('books that are wrong end with exit code 1, and say which rule', async () => {
  await change('sales_creditmemo', {}, { tax_amount: 4.01 });
  const { out, err, code } = await posHere({ DATABASE_URL: url }, 'verify');
  await change('sales_creditmemo', {}, { tax_amount: 4 });

  expect({ err, code }).toEqual({ err: '', code: 1 });
  expect(out).toContain('M-03  A credit memo adds up');
  expect(out).toContain('credit_memo_id=1 increment_id=000000001');
});

test.each([
  [['frob'], "unknown command 'frob'; npm run pos -- --help lists the commands.\n"],
  [
    ['refunds', 'resolve', '3', 'refunded', '--staff', 'Ada'],
    "required option '--note <text>' not specified; npm run pos -- --help lists the commands.\n",
  ],
  [['verify'], 'DATABASE_URL is not set; set it, or use npm start, which starts everything.\n'],
])('%j says in one sentence what is wrong', async (words, sentence) => {
  expect(await posHere({}, ...words)).toEqual({ out: '', err: sentence, code: 1 });
});

test('a database that is away is told with its address, without its password', async () => {
  const { out, err, code } = await posHere({ DATABASE_URL: 'postgres://pos:hidden@127.0.0.1:9/pos' }, 'token', 'list');

  expect({ out, err, code }).toEqual({
    out: '',
    err: 'The database at 127.0.0.1:9/pos does not answer; start the service with npm start, or set DATABASE_URL.\n',
    code: 1,
  });
});

test('a database that lets us in and says nothing is told as away, within seconds', async () => {
  const guests: Socket[] = [];
  const mute = createServer((guest) => guests.push(guest)).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const { port } = mute.address() as AddressInfo;
  const at = { DATABASE_URL: `postgres://pos:secret@127.0.0.1:${port}/pos` };
  const [listed, doctor] = await Promise.all([posHere(at, 'refunds', 'uncertain'), posHere(at, 'doctor')]);
  mute.close();
  for (const guest of guests) guest.destroy();

  expect(listed).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('does not answer; start the service'),
  });
  expect(doctor.out).toMatch(/^BROKEN +database +127\.0\.0\.1:\d+\/pos does not answer \(.+ said nothing for 5 s\)/m);
});

test('doctor asks the API of a running npm start whether it is ready', async () => {
  let isReady = true;
  const api = http
    .createServer((_, response) => void response.writeHead(isReady ? 200 : 503).end())
    .listen(0, '127.0.0.1');
  await once(api, 'listening');
  const { port } = api.address() as AddressInfo;
  const context = { ready: { api: `http://127.0.0.1:${port}/rest` } } as CommandContext;
  const ready = await checkApi(context);
  isReady = false;
  const drained = await checkApi(context);
  api.close();
  api.closeAllConnections();
  await once(api, 'close');

  expect(ready).toMatchObject([{ state: 'ok', name: 'api' }]);
  expect(drained).toMatchObject([{ state: 'broken', says: expect.stringContaining('is not ready (503)') }]);
  expect(await checkApi(context)).toMatchObject([
    { state: 'broken', says: expect.stringContaining('does not answer') },
  ]);
  expect(await checkApi({ ...context, ready: undefined })).toEqual([]);
});

test('a wrong setting is a line of doctor, and a sentence of every other command', async () => {
  const doctor = await posHere({ PORT: 'abc' }, 'doctor');
  const verify = await posHere({ PORT: 'abc' }, 'verify');

  expect(doctor).toMatchObject({
    err: '',
    code: 1,
    out: expect.stringMatching(/^BROKEN {2}settings {2}PORT is "abc"/),
  });
  expect(verify).toMatchObject({ out: '', code: 1, err: expect.stringMatching(/^PORT is "abc"/) });
});

test('doctor says of each part how it is and what to do', async () => {
  const key = Buffer.alloc(32, 1).toString('base64');
  const { out, code } = await posHere(
    { DATABASE_URL: url, TEMPORAL_ADDRESS: '127.0.0.1:9', POS_SECRET_KEY: key },
    'doctor',
  );

  expect(code).toBe(1);
  expect(out).toMatch(/^ok +database +PostgreSQL 18/m);
  // The tests' own database trades durability for speed, and doctor says so.
  expect(out).toMatch(
    /^BROKEN +durability +fsync is off: a crash loses acknowledged sales → alter system set fsync = on; select pg_reload_conf\(\);/m,
  );
  expect(out).toMatch(/^ok +migrations +the database is up to date/m);
  expect(out).toMatch(/^ok +clock /m);
  expect(out).toMatch(
    /^BROKEN +temporal +127\.0\.0\.1:9 does not answer \(.+\) → run npm start, or correct TEMPORAL_ADDRESS/m,
  );
  expect(out).toMatch(/^warning +gateway +none has an address: cards are refunded from the admin/m);
  expect(out).toMatch(/^warning +mail +no relay is set: no mail is sent → set SMTP_URL/m);
  expect(out).toMatch(
    /^warning +alarms +no address is set: the first administrator hears of refunds in doubt → set REFUND_ALERT_EMAIL/m,
  );
  expect(out).toMatch(/^ok +secret key +set; nothing is sealed yet/m);
  expect(out).toMatch(/^warning +refunds +1 uncertain, the oldest for [\d.]+ h → npm run pos -- refunds uncertain/m);
});

test.each([
  ['is away', { DATABASE_URL: 'postgres://pos:pos@127.0.0.1:9/pos' }],
  ['is not known', {}],
])('while the database %s, doctor does not advise to change the secret key', async (_, environment) => {
  const key = Buffer.alloc(32, 1).toString('base64');
  const { out } = await posHere({ ...environment, POS_SECRET_KEY: key } as Record<string, string>, 'doctor');

  expect(out).toMatch(/^BROKEN +database /m);
  expect(out).toMatch(/^warning +secret key +not checked: the database is away, or is not ours/m);
  expect(out).not.toContain('openssl');
});

test('doctor says that a store works with a returns department that is not there', async () => {
  const path = 'vendor_pos_terminal/returns/providers';
  await configure(path, 'warehouse,builtin');
  const { out } = await posHere({ DATABASE_URL: url }, 'doctor');
  await remove('config_value', { path });

  expect(out).toMatch(
    /^BROKEN +returns +a store works with "warehouse", which does not exist → set RETURNS_SERVICE_URL/m,
  );
});

test('a running npm start is found by its ready file; a database of one’s own never meets its Temporal', () => {
  const dataDir = somewhere;
  const ready = {
    api: 'http://127.0.0.1:8080/rest',
    temporal: '127.0.0.1:7233',
    temporalNamespace: 'pos',
    temporalUi: null,
    gateway: 'http://127.0.0.1:8090',
    mail: null,
    database: 'postgres://pos@127.0.0.1:54329/pos',
    settings: { TEMPORAL_TASK_QUEUE: 'shop2', REFUND_ALERT_EMAIL: 'ops@shop.test' },
  };
  writeFileSync(join(dataDir, 'ready.json'), JSON.stringify(ready));

  const found = operatorSettings({ POS_DATA_DIR: dataDir }).settings;
  const own = operatorSettings({ POS_DATA_DIR: dataDir, DATABASE_URL: 'postgres://elsewhere/pos' });

  expect(found).toMatchObject({
    DATABASE_URL: ready.database,
    TEMPORAL_ADDRESS: ready.temporal,
    GATEWAY_SIMULATOR_URL: ready.gateway,
    TEMPORAL_TASK_QUEUE: 'shop2',
    REFUND_ALERT_EMAIL: 'ops@shop.test',
  });
  expect(operatorSettings({ POS_DATA_DIR: dataDir, TEMPORAL_TASK_QUEUE: 'mine' }).settings).toMatchObject({
    TEMPORAL_TASK_QUEUE: 'mine',
  });
  expect(own.ready).toBeUndefined();
  expect(own.settings.TEMPORAL_ADDRESS).toBeUndefined();
});
