import { describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/within.ts';
import { addEntryWithin } from '../../../db/store-credit/add-entry.ts';
import { booksOf } from '../../support/books.ts';
import { aCustomer, anEntry, moveAccount } from '../../support/builders/wallet.ts';
import { atOnce } from '../../support/rivals.ts';
import { api, aWalletOf, balance, books, opensAWalletDesk, post } from './a-wallet-desk.ts';

describe('credit wallet', () => {
  opensAWalletDesk();

  const { find, fork } = booksOf(() => api.orm);

  test('a credit is answered with its ledger entry, a debit with the next', async () => {
    const customerId = await aCustomer(fork());

    const credit = await post('credit', {
      customerId,
      websiteId: 1,
      amount: 12.5,
      reason: 'late delivery',
      source: 'support',
      idempotencyKey: 'call-1',
    });
    const debit = await post('debit', {
      customer_id: String(customerId),
      website_id: '1',
      amount: '2.5',
      reason: 'spent',
    });

    expect([credit.status, credit.body]).toEqual([
      200,
      {
        entry_id: expect.any(Number),
        customer_id: customerId,
        website_id: 1,
        event_type: 1,
        delta: 12.5,
        balance_after: 12.5,
        base_currency_code: 'USD',
        reason: 'late delivery',
        source: 'support',
        idempotency_key: 'call-1',
        admin_user_id: null,
        api_user: { user_type: 'integration', user_id: expect.any(Number) },
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    ]);
    expect(debit).toMatchObject({
      status: 200,
      body: { event_type: 2, delta: -2.5, balance_after: 10, reason: 'spent', source: null, idempotency_key: null },
    });
    expect(await balance(customerId)).toBe(10);
  });

  test('an entry names the administrator or the integration whose token it was', async () => {
    const customerId = await aCustomer(fork());
    const body = { customerId, websiteId: 1, amount: 1, reason: 'why' };
    const [admin] = await find('admin_user', {}, 'user_id');
    const integration = (await find('integration', {}, 'integration_id', 'resources')).find(({ resources }) =>
      resources.includes('Vendor_StoreCredit::balance_adjust'),
    );

    expect((await post('credit', body, api.tokens.admin)).body).toMatchObject({
      admin_user_id: admin!.user_id,
      api_user: null,
    });
    expect((await post('debit', body)).body).toMatchObject({
      admin_user_id: null,
      api_user: { user_type: 'integration', user_id: integration!.integration_id },
    });
  });

  describe('a repeat with its key', () => {
    test('is answered with the same bytes for ever, whatever it says, and writes nothing', async () => {
      const customerId = await aCustomer(fork());
      const body = { customerId, websiteId: 1, amount: 10, reason: 'goodwill', idempotencyKey: 'once' };
      const first = await post('credit', body);
      const debit = { ...body, idempotencyKey: 'another' };
      const taken = await post('debit', debit);
      const before = await books();

      const repeats = await Promise.all([
        post('credit', body),
        post('credit', { ...body, amount: 99, reason: 'more', source: 'elsewhere' }),
        post('credit', body, api.tokens.admin),
      ]);

      for (const repeat of repeats) expect(JSON.stringify(repeat.body)).toBe(JSON.stringify(first.body));
      for (const { headers } of [...repeats, await post('debit', debit)])
        expect(headers.get(replayHeader)).toBe('true');
      for (const { headers } of [first, taken]) expect(headers.get(replayHeader)).toBeNull();
      expect(await books()).toEqual(before);
    });

    test('is a new entry for another customer, website or operation', async () => {
      const [one, two] = [await aCustomer(fork()), await aCustomer(fork())];
      const body = { customerId: one, websiteId: 1, amount: 10, reason: 'goodwill', idempotencyKey: 'same' };

      const answers = [
        await post('credit', body),
        await post('debit', body),
        await post('credit', { ...body, customerId: two }),
      ];
      await moveAccount(fork(), one, 2);
      answers.push(await post('credit', { ...body, websiteId: 2 }));

      expect(new Set(answers.map(({ body: { entry_id } }) => entry_id)).size).toBe(4);
      expect(answers[3]!.body).toMatchObject({ website_id: 2, base_currency_code: 'EUR' });
    });

    test.each([
      ['null', null],
      ['an empty one', ''],
    ])('%s counts as no key: each call is an entry', async (_case, idempotencyKey) => {
      const customerId = await aCustomer(fork());
      const body = { customerId, websiteId: 1, amount: 10, reason: 'goodwill', idempotencyKey };
      await post('credit', body);
      expect((await post('credit', body)).body).toMatchObject({ balance_after: 20, idempotency_key: null });
    });
  });

  describe.each([2, 8, 50])('%i at once', (count) => {
    const times = <Answer>(work: () => Promise<Answer>) => atOnce(count, () => work());

    test('that take the whole balance: one gets it', async () => {
      const customerId = await aWalletOf(10);

      const answers = await times(() => post('debit', { customerId, websiteId: 1, amount: 10, reason: 'spent' }));

      expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
        200,
        ...Array(count - 1).fill(400),
      ]);
      expect(await balance(customerId)).toBe(0);
    });

    test('with one key: one entry, answered to each of them', async () => {
      const customerId = await aCustomer(fork());
      const body = { customerId, websiteId: 1, amount: 10, reason: 'goodwill', idempotencyKey: 'storm' };

      const answers = await times(() => post('credit', body));

      expect(new Set(answers.map(({ status, body: entry }) => JSON.stringify([status, entry]))).size).toBe(1);
      expect(answers[0]!.status).toBe(200);
      expect(await balance(customerId)).toBe(10);
    });
  });
});

