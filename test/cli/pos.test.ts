import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { compare } from 'bcryptjs';
import { verify } from '../../books/verify/verify.ts';
import { addPoints } from '../../cli/add-points.ts';
import { applyShopFile } from '../../cli/apply-shop.ts';
import { eraseCustomerData, exportCustomer } from '../../cli/customer-data.ts';
import {
  exportShop,
  columnsHelp,
  importables,
  importTemplate,
  resetPasscode,
  terminalCodes,
  unlockMember,
} from '../../cli/shop-commands.ts';
import { importCsv } from '../../cli/import-csv.ts';
import { importStaff } from '../../cli/import-staff.ts';
import { run, operatorSettings } from '../../cli/run.ts';
import type { CommandContext } from '../../cli/support.ts';
import { createOrm } from '../../db/orm.ts';
import { failureDigest, reserveLoginAttempt } from '../../db/staff/login-attempts.ts';
import { seedDemoShop } from '../../local/demo-shop/seed.ts';
import { spoken } from '../../providers/doctor/check.ts';
import { checkApi } from '../../providers/doctor/diagnose.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { booksOf } from '../support/books.ts';
import { everyWord } from '../support/books/every-word.ts';
import { aDayOfSales } from '../support/builders/day-of-sales.ts';
import { testDatabase, testDatabaseUrl } from '../support/database.ts';
import { fileWith, lanterns } from './shop/a-shop-file.ts';
import { commandContextOf } from './support.ts';
import { useDatabase } from '../support/fixtures.ts';
import { firstId } from '../support/first-id.ts';

