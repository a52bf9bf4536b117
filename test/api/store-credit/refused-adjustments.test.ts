import { describe, expect, test } from 'vitest';
import { addEntryWithin } from '../../../db/store-credit/add-entry.ts';
import { aCustomer, anEntry, moveAccount } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { opensAWalletDesk, api, post, balance, aWalletOf, books } from './a-wallet-desk.ts';

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
        body: { message: 'Currency mismatch: the stored balance is in %1 and not in %2.', parameters: ['EUR', 'CHF'] },
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
