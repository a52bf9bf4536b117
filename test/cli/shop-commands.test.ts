import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createToken } from '../../cli/create-token.ts';
import { createUser } from '../../cli/create-user.ts';
import { giveLicense } from '../../cli/give-license.ts';
import { listTokens } from '../../cli/list-tokens.ts';
import { receiptsWithoutOrder } from '../../cli/receipts-without-order.ts';
import { revokeToken } from '../../cli/revoke-token.ts';
import { terminalCode } from '../../cli/terminal-code.ts';
import { AuditEntry } from '../../db/audit/audit-entry.entity.ts';
import { findTokenHolder } from '../../db/platform/access/find-token-holder.ts';
import { AdminUser } from '../../db/platform/access/admin-user.entity.ts';
import { saveReceipt } from '../../db/receipts/save-receipt.ts';
import { createSecretBox } from '../../db/support/secret-box.ts';
import { License } from '../../db/terminals/license.entity.ts';
import { Terminal } from '../../db/terminals/terminal.entity.ts';
import { money } from '../../domain/money/amount.ts';
import { createPasswordHasher } from '../../providers/password-hasher.ts';
import { parseSettings } from '../../providers/settings.ts';
import { aTerminal } from '../support/builders/counter.ts';
import { aDayOfSales } from '../support/builders/day-of-sales.ts';
import { booksOf } from '../support/books.ts';
import { testDatabase } from '../support/database.ts';
import { closingTime, commandContextOf } from './support.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aDayOfSales(fork());
});
afterAll(() => orm.close());

const { fork } = booksOf(() => orm);

const shop = () => commandContextOf(orm);
const withPassword = (password: string) =>
  commandContextOf(orm, { settings: parseSettings({ POS_USER_PASSWORD: password }) });
const holderOf = (token: string) => findTokenHolder(fork(), token, closingTime);

test('a token is shown once, opens what it was made for, and ends when it is revoked', async () => {
  const { text: token } = await createToken(shop(), {
    name: 'Till',
    acl: 'Vendor_Pos::locations, Magento_Sales::create',
  });
  const before = await holderOf(token);
  const list = await listTokens(shop());
  await revokeToken(shop(), 'Till');

  expect(before).toMatchObject({ name: 'Till', resources: ['Vendor_Pos::locations', 'Platform_Sales::create'] });
  expect(list.text).toMatch(/^ID {2}NAME/);
  expect(list.text).toMatch(/Till +1 .*Vendor_Pos::locations, Platform_Sales::create$/m);
  expect(list.text).not.toContain(token);
  expect(JSON.stringify(list.json)).not.toContain(token);
  expect(await holderOf(token)).toBeUndefined();
});

test('a register’s token needs one word, and ends by its id as well', async () => {
  const { text: token, json } = await createToken(shop(), { name: 'Kiosk', acl: 'register' });
  const { integration_id: id } = json as { integration_id: number };

  expect((await holderOf(token))?.resources).toContain('Vendor_Pos::receipts');
  await revokeToken(shop(), String(id));
  expect(await holderOf(token)).toBeUndefined();
  await expect(revokeToken(shop(), 'nobody')).rejects.toMatchObject({ status: 404 });
  await expect(createToken(shop(), { name: 'X', acl: 'locations' })).rejects.toMatchObject({ status: 400 });
});

test('no administrator is made without a name, or with an invalid e-mail', async () => {
  const user = { username: 'u', email: 'u@shop.example', firstName: 'U', lastName: 'V', acl: 'all' };
  await expect(createToken(shop(), { name: ' ', acl: 'register' })).rejects.toMatchObject({ status: 400 });
  await expect(createUser(shop(), { ...user, username: '' })).rejects.toMatchObject({ status: 400 });
  await expect(createUser(shop(), { ...user, email: 'nowhere' })).rejects.toMatchObject({ status: 400 });
});

test('a new activation code releases the device that was bound', async () => {
  const { text: code } = await terminalCode(shop(), '1');
  const { text: next } = await terminalCode(shop(), '1');

  expect(code).toMatch(/^[A-Z0-9]{4,12}$/);
  expect(next).not.toBe(code);
  expect(await fork().findOneOrFail(Terminal, { terminalId: 1 })).toMatchObject({
    activationCode: next,
    activationUsedAt: null,
    deviceIdentifier: null,
  });
  await expect(terminalCode(shop(), '99')).rejects.toMatchObject({ status: 404 });
  await expect(terminalCode(shop(), 'return-1')).rejects.toMatchObject({ status: 400 });
});

const trailOf = (fieldName: string) =>
  fork().find(AuditEntry, { fieldName, changeSource: 'admin' }, { orderBy: { logId: 'asc' } });