describe('customer data', () => {
  const orm = useDatabase();
  beforeAll(() => seedDemoShop(orm, Buffer.alloc(32, 7).toString('base64')));

  const books = booksOf(() => orm);
  const { fork, find, findOne, howMany, change, insert, remove } = books;
  const shop = () => commandContextOf(orm);
  const walter = 'walter@demo.example';
  const idOf = async (email: string): Promise<number> => (await findOne('customer', { email }))['id'];

  /** Walter has bought, ships to his street, and has a receipt with his name in three places. */
  async function aSaleOfWalter(): Promise<{ orderId: number; receiptId: number }> {
    const [order] = await find('sales_order', { customer_email: walter }, 'entity_id', 'increment_id');
    const { entity_id: orderId, increment_id: number } = order!;
    await change(
      'sales_order',
      { entity_id: orderId },
      { customer_email: walter, customer_firstname: 'Walter', customer_lastname: 'White' },
    );
    await change(
      'sales_order_address',
      { order_id: orderId },
      { firstname: 'Walter', lastname: 'White', street: '["308 Negra Arroyo Lane"]' },
    );
    const [receipt] = await find('pos_receipt', {}, 'receipt_id');
    const papers = {
      ...{ order_increment_id: number, customer_name: 'Walter White', customer_email: walter },
      raw_payload: JSON.stringify({ customer_name: 'Walter White', items: [{ name: 'Mug', qty: 1 }] }),
      ship_to_shipments: JSON.stringify([
        { name: 'Walter White', street: ['308 Negra Arroyo Lane'], items: [{ name: 'Mug', qty: 1 }] },
      ]),
    };
    if (receipt) await change('pos_receipt', { receipt_id: receipt['receipt_id'] }, papers);
    else
      await insert('pos_receipt', {
        pos_order_id: 'sale-of-walter',
        token_digest: 'd'.repeat(64),
        sealed_token: 'sealed',
        ...papers,
      });
    const [{ receipt_id: receiptId } = { receipt_id: 0 }] = await find(
      'pos_receipt',
      { customer_email: walter },
      'receipt_id',
    );
    return { orderId, receiptId };
  }

  test('a customer gets all that the shop has about them, and no secret', async () => {
    await aSaleOfWalter();
    const { text, json } = await exportCustomer(shop(), walter);
    const data = json as Record<string, Record<string, unknown>[]>;

    expect(data['account']).toMatchObject([{ email: walter, firstname: 'Walter' }]);
    expect(data['orders']).toMatchObject([{ customer_lastname: 'White' }]);
    expect(data['order_addresses']?.[0]).toMatchObject({ street: ['308 Negra Arroyo Lane'] });
    expect(data['receipts']).toMatchObject([{ customer_name: 'Walter White' }]);
    expect(text).not.toMatch(/password_hash|\$2[aby]\$|sealed_token|token_digest/);
  });

  test('an erased customer is nowhere in the shop; the order, its figures and its receipt are', async () => {
    const { orderId, receiptId } = await aSaleOfWalter();
    const before = await findOne('sales_order', { entity_id: orderId });
    const id = await idOf(walter);
    // Points are still to be given for the order.
    await expect(eraseCustomerData(shop(), walter)).rejects.toMatchObject({ status: 400 });
    await remove('reward_points_due', {});
    const { text } = await eraseCustomerData(shop(), walter);

    expect(text).toBe('The account is deleted. 1 orders and 1 receipts lost their names and stay with their figures.');
    expect(await howMany('customer', { id })).toBe(0);
    expect((await everyWord(books)).match(/walter@|Walter|Negra/)).toBeNull();
    const after = await findOne('sales_order', { entity_id: orderId });
    expect([after['grand_total'], after['increment_id'], after['customer_email']]).toEqual([
      before['grand_total'],
      before['increment_id'],
      `erased-${id}@erased.invalid`,
    ]);
    expect(JSON.parse((await findOne('pos_receipt', { receipt_id: receiptId }))['raw_payload'])).toEqual({
      customer_name: null,
      items: [{ name: 'Mug', qty: 1 }],
    });
    expect(
      await howMany('pos_audit_log', { entity_type: 'customer', entity_id: String(id), new_value: 'erased' }),
    ).toBe(1);
    expect(await verify(fork())).toEqual([]);
  });

  test('who still has credit is not erased, and who had some keeps the ledger without a name', async () => {
    const grace = 'grace@demo.example';
    const id = await idOf(grace);
    await expect(eraseCustomerData(shop(), String(id))).rejects.toMatchObject({ status: 400 });
    expect(await howMany('customer', { email: grace })).toBe(1);

    const chloe = String(await idOf('chloe@demo.example'));
    for (const points of ['5', '-5']) await addPoints(shop(), { customer: chloe, points });
    await remove('reward_points_due', {});
    const { text } = await eraseCustomerData(shop(), 'CHLOE@demo.example');
    expect(text).toMatch(/^The account stays without a name/);
    expect((await everyWord(books)).match(/chloe@|Chloé/i)).toBeNull();
  });

  test('nobody is nobody', async () => {
    await expect(exportCustomer(shop(), 'nobody@demo.example')).rejects.toMatchObject({ status: 404 });
    await expect(eraseCustomerData(shop(), '4711')).rejects.toMatchObject({ status: 404 });
  });
});

