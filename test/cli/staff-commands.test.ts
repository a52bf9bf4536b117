import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { compare } from 'bcryptjs';
import { applyShopFile } from '../../cli/apply-shop.ts';
import { exportShop } from '../../cli/export-shop.ts';
import { importCsv } from '../../cli/import-csv.ts';
import { importStaff } from '../../cli/import-staff.ts';
import { columnsHelp, importables, importTemplate } from '../../cli/import-templates.ts';
import { resetPasscode } from '../../cli/reset-passcode.ts';
import { terminalCodes } from '../../cli/terminal-codes.ts';
import { unlockMember } from '../../cli/unlock-staff.ts';
import { failureDigest, reserveLoginAttempt } from '../../db/staff/login-attempts.ts';
import { booksOf } from '../support/books.ts';
import { testDatabase } from '../support/database.ts';
import { fileWith, lanterns } from './shop/a-shop-file.ts';
import { commandContextOf } from './support.ts';

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
  expect(text).toContain('zoe@shop.example has no passcode yet: npm run pos -- staff reset-passcode zoe@shop.example');
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