test('the audit trail names who made a code, and shows none', async () => {
  const before = await trailOf('activation_code');
  const { text: code } = await terminalCode(shop(), '1');
  const [line] = (await trailOf('activation_code')).slice(before.length);

  expect(line).toMatchObject({
    entityType: 'terminal',
    entityId: '1',
    staffName: expect.stringMatching(/.+ \(pos\)$/),
  });
  expect(JSON.stringify(line)).not.toContain(code);
});

test('a register gets its license and loses it', async () => {
  expect(await giveLicense(shop(), { terminal: '2', type: 'pro' })).toMatchObject({
    text: 'Terminal 2 has a PRO license.',
  });
  expect(await giveLicense(shop(), { terminal: '2', type: 'none' })).toMatchObject({
    text: 'Terminal 2 has no license now.',
  });
  await expect(giveLicense(shop(), { terminal: 'customer-2', type: 'pro' })).rejects.toMatchObject({ status: 400 });
  await expect(giveLicense(shop(), { terminal: '2', type: 'gold' })).rejects.toMatchObject({ status: 400 });
  await expect(giveLicense(shop(), { terminal: '2', type: 'none', key: 'K' })).rejects.toMatchObject({ status: 400 });
});

test('a license with a key is the one the service knows by it, on whichever terminal, and the trail tells', async () => {
  const before = await trailOf('license');
  const { terminalId: one } = await aTerminal(fork(), { license: 'none' });
  const { terminalId: two } = await aTerminal(fork(), { license: 'none' });
  for (const terminalId of [one, one, two])
    await giveLicense(shop(), { terminal: String(terminalId), type: 'pro', key: 'KEY-7' });

  const em = fork();
  const license = await em.findOneOrFail(License, { licenseKey: 'KEY-7' });
  const terminals = await em.find(Terminal, { terminalId: [one, two] });
  expect(terminals.map(({ licenseId }) => licenseId)).toEqual([license.licenseId, license.licenseId]);
  const trail = (await trailOf('license')).slice(before.length);
  expect(trail.map(({ entityId, newValue }) => [entityId, newValue])).toEqual([
    [String(one), 'pro KEY-7'],
    [String(two), 'pro KEY-7'],
  ]);
  await expect(giveLicense(shop(), { terminal: '2', type: 'pro', key: 'two words' })).rejects.toMatchObject({
    status: 400,
  });
});

test('an administrator is made with a password that fits, shown once', async () => {
  const grace = { username: 'grace', email: 'grace@example.com', firstName: 'Grace', lastName: 'H', acl: 'all' };
  const { json } = await createUser(shop(), grace);
  const { password } = json as { password: string };
  const user = await fork().findOneOrFail(AdminUser, { username: 'grace' });
  const hasher = createPasswordHasher();

  expect(user.resources).toEqual(['Platform_Backend::all']);
  expect(await hasher.verify(password, user.passwordHash)).toBe(true);
  await hasher.close();
  await expect(createUser(shop(), { ...grace, username: 'other' })).rejects.toMatchObject({ status: 400 });
  expect(
    (await createUser(withPassword('chosen-1'), { ...grace, username: 'ada', email: 'ada@example.com' })).json,
  ).not.toHaveProperty('password');
  const unset = await createUser(withPassword(''), { ...grace, username: 'eve', email: 'eve@example.com' });
  expect(unset.json).toMatchObject({ password: expect.stringMatching(/^.{20}$/) });
});

test('sales that have a receipt and no order are listed with the way on', async () => {
  expect(await receiptsWithoutOrder(shop())).toMatchObject({
    text: 'Every sale that has a receipt is an order.',
    json: [],
  });
  const store = (posOrderId: string, more: object) =>
    saveReceipt(fork(), createSecretBox(Buffer.alloc(32, 7).toString('base64')), {
      fields: { posOrderId, grandTotal: money('12.50'), currency: 'USD', staffName: 'Ada', ...more },
      items: [],
    });
  await store('sale-lost', { terminalName: 'Front', paymentMethod: 'cash' });
  await store('sale-elsewhere', { orderIncrementId: '000009999', layawayKind: 'top_up' });
  await store('refund-of-nothing', { saleType: 'refund' });

  const { text, json } = await receiptsWithoutOrder(shop());
  expect(text).toMatch(/^2 sales have a receipt and no order\./);
  expect(text).toMatch(/12\.50 USD · cash · for /);
  expect(text).toMatch(/sold by {3}Ada, Front\n {2}sale {6}sale-lost\n {2}way on {4}let that register send its queue/);
  expect(text).toMatch(/layaway top_up[^]*no order has the number 000009999/);
  expect(json).toMatchObject([{ posOrderId: 'sale-lost', grandTotal: '12.5000' }, { posOrderId: 'sale-elsewhere' }]);
});
