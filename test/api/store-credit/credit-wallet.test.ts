import { describe, expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { aCustomer, moveAccount } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { atOnce } from '../../support/rivals.ts';
import { opensAWalletDesk, api, post, balance, aWalletOf, books } from './a-wallet-desk.ts';

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
    for (const { headers } of [...repeats, await post('debit', debit)]) expect(headers.get(replayHeader)).toBe('true');
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
