import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createIntegration } from '../../cli/create-integration.ts';
import { createToken, explainMoney, giveLicense, reconcileRefund, revokeToken } from '../../cli/program.ts';
import { createUser, terminalCode } from '../../cli/shop-commands.ts';
import { getConfig } from '../../cli/get-config.ts';
import { listConfig, setConfig } from '../../cli/settings-commands.ts';
import { listTokens } from '../../cli/list-tokens.ts';
import { receiptDifferences } from '../../cli/receipt-differences.ts';
import { receiptsWithoutOrder } from '../../cli/receipts-without-order.ts';
import { resolveRefund } from '../../cli/resolve-refund.ts';
import { ageText, uncertainRefunds } from '../../cli/uncertain-refunds.ts';
import { verifyBooks } from '../../cli/verify-books.ts';
import { AuditEntry } from '../../db/audit.ts';
import { AdminUser } from '../../db/platform/access/access.entity.ts';
import { findTokenHolder } from '../../db/platform/access/find-token-holder.ts';
import { MoneyIn } from '../../db/platform/orders/order.entity.ts';
import { saveReceipt } from '../../db/receipts/save-receipt.ts';
import { createSecretBox } from '../../db/support/secret-box.ts';
import { License, Terminal } from '../../db/terminals/terminal.entity.ts';
import { knownSettings, meaningOfSetting } from '../../domain/configuration/meaning-of-setting.ts';
import { money, zero } from '../../domain/money.ts';
import { createPasswordHasher } from '../../providers/password-hasher.ts';
import { parseSettings } from '../../providers/settings.ts';
import { booksOf } from '../support/books.ts';
import { aTerminal } from '../support/builders/counter.ts';
import { aDayOfSales } from '../support/builders/day-of-sales.ts';
import { testDatabase } from '../support/database.ts';
import { closingTime, commandContextOf, recordingWorkflows } from './support.ts';
import { useDatabase } from '../support/fixtures.ts';
import { firstId } from '../support/first-id.ts';