describe('pos', () => {
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
    const child = spawn(process.execPath, ['cli/main.ts', 'explain', 'order', String(firstId), '--json'], alone());
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
    expect(out).toContain(`credit_memo_id=${firstId} increment_id=000000001`);
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
    const { out, err, code } = await posHere(
      { DATABASE_URL: 'postgres://pos:hidden@127.0.0.1:9/pos' },
      'token',
      'list',
    );

    expect({ out, err, code }).toEqual({
      out: '',
      err: 'The database at 127.0.0.1:9/pos does not answer; start it, or correct DATABASE_URL.\n',
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
      err: expect.stringContaining('does not answer; start it, or correct DATABASE_URL'),
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
    const checked = async () => (await checkApi(context)).map((check) => spoken(check));
    const ready = await checked();
    isReady = false;
    const drained = await checked();
    api.close();
    api.closeAllConnections();
    await once(api, 'close');

    expect(ready).toMatchObject([{ state: 'ok', name: 'api' }]);
    expect(drained).toMatchObject([{ state: 'broken', says: expect.stringContaining('is not ready (503)') }]);
    expect(await checked()).toMatchObject([{ state: 'broken', says: expect.stringContaining('does not answer') }]);
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
      /^BROKEN +temporal +127\.0\.0\.1:9 does not answer \(.+\) → start it, or correct TEMPORAL_ADDRESS/m,
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
});

describe('staff commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pos-staff-'));
  let orm: MikroORM;
  beforeAll(async () => {
    orm = await testDatabase();
    await applyShopFile(shop(), fileWith(lanterns()), {});
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await orm.close();
  });

  const shop = () => commandContextOf(orm);
  const { fork, find, findOne, howMany } = booksOf(() => orm);
  let files = 0;
  const csv = (...lines: string[]) => {
    const file = join(folder, `${++files}.csv`);
    writeFileSync(file, lines.join('\r\n'));
    return file;
  };
  const hashOf = async (email: string): Promise<string> => (await findOne('pos_staff', { email }))['passcode_hash'];
  const header = 'email,first_name,last_name,role,locations,passcode,active';

  test('staff come from a file, each with the role and the places it names; who is new gets a passcode, shown once', async () => {
    const file = csv(
      header,
      'ida@shop.example,Ida,Ito,Cashier,high-street,,',
      'ben@shop.example,Ben,Bo,Cashier,all,135790,1',
    );
    const first = await importStaff(shop(), file);
    const { passcodes } = first.json as { passcodes: { email: string; passcode: string }[] };

    expect(first.text).toMatch(
      /^2 rows: 2 saved, 0 refused\.\nNew passcodes, not shown again:\n {2}ida@shop\.example {2}\d{6}$/,
    );
    expect(await compare(passcodes[0]!.passcode, await hashOf('ida@shop.example'))).toBe(true);
    expect(await compare('135790', await hashOf('ben@shop.example'))).toBe(true);
    expect(await findOne('pos_staff', { email: 'ben@shop.example' })).toMatchObject({
      all_locations: true,
      is_active: true,
    });
    const { staff_id: ida } = await findOne('pos_staff', { email: 'ida@shop.example' });
    expect(await howMany('pos_staff_location', { staff_id: ida })).toBe(1);
  });

  test('the same file again leaves the same people, and makes no other passcode', async () => {
    const before = await find('pos_staff', {}, 'email', 'passcode_hash', 'passcode_updated_at');
    const file = csv(header, 'IDA@shop.example,Ida,Ito,Cashier,high-street,,1');
    expect((await importStaff(shop(), file)).text).toBe('1 rows: 1 saved, 0 refused.');
    const after = await find('pos_staff', {}, 'email', 'passcode_hash', 'passcode_updated_at');
    expect(after.map((row) => row['passcode_hash'])).toEqual(before.map((row) => row['passcode_hash']));
  });

  test('a row that makes no sense is told with its reason, and the others are saved', async () => {
    const file = csv(
      header,
      'eve@shop.example,Eve,Ek,Baker,high-street,,1',
      'kim@shop.example,Kim,Ko,Cashier,mars,,1',
      'no address,No,Body,Cashier,all,,1',
      'liv@shop.example,Liv,Li,Cashier,all,,yes',
      'ole@shop.example,Ole,Os,Cashier,all,,0',
    );
    const { text, isFine } = await importStaff(shop(), file);

    expect(isFine).toBe(false);
    expect(text).toContain('5 rows: 1 saved, 4 refused.');
    expect(text).toContain('row 1, eve@shop.example: No role is called Baker.');
    expect(text).toContain('row 2, kim@shop.example: No location has the code mars.');
    expect(text).toContain('row 4, liv@shop.example: active is 1 or 0, not "yes".');
    expect(await howMany('pos_staff', { email: 'kim@shop.example' })).toBe(0);
    expect(await findOne('pos_staff', { email: 'ole@shop.example' })).toMatchObject({ is_active: false });
  });

  test('two rows with one e-mail save no one, and a quote that is not closed takes no other row', async () => {
    const file = csv(
      header,
      'ann@two.example,Ann,One,Cashier,high-street,135790,1',
      'ANN@Two.Example,Ann,Two,Cashier,high-street,,1',
      'bob@two.example,"Bob,Zero,Cashier,high-street,777001,1',
      'cyd@two.example,Cyd,Three,Cashier,high-street,777002,1',
      'dee@two.example,"Dee",Four,Cashier,high-street,777003,1',
      'eve@two.example,Eve,Five, jr.,Cashier,high-street,777004,1',
      'fay@two.example,Fay,Six,Cashier,high-street,777005,1',
      'fay@two.example,Fay,Six,Cashier,high-street,777005,1',
    );
    const { text, json } = await importStaff(shop(), file);

    expect(text).toContain('8 rows: 4 saved, 4 refused.');
    expect(text).toContain('row 1, ann@two.example: Rows 1 and 2 have this e-mail and differ. Remove one of them.');
    expect(text).toContain('row 3: A quote is opened and not closed.');
    expect(text).toContain('row 6, eve@two.example: The row has more cells than the first line.');
    expect(`${text}${JSON.stringify(json)}`).not.toMatch(/77700\d|135790/);
    const names = await find('pos_staff', {}, 'email', 'first_name', 'last_name');
    expect(names.filter(({ email }) => String(email).endsWith('two.example'))).toEqual([
      { email: 'cyd@two.example', first_name: 'Cyd', last_name: 'Three' },
      { email: 'dee@two.example', first_name: 'Dee', last_name: 'Four' },
      { email: 'fay@two.example', first_name: 'Fay', last_name: 'Six' },
    ]);
    expect(await compare('777003', await hashOf('dee@two.example'))).toBe(true);
  });

  test('a passcode that a spreadsheet changed, or that no register can type, is refused', async () => {
    const row = (name: string, passcode: string) =>
      `${name}@typed.example,${name},Typed,Cashier,high-street,${passcode},1`;
    const file = csv(
      header,
      row('a', '1.35E+05'),
      row('b', '１２３４５６'),
      row('c', '864 209'),
      row('d', '="012345"'),
      row('e', '12345'),
      'f@typed.example,Fay,Typed',
    );
    const { text } = await importStaff(shop(), file);

    expect(text).toContain('6 rows: 2 saved, 4 refused.');
    expect(text).toContain('row 1, a@typed.example: passcode cannot be "1.35E+05": a spreadsheet cut its digits off.');
    expect(text).toContain('row 2, b@typed.example: The passcode has digits other than 0 to 9.');
    expect(text).toContain('row 3, c@typed.example: The passcode has a blank.');
    expect(text).toContain('row 5, e@typed.example: saved with a passcode of fewer than six digits.');
    expect(text).toContain('row 6, f@typed.example: A new member of staff needs a role.');
    expect(await compare('012345', await hashOf('d@typed.example'))).toBe(true);
  });

  test('staff in another encoding are refused as a file', async () => {
    const file = csv();
    writeFileSync(file, Buffer.from(`${header}\njose@enc.example,Jos\u00e9,Enc,Cashier,all,,1`, 'latin1'));
    await expect(importStaff(shop(), file)).rejects.toMatchObject({ status: 400 });
    expect(await howMany('pos_staff', { email: 'jose@enc.example' })).toBe(0);
  });

  test.each([
    ['a column is missing', ['email,first_name,last_name', 'a@b.example,A,B'], 'role'],
    ['nobody knows a column', [`${header},shoe_size`, 'a@b.example,A,B,Cashier,all,,1,42'], 'shoe_size'],
  ])('nothing is saved where %s', async (_, lines, column) => {
    const people = await howMany('pos_staff');
    await expect(importStaff(shop(), csv(...lines))).rejects.toMatchObject({
      status: 400,
      parameters: expect.arrayContaining([column]),
    });
    expect(await howMany('pos_staff')).toBe(people);
  });

  test('a shop file names its staff, and one that was made so can be exported and applied again', async () => {
    const zoe = {
      email: 'zoe@shop.example',
      firstName: 'Zoe',
      lastName: 'Zu',
      role: 'Cashier',
      locations: ['high-street'],
    };
    const { text } = await applyShopFile(shop(), fileWith(JSON.stringify({ staff: [zoe] })), {});

    expect(text).toContain('+ staff zoe@shop.example');
    expect(text).toContain(
      'zoe@shop.example has no passcode yet: npm run pos -- staff reset-passcode zoe@shop.example',
    );
    const again = await applyShopFile(shop(), fileWith((await exportShop(shop())).text), { prune: true });
    expect(again.text).toBe('The shop is as the file says: nothing to change.');
    const gone = await applyShopFile(shop(), fileWith(JSON.stringify({ staff: [{ ...zoe, isActive: false }] })), {
      prune: true,
    });
    expect(gone.text).toContain('~ staff zoe@shop.example: is active true → false');
    // Whoever a file does not name stays, also where it prunes.
    expect(await howMany('pos_staff', { email: 'ida@shop.example' })).toBe(1);
  });

  test('a new passcode is shown once, opens the register, and ends a lock', async () => {
    const email = 'zoe@shop.example';
    for (let guess = 0; guess < 4; guess++) await reserveLoginAttempt(fork(), email);
    const { text, json } = await resetPasscode(shop(), email, {});
    const { passcode } = json as { passcode: string };

    expect(text).toBe(`${email} has the passcode ${passcode}; it is not shown again.`);
    expect(await compare(passcode, await hashOf(email))).toBe(true);
    expect(await howMany('pos_staff_login_failure', { email_digest: failureDigest(email) })).toBe(0);
    const typed = await resetPasscode(shop(), email, { askPasscode: true }, async () => '246801');
    expect(typed.text).toBe(`${email} has the passcode that you gave.`);
    await expect(resetPasscode(shop(), email, { askPasscode: true }, async () => '')).rejects.toMatchObject({
      status: 400,
    });
    await expect(resetPasscode(shop(), 'nobody@shop.example', {})).rejects.toMatchObject({ status: 404 });
    await expect(resetPasscode(shop(), '4711', {})).rejects.toMatchObject({ status: 404 });
  });

  test('an unlock keeps the passcode, and the audit trail names who did it', async () => {
    const email = 'zoe@shop.example';
    await reserveLoginAttempt(fork(), email);
    const hash = await hashOf(email);
    expect((await unlockMember(shop(), email)).text).toBe(`${email} may sign in again.`);
    expect(await hashOf(email)).toBe(hash);
    expect(await howMany('pos_staff_login_failure', { email_digest: failureDigest(email) })).toBe(0);
    const [entry] = await find(
      'pos_audit_log',
      { field_name: 'lockout', entity_name: 'Zoe Zu' },
      'change_source',
      'staff_name',
    );
    expect(entry).toMatchObject({ change_source: 'admin', staff_name: expect.stringMatching(/ \(pos\)$/) });
  });

  test('the codes of a location are shown together, and none is made anew', async () => {
    const before = await find('pos_terminal', {}, 'terminal_id', 'activation_code');
    const { text, json } = await terminalCodes(shop(), undefined);
    const rows = json as { location: string; name: string; activation_code: string }[];

    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => row.activation_code)).toEqual(before.map((row) => row['activation_code']));
    for (const { name, activation_code: code } of rows) expect(text).toMatch(new RegExp(`${name}\\s+${code}`));
    const [{ location } = { location: '' }] = rows;
    expect((await terminalCodes(shop(), location)).text).toContain(rows[0]!.activation_code);
    expect(await find('pos_terminal', {}, 'terminal_id', 'activation_code')).toEqual(before);
    await expect(terminalCodes(shop(), 'mars')).rejects.toMatchObject({ status: 404 });
  });

  test.each(importables)(
    'the template of %s is a file that can be imported, and the help tells its columns',
    async (what) => {
      const { text, json } = importTemplate(what);
      const { columns } = json as { columns: { name: string }[] };
      for (const { name } of columns) expect(columnsHelp()).toContain(`  ${name}`);
      const file = csv(...text.split('\n'));
      const { isFine, text: said } =
        what === 'staff' ? await importStaff(shop(), file) : await importCsv(shop(), what, file, () => undefined);
      expect([said.split(':')[0], isFine]).toEqual(['1 rows', true]);
    },
  );
});