describe('refused adjustments', () => {
  opensAWalletDesk();

  const { fork, walletsOf, change } = booksOf(() => api.orm);

  describe('refused, with nothing written:', () => {
    const notAboveZero = { message: 'The amount must be greater than zero.' };
    const noReason = { message: 'A reason is required for every adjustment.' };
    const notMoney = {
      message: expect.stringMatching(/^The ".*" value's type is invalid\. The "float" type was expected/),
    };
    const tooFine = 'The amount %1 cannot be booked: %2 has %3 decimals.';
    const tooHigh = {
      message: 'The balance cannot go above %1: it is %2 and would change by %3.',
      parameters: expect.arrayContaining(['9999999999.9999']),
    };

    test.each([
      [{ amount: 0 }, notAboveZero],
      [{ amount: '0.0000' }, notAboveZero],
      [{ amount: '-0' }, notAboveZero],
      [{ amount: -5 }, notAboveZero],
      [{ amount: 1e-7 }, notAboveZero],
      [{ amount: '1e-7' }, notAboveZero],
      [{ amount: 0.00004 }, notAboveZero],
      [{ amount: '0.00004' }, notAboveZero],
      [{ amount: 0.005 }, { message: tooFine, parameters: ['0.005', 'USD', 2] }],
      [{ amount: '10.0001' }, { message: tooFine, parameters: ['10.0001', 'USD', 2] }],
      [{ amount: 0.00005 }, notMoney],
      [{ amount: 1.00001 }, notMoney],
      [{ amount: '1.00001' }, notMoney],
      [{ amount: '1e3' }, notMoney],
      [{ amount: '1E-4' }, notMoney],
      [{ amount: 'NaN' }, notMoney],
      [{ amount: 'Infinity' }, notMoney],
      [{ amount: '' }, notMoney],
      [{ amount: ' 1' }, notMoney],
      [{ amount: '0x10' }, notMoney],
      [{ amount: '１０' }, notMoney],
      [{ amount: '1,00' }, notMoney],
      [{ amount: true }, notMoney],
      [{ amount: [1] }, notMoney],
      [{ amount: { value: 1 } }, notMoney],
      [{ amount: 1e15 }, notMoney],
      [{ amount: 1e21 }, notMoney],
      [{ amount: '9'.repeat(400) }, notMoney],
      [{ amount: 10_000_000_000 }, tooHigh],
      [{ amount: '900719925474.0991' }, tooHigh],
      [
        { amount: null },
        { message: '"%fieldName" is required. Enter and try again.', parameters: { fieldName: 'amount' } },
      ],
      [{ reason: undefined }, noReason],
      [{ reason: null }, noReason],
      [{ reason: '' }, noReason],
      [{ reason: ' \t\n' }, noReason],
      [{ reason: 'x'.repeat(1_001) }, { parameters: { fieldName: 'reason', maxLength: 1_000 } }],
      [{ source: 'x'.repeat(256) }, { parameters: { fieldName: 'source', maxLength: 255 } }],
      [{ idempotencyKey: 'x'.repeat(1_000_000) }, { parameters: { fieldName: 'idempotencyKey', maxLength: 255 } }],
      [{ idempotencyKey: { a: 1 } }, { message: expect.stringContaining('"string" type was expected') }],
      [{ websiteId: null }, { parameters: { fieldName: 'websiteId' } }],
      [{ customerId: 'me' }, { message: expect.stringContaining('"int" type was expected') }],
    ])('a credit with %j', async (given, expected) => {
      const customerId = await aWalletOf(10);
      const before = await books();

      const { status, body } = await post('credit', { customerId, websiteId: 1, amount: 10, reason: 'why', ...given });

      expect([status, body]).toEqual([400, expect.objectContaining(expected)]);
      expect(await books()).toEqual(before);
    });

    test('a body whose amount is not money', async () => {
      const customerId = await aWalletOf(10);
      const before = await books();
      const text = (amount: string) => `{"customerId":${customerId},"websiteId":1,"reason":"why","amount":${amount}}`;

      for (const amount of ['NaN', 'Infinity', '01', '+1', '1e309', '-0', '0.1e-9'])
        expect(await post('credit', text(amount))).toMatchObject({ status: 400 });
      expect(await books()).toEqual(before);
    });

    test('a debit of more than there is, by as little as may be', async () => {
      const customerId = await aWalletOf(10);
      const debit = { customerId, websiteId: 1, amount: 10.0001, reason: 'spent' };

      expect(await post('debit', debit)).toMatchObject({
        status: 400,
        body: {
          message: 'The balance cannot go below zero: it is %1 and would change by %2.',
          parameters: ['10', '-10.0001'],
        },
      });
      expect(await post('debit', { ...debit, amount: 0 })).toMatchObject({ status: 400, body: notAboveZero });
      expect(await post('debit', { ...debit, reason: '' })).toMatchObject({ status: 400, body: noReason });
      expect(await balance(customerId)).toBe(10);
    });

    test('what is finer than a coin, unless it makes a balance of an earlier time whole', async () => {
      const customerId = await aWalletOf(10);
      const move = (amount: number) => ({ customerId, websiteId: 1, amount, reason: 'counted again' });
      const refused = { status: 400, body: { parameters: ['-0.005', 'USD', 2] } };
      expect(await post('debit', move(0.005))).toMatchObject(refused);

      await addEntryWithin(fork(), { ...anEntry(customerId, { amount: '0.0099' }), bookingKey: 'of an earlier time' });
      expect(await post('debit', move(0.005))).toMatchObject(refused);
      expect(await post('credit', move(5))).toMatchObject({ status: 200, body: { balance_after: 15.0099 } });
      expect(await post('debit', move(0.0099))).toMatchObject({ status: 200, body: { balance_after: 15 } });
    });

    test('a currency that is not that of the stored balance', async () => {
      const customerId = await aCustomer(fork());
      const entry = { customerId, websiteId: 2, amount: 10, reason: 'why' };
      await moveAccount(fork(), customerId, 2);
      await post('credit', entry);
      await change('website', { website_id: 2 }, { base_currency_code: 'CHF' });
      const { amount, ...account } = entry;
      const adjusted = await post('adjust', { ...account, delta: amount });
      const refused = [adjusted, await post('credit', entry), await post('debit', entry)];
      await change('website', { website_id: 2 }, { base_currency_code: 'EUR' });

      for (const answer of refused) {
        expect(answer).toMatchObject({
          status: 400,
          body: {
            message: 'Currency mismatch: the stored balance is in %1 and not in %2.',
            parameters: ['EUR', 'CHF'],
          },
        });
      }
      expect(await balance(customerId, 2)).toBe(10);
    });

    test('a website that the account does not belong to: no wallet is opened there, one that is there is used', async () => {
      const customerId = await aCustomer(fork());
      const entry = { customerId, websiteId: 2, amount: 10, delta: 10, reason: 'why', idempotencyKey: 'abroad' };
      const refused = {
        status: 400,
        body: {
          message: 'The account of customer %1 belongs to website %2 and has no store credit on website %3.',
          parameters: [customerId, 1, 2],
        },
      };
      const wallets = () => walletsOf(customerId, 'website_id');
      for (const what of ['credit', 'debit', 'adjust', 'credit'] as const)
        expect(
          await api.call('POST', `/V1/vendor-store-credit/${what}`, { token: api.tokens.admin, body: entry }),
        ).toMatchObject(refused);
      expect(await wallets()).toEqual([]);

      await moveAccount(fork(), customerId, 2);
      expect(await post('credit', entry)).toMatchObject({ status: 200, body: { website_id: 2, balance_after: 10 } });
      await moveAccount(fork(), customerId, 1);
      expect(await post('credit', entry)).toMatchObject({ status: 200, body: { website_id: 2, balance_after: 10 } });
      expect(await post('debit', entry)).toMatchObject({ status: 200, body: { website_id: 2, balance_after: 0 } });
      expect(await wallets()).toEqual([{ website_id: 2 }]);
    });

    test.each([
      ['customerId', { customerId: 999_999 }, 999_999],
      ['customerId', { customerId: -1 }, -1],
      ['websiteId', { websiteId: 77 }, 77],
      ['websiteId', { websiteId: 0 }, 0],
    ])('what is unknown is the platform’s 404: %s', async (fieldName, given, fieldValue) => {
      const customerId = await aCustomer(fork());
      for (const what of ['credit', 'debit'] as const) {
        expect(await post(what, { customerId, websiteId: 1, amount: 1, reason: 'why', ...given })).toMatchObject({
          status: 404,
          body: { message: 'No such entity with %fieldName = %fieldValue', parameters: { fieldName, fieldValue } },
        });
      }
    });
  });

  test('who may only look may not book, and a customer may do neither', async () => {
    const customerId = await aWalletOf(10);
    const viewer = await api.tokenFor('Vendor_StoreCredit::balance_view');
    const body = { customerId, websiteId: 1, amount: 1, delta: 1, reason: 'why' };

    for (const what of ['credit', 'debit', 'adjust'] as const)
      for (const token of [viewer, api.tokens.register, await api.customerToken(customerId)])
        expect((await post(what, body, token)).status).toBe(401);
    expect(await balance(customerId)).toBe(10);
  });
});