describe('config commands', () => {
  const orm = useDatabase();
  beforeAll(() => aDayOfSales(fork()));

  const { fork, find } = booksOf(() => orm);

  const shop = () => commandContextOf(orm);

  test('a setting holds in its scope, the narrowest first', async () => {
    const path = 'vendor_pos_terminal/stock/low_stock_threshold';
    await setConfig(shop(), path, '7', {});
    await setConfig(shop(), path, '3', { website: 'base' });
    await setConfig(shop(), path, '1', { store: 'ca' });

    expect((await getConfig(shop(), path, {})).json).toEqual({ path, value: '7', source: 'default' });
    expect((await getConfig(shop(), path, { website: 'base' })).json).toEqual({
      path,
      value: '3',
      source: 'website base',
    });
    expect((await getConfig(shop(), path, { store: 'ca' })).text).toBe(
      ['→  store view ca  1', '   website base   3', '   default        7', '   built in       5'].join('\n'),
    );

    await setConfig(shop(), path, null, { store: 'ca' });
    expect((await getConfig(shop(), path, { store: 'ca' })).json).toMatchObject({ value: '3' });
  });

  test('the settings of web carts are shown as well, with their defaults', async () => {
    const path = 'carriers/flatrate/price';

    expect(await getConfig(shop(), path, {})).toMatchObject({ json: { value: '5.00', source: 'built in' } });
    expect((await setConfig(shop(), path, '7.50', {})).text).toBe(`${path} is set to "7.50".`);
    expect((await getConfig(shop(), path, {})).text).toMatch(/^→ {2}default +7\.50\n {3}built in +5\.00$/);
    await setConfig(shop(), path, null, {});
  });

  test('settings are listed by the beginning of their path, with meaning and default', async () => {
    const path = 'vendor_pos_terminal/layaway/expiry_days';
    await setConfig(shop(), path, '45', {});
    const { text, json } = await listConfig(shop(), 'vendor_pos_terminal/layaway');
    await setConfig(shop(), path, null, {});

    expect((json as { path: string }[]).map((one) => one.path)).toEqual([
      'vendor_pos_terminal/layaway/cancellation_fee_percent',
      'vendor_pos_terminal/layaway/deposit_min_percent',
      path,
    ]);
    expect(text).toContain(
      `${path}\n    After how many days a layaway is overdue; 0: never.\n    default "30", set to "45"`,
    );
    await expect(listConfig(shop(), 'vendor_pos/nothing')).rejects.toMatchObject({ status: 400 });
  });

  test('every setting that something reads has its meaning in words', () => {
    const withoutWords = knownSettings.filter((path) => !meaningOfSetting(path)?.endsWith('.'));
    expect({ 'edit domain/configuration/meaning-of-setting.ts': withoutWords }).toEqual({
      'edit domain/configuration/meaning-of-setting.ts': [],
    });
  });

  test('a provider key is sealed and never shown', async () => {
    const path = 'vendor_pos_terminal/provider_a/api_key';
    const { text } = await setConfig(shop(), path, 'live-key-1', {});
    const shown = await getConfig(shop(), path, {});
    const stored = await find('config_value', { path }, 'value');

    expect((await listConfig(shop(), path)).text).toContain('set to "(set, not shown)"');
    expect(text).toBe(`${path} is set and sealed.`);
    expect(JSON.stringify([shown, stored])).not.toContain('live-key-1');
    expect(shown.json).toMatchObject({ value: '(set, not shown)' });
  });

  test('an unknown setting, website or store view is refused', async () => {
    await expect(setConfig(shop(), 'enabled', '1', {})).rejects.toMatchObject({ status: 400 });
    const known = 'vendor_pos/general/enabled';
    await expect(setConfig(shop(), known, '1', { website: 'mars' })).rejects.toMatchObject({ status: 404 });
    await expect(setConfig(shop(), known, '1', { website: 'base', store: 'ca' })).rejects.toMatchObject({
      status: 400,
    });
    await expect(getConfig(shop(), 'no/such/path', {})).rejects.toMatchObject({ status: 400 });
    await expect(setConfig(shop(), 'vendor_pos_terminal/layaway/expire_days', '9', {})).rejects.toMatchObject({
      status: 400,
      parameters: [expect.anything(), expect.stringContaining('vendor_pos_terminal/layaway/expiry_days')],
    });
    await expect(setConfig(shop(), 'sales/some/path', '1', {})).rejects.toMatchObject({ status: 400 });
    expect((await setConfig(shop(), 'sales/some/path', '1', { unread: true })).isFine).toBe(true);
    // What an earlier release let in can be taken away.
    expect((await setConfig(shop(), 'sales/some/path', null, {})).isFine).toBe(true);
  });

  test('a setting takes what it can be read as, and a refusal says what that is', async () => {
    const days = 'vendor_pos_terminal/layaway/expiry_days';
    await expect(setConfig(shop(), days, 'abc', {})).rejects.toMatchObject({
      status: 400,
      refusal: { message: '%1 takes %2, not "%3".', parameters: [days, 'a whole number of 0 or more', 'abc'] },
    });
    await expect(setConfig(shop(), days, 'true', {})).rejects.toMatchObject({ status: 400 });
    await expect(setConfig(shop(), 'vendor_pos_lock/enforcement/auto_print', 'maybe', {})).rejects.toMatchObject({
      status: 400,
    });
    for (const value of ['45', '0', '']) expect((await setConfig(shop(), days, value, {})).isFine).toBe(true);
    expect((await setConfig(shop(), 'vendor_pos/general/enabled', 'true', {})).isFine).toBe(true);
    await setConfig(shop(), days, null, {});
    await setConfig(shop(), 'vendor_pos/general/enabled', null, {});
  });
});

describe('create integration', () => {
  const orm = useDatabase();

  const shop = () => commandContextOf(orm);
  const accounting = { name: 'Accounting', acl: 'Vendor_Pos::receipts' };

  test('an operator gets the four values that a client signs with', async () => {
    const { text, json } = await createIntegration(shop(), accounting);

    expect(json).toEqual({
      integration_id: firstId,
      name: 'Accounting',
      resources: ['Vendor_Pos::receipts'],
      consumer_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      consumer_secret: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      access_token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      access_token_secret: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    });
    expect(text.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([
      'consumer key',
      'consumer secret',
      'access token',
      'access token secret',
    ]);
  });

  test('four more for the same name are counted beside the first, and all of them end together', async () => {
    await createIntegration(shop(), accounting);
    expect((await listTokens(shop())).json).toMatchObject([{ name: 'Accounting', tokens: 2 }]);

    await revokeToken(shop(), 'Accounting');
    expect((await listTokens(shop())).json).toMatchObject([{ name: 'Accounting', tokens: 0 }]);
  });

  test.each([
    [' ', 'register'],
    ['X', 'locations'],
    ['X', 'Vendor_Pos::locations,Vendor_Pos::location'],
  ])('a name of %j with the resources %s is refused, and nothing is made', async (name, acl) => {
    await expect(createIntegration(shop(), { name, acl })).rejects.toMatchObject({ status: 400 });
    expect((await listTokens(shop())).json).toHaveLength(1);
  });
});

describe('money commands', () => {
  const attemptId = firstId + 2;
  let orm: MikroORM;
  let ledger: Server;

  /** What the simulator tells; a test changes it and puts it back. */
  let refunds = [ledgerRefund(`return-${firstId}-1`, 'declined'), ledgerRefund(`return-${firstId}-2`, 'refunded')];

  const { fork, change } = booksOf(() => orm);

  function ledgerRefund(key: string, state: string) {
    return {
      idempotency_key: key,
      amount: '54.00',
      currency: 'USD',
      captured_amount: '108.00',
      payment_id: 'pay-1',
      state,
    };
  }

  beforeAll(async () => {
    orm = await testDatabase();
    await aDayOfSales(fork());
    ledger = createServer((request, response) => {
      const answer = request.url === '/calls' ? [{ merchant_reference: `refund-attempt-${firstId}` }] : refunds;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => ledger.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    ledger.close();
    await orm.close();
  });

  const beside = () => {
    const { port } = ledger.address() as AddressInfo;
    return commandContextOf(orm, { settings: parseSettings({ GATEWAY_SIMULATOR_URL: `http://127.0.0.1:${port}` }) });
  };

  test('verify says that the books are right, by themselves and beside the gateway', async () => {
    const alone = await verifyBooks(commandContextOf(orm));
    const compared = await verifyBooks(beside());

    expect(alone).toMatchObject({ isFine: true, json: { ok: true, gateway: null, findings: [] } });
    expect(alone.text).toMatch(/^The books are right: all \d+ rules hold\.$/);
    expect(compared).toMatchObject({ isFine: true, json: { ok: true, gateway: true } });
  });

  test('verify tells a refund that we booked and the gateway does not have', async () => {
    const before = refunds;
    refunds = [ledgerRefund(`return-${firstId}-1`, 'declined')];

    const { isFine, text } = await verifyBooks(beside(), { lookAgainAfterMs: 1 });
    refunds = before;

    expect(isFine).toBe(false);
    expect(text.replace(/of \d+ rules/, 'of N rules').replace(String(firstId), 'FIRST')).toMatchInlineSnapshot(`
"The books are wrong: 1 of N rules do not hold.

I-11  What we booked as refunded for an order is what the gateway gave back, once nothing is undecided.
  order_id=FIRST increment_id=000000001 booked=54.0000 refunded_by_gateway=0"
`);
  });

  test.each([
    [20, 'and 10 more'],
    [1_000, 'and at least 40 more'],
  ])('verify tells ten of %s broken rows, and never fewer than there are: %s', async (count, more) => {
    const em = fork();
    await em.begin();
    const nothing = { orderId: firstId + 1, kind: 'invoice', amount: zero, baseAmount: zero } as const;
    await em.insertMany(
      MoneyIn,
      Array.from({ length: count }, () => nothing),
    );
    // Within the transaction, which is taken back: the books of the other tests stay right.
    const { text } = await verifyBooks(commandContextOf(orm, { em: async () => em }), { lookAgainAfterMs: 1 });
    await em.rollback();

    expect(text.split('\n').filter((line) => line.startsWith('  money_in_id='))).toHaveLength(10);
    expect(text).toContain(`\n  ${more}`);
  });

  test('verify says each few seconds which rule it checks, and nothing in a shop where that is quick', async () => {
    const said = async (secondsEach: number) => {
      const lines: string[] = [];
      let seconds = 0;
      const clock = () => (seconds += secondsEach) * 1_000;
      await verifyBooks(commandContextOf(orm), { say: (line) => void lines.push(line), clock });
      return lines;
    };

    expect(await said(0)).toEqual([]);
    const lines = await said(3);
    const [, rules = ''] = /of (\d+)/.exec(lines[0] ?? '') ?? [];
    expect(lines[0]).toMatch(/^… rule 2 of \d+: I-04b$/);
    expect(lines).toHaveLength(Math.floor(Number(rules) / 2));
  });

  test('verify does not call the books right when the gateway cannot be asked', async () => {
    const settings = parseSettings({ GATEWAY_SIMULATOR_URL: 'http://127.0.0.1:9' });

    expect(await verifyBooks(commandContextOf(orm, { settings }))).toMatchObject({
      isFine: false,
      text: expect.stringContaining('The gateway at http://127.0.0.1:9 does not answer'),
      json: { ok: false, gateway: false, findings: [] },
    });
  });

  test('refunds uncertain lists what an operator works down, with the three ways on', async () => {
    const settings = parseSettings({ TEMPORAL_UI_URL: 'http://127.0.0.1:8233' });
    const { text, json } = await uncertainRefunds(commandContextOf(orm, { settings }));

    expect(text.replaceAll(String(attemptId), 'N')).toMatchInlineSnapshot(`
"One refund without a known end, oldest first.

Attempt N · 54.00 USD through provider_b · order 000000003 · return N · for 7 h 36 min
  asked     give back 54.00 USD, reference refund-attempt-N-tail
  answered  timeout: No answer within 20 s.
  ways on   npm run pos -- refunds reconcile N
            npm run pos -- refunds resolve N refunded --staff NAME --note TEXT
            npm run pos -- refunds resolve N not_refunded --staff NAME --note TEXT
  see       http://127.0.0.1:8233/namespaces/pos/workflows/refund-attempt-N"
`);
    expect(json).toMatchObject([{ attemptId, state: 'uncertain', amount: 54, orderIncrementId: '000000003' }]);
  });

  test('where the gateway cannot be asked, the list, reconcile and explain say so', async () => {
    const { workflows, asked } = recordingWorkflows(async () => 'uncertain');
    const by = (method: string) => change('refund_attempt', { attempt_id: attemptId }, { payment_method: method });
    await by('provider_c');

    const { text, json } = await uncertainRefunds(commandContextOf(orm, {}));
    const answer = await reconcileRefund(
      commandContextOf(orm, { workflows: async () => workflows }),
      String(attemptId),
    );
    const story = await explainMoney(commandContextOf(orm), 'refund', String(attemptId));
    await by('provider_b');

    expect(text).toContain('this gateway cannot be asked: look for the reference in its portal, then');
    expect(text).not.toContain('reconcile');
    expect(json).toMatchObject([{ attemptId, canLookUp: false }]);
    expect(answer.text).toContain(`cannot be asked. Look for refund-attempt-${attemptId}-tail in its portal`);
    expect(story.text).toContain(`cannot be asked. Look for refund-attempt-${attemptId}-tail in its portal`);
    expect(story.text).not.toContain('reconcile');
    expect(asked).toEqual([]);
  });

  test.each([
    ['2026-11-20 16:59:20', '40 s'],
    ['2026-11-20 17:00:00', '0 s'],
    ['2026-11-20 11:48:00', '5 h 12 min'],
    ['2026-11-18 14:00:00', '2 d 3 h'],
    ['2026-11-20 17:00:01', '0 s'],
  ])('an attempt of %s is %s old at five', (createdAt, age) => {
    expect(ageText(createdAt, new Date('2026-11-20T17:00:00Z'))).toBe(age);
  });

  test('reconcile asks the workflow of the attempt and tells what the books say then', async () => {
    const { asked, workflows } = recordingWorkflows(async () => 'uncertain');
    const answer = await reconcileRefund(
      commandContextOf(orm, { workflows: async () => workflows }),
      `refund-attempt-${attemptId}`,
    );

    expect(asked).toEqual([
      {
        update: 'reconcile',
        workflow: 'refundAttemptWorkflow',
        id: `refund-attempt-${attemptId}`,
        input: { attemptId },
        request: null,
        operationKey: expect.stringMatching(/^cli-/),
      },
    ]);
    expect(answer).toMatchObject({
      isFine: true,
      text: `Attempt ${attemptId} is still uncertain. Last answer: No answer within 20 s.`,
      json: { attemptId, state: 'uncertain' },
    });
  });

  test('resolve sends an operator’s word with name and note', async () => {
    const { asked, workflows } = recordingWorkflows(async () => 'failed');
    await resolveRefund(
      commandContextOf(orm, { workflows: async () => workflows }),
      `refund-attempt-${attemptId}`,
      'not_refunded',
      {
        staff: ' Ada ',
        note: 'not on the statement',
      },
    );

    expect(asked).toMatchObject([
      {
        update: 'resolve',
        id: `refund-attempt-${attemptId}`,
        request: { resolution: 'not_refunded', staffName: 'Ada', note: 'not on the statement' },
      },
    ]);
  });

  test('a decided attempt is told as it is, and no workflow is asked', async () => {
    const shop = commandContextOf(orm);
    const word = { staff: 'Ada', note: 'on the statement' };

    expect(await reconcileRefund(shop, String(firstId + 1))).toMatchObject({
      text: `It was decided before. Attempt ${firstId + 1} is booked: 54.00 USD went back, credit memo 000000001.`,
    });
    expect(await resolveRefund(shop, String(firstId), 'refunded', word)).toMatchObject({
      text: `It was decided before. Attempt ${firstId} failed: no money went back. Return ${firstId} can be settled again.`,
    });
  });

  test('an invalid command is refused before a workflow is asked', async () => {
    const shop = commandContextOf(orm);

    await expect(reconcileRefund(shop, '99')).rejects.toMatchObject({ status: 404 });
    await expect(reconcileRefund(shop, 'three')).rejects.toMatchObject({ status: 400 });
    await expect(resolveRefund(shop, String(attemptId), 'Refunded', { staff: 'Ada', note: 'x' })).rejects.toMatchObject(
      {
        status: 400,
      },
    );
    await expect(resolveRefund(shop, String(attemptId), 'refunded', { staff: ' ', note: 'x' })).rejects.toMatchObject({
      status: 400,
    });
    await expect(
      resolveRefund(shop, String(attemptId), 'refunded', { staff: 'Ada', note: 'back on 4111 1111 1111 1111' }),
    ).rejects.toMatchObject({ status: 400, message: 'The text must not be stored: it carries a card number.' });
  });

  test.each(['return-3', 'terminal-3', 'order-3', '-3', 'refund-attempt-refund-attempt-3', 'refund-attempt-'])(
    'the name of something else, %s, never decides the attempt with its number',
    async (id) => {
      const { asked, workflows } = recordingWorkflows(async () => 'booked');
      const shop = commandContextOf(orm, { workflows: async () => workflows });

      await expect(resolveRefund(shop, id, 'refunded', { staff: 'Ada', note: 'x' })).rejects.toMatchObject({
        status: 400,
        parameters: [id, 'a refund attempt'],
      });
      await expect(reconcileRefund(shop, id)).rejects.toMatchObject({ status: 400 });
      expect(asked).toEqual([]);
    },
  );

  test('explain answers the story as text and as data', async () => {
    const { text, json } = await explainMoney(commandContextOf(orm), 'refund', String(attemptId));

    expect(text).toContain(`Refund attempt ${attemptId}: uncertain`);
    expect(json).toMatchObject({ title: `Refund attempt ${attemptId}: uncertain`, events: expect.any(Array) });
  });
});

describe('shop commands', () => {
  const orm = useDatabase();
  beforeAll(() => aDayOfSales(fork()));

  const { fork, change, find, remove } = booksOf(() => orm);

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
    expect(list.text).toMatch(/^ID +NAME/);
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
    const { text: code } = await terminalCode(shop(), String(firstId));
    const { text: next } = await terminalCode(shop(), String(firstId));

    expect(code).toMatch(/^[A-Z0-9]{4,12}$/);
    expect(next).not.toBe(code);
    expect(await fork().findOneOrFail(Terminal, { terminalId: firstId })).toMatchObject({
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
    const { text: code } = await terminalCode(shop(), String(firstId));
    const [line] = (await trailOf('activation_code')).slice(before.length);

    expect(line).toMatchObject({
      entityType: 'terminal',
      entityId: String(firstId),
      staffName: expect.stringMatching(/.+ \(pos\)$/),
    });
    expect(JSON.stringify(line)).not.toContain(code);
  });

  test('a register gets its license and loses it', async () => {
    const second = firstId + 1;
    expect(await giveLicense(shop(), { terminal: String(second), type: 'pro' })).toMatchObject({
      text: `Terminal ${second} has a PRO license.`,
    });
    expect(await giveLicense(shop(), { terminal: String(second), type: 'none' })).toMatchObject({
      text: `Terminal ${second} has no license now.`,
    });
    await expect(giveLicense(shop(), { terminal: 'customer-2', type: 'pro' })).rejects.toMatchObject({ status: 400 });
    await expect(giveLicense(shop(), { terminal: String(second), type: 'gold' })).rejects.toMatchObject({
      status: 400,
    });
    await expect(giveLicense(shop(), { terminal: String(second), type: 'none', key: 'K' })).rejects.toMatchObject({
      status: 400,
    });
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
    await expect(
      giveLicense(shop(), { terminal: String(firstId + 1), type: 'pro', key: 'two words' }),
    ).rejects.toMatchObject({
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

  test('receipts and orders that differ, or are finer than a coin, are listed as they were sent', async () => {
    expect((await receiptDifferences(shop())).json).toEqual([]);
    const orders = await find('sales_order', {}, 'entity_id', 'increment_id', 'grand_total', 'order_currency_code');
    const [equal, other, foreign] = orders;
    const store = (posOrderId: string, grandTotal: string, more: object = {}) =>
      saveReceipt(fork(), createSecretBox(Buffer.alloc(32, 7).toString('base64')), {
        fields: { posOrderId, grandTotal: money(grandTotal), currency: 'USD', ...more },
        items: [],
      });
    const sell = async (
      order: Record<string, unknown> | undefined,
      saleId: string,
      total?: string,
      more: object = {},
    ) => {
      await change('sales_order', { entity_id: order!['entity_id'] }, { pos_sale_id: saleId });
      await store(saleId, total ?? String(order!['grand_total']), more);
    };
    await sell(equal, 'sale-equal');
    await sell(other, 'sale-other', '7.77');
    await sell(foreign, 'sale-foreign', undefined, { currency: 'EUR' });
    await store('sale-yen', '100.50', { currency: 'JPY', saleType: 'refund' });
    await store('sale-deposit', '1.00', { layawayKind: 'deposit' });
    const [paid] = await find('sales_order', { pos_sale_id: 'sale-equal' }, 'total_paid', 'created_at');
    await change('sales_order', { pos_sale_id: 'sale-equal' }, { total_paid: 107.995, created_at: new Date() });

    const { text, json } = await receiptDifferences(shop());
    const found = (json as { kind: string; saleId: string | null }[]).map(({ kind, saleId }) => `${kind} ${saleId}`);
    expect(new Set(found)).toEqual(
      new Set(['finer sale-equal', 'finer sale-yen', 'total sale-foreign', 'total sale-other']),
    );
    expect(text).toContain(
      `7.7700 USD · order ${other!['increment_id']} ${other!['grand_total']} USD · sale sale-other: the totals differ`,
    );
    expect(text).toContain('100.5000 JPY · sale sale-yen: finer than a coin');
    expect((await verifyBooks(shop(), { lookAgainAfterMs: 1 })).text).toContain('finer than a coin: 4.');
    await expect(receiptDifferences(shop(), { days: '0' })).rejects.toMatchObject({ status: 400 });
    expect((await receiptDifferences(shop(), { days: '1' })).json).toHaveLength(4);
    await change('sales_order', { pos_sale_id: 'sale-equal' }, paid!);
    await remove('pos_receipt');
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
    expect(text).toMatch(
      /sold by {3}Ada, Front\n {2}sale {6}sale-lost\n {2}way on {4}let that register send its queue/,
    );
    expect(text).toMatch(/layaway top_up[^]*no order has the number 000009999/);
    expect(json).toMatchObject([{ posOrderId: 'sale-lost', grandTotal: '12.5000' }, { posOrderId: 'sale-elsewhere' }]);
  });
});
