import { beforeAll, describe, expect, test } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { addEntry, addEntryWithin } from '../../../db/store-credit/add-entry.ts';
import { booksOf } from '../../support/books.ts';
import { aShopper, aShopperWithMugs, type Shopper } from '../../support/builders/cart.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry, aSecondWebsite, moveAccount } from '../../support/builders/wallet.ts';
import { useApi } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { admin, api, apply, creditOf, opensAShop, orderOf, remove } from './carts-with-credit.ts';

describe('adjust wallet', () => {
  const api = useApi();
  beforeAll(() => aShop(fork()));

  const { fork, entriesOf, walletsOf } = booksOf(() => api.orm);
  const adjust = (body: object) =>
    api.call('POST', '/V1/vendor-store-credit/adjust', { token: api.tokens.admin, body: { websiteId: 1, ...body } });

  test('a correction goes up or down by its delta, and each call is one more', async () => {
    const customerId = await aCustomer(fork());
    const up = { customerId, delta: 10, reason: 'counted again', idempotencyKey: 'not read' };

    expect((await adjust(up)).body).toMatchObject({
      event_type: 3,
      delta: 10,
      balance_after: 10,
      idempotency_key: null,
      admin_user_id: expect.any(Number),
    });
    expect((await adjust(up)).body).toMatchObject({ balance_after: 20 });
    expect((await adjust({ ...up, delta: '-19.99', source: 'audit' })).body).toMatchObject({
      delta: -19.99,
      balance_after: 0.01,
      source: 'audit',
    });
  });

  test.each([
    [{ delta: -10.0001 }, 'The balance cannot go below zero: it is %1 and would change by %2.'],
    [{ delta: 0 }, 'The delta of an adjustment cannot be zero.'],
    [{ delta: '-0' }, 'The delta of an adjustment cannot be zero.'],
    [{ delta: '-1e-7' }, 'The delta of an adjustment cannot be zero.'],
    [{ delta: 5, reason: '' }, 'A reason is required for every adjustment.'],
    [{ delta: 5, reason: undefined }, 'A reason is required for every adjustment.'],
    [{ delta: 0.005 }, 'The amount %1 cannot be booked: %2 has %3 decimals.'],
    [{ delta: -9.9999 }, 'The amount %1 cannot be booked: %2 has %3 decimals.'],
    [{ delta: 1.00001 }, expect.stringContaining('"float" type was expected')],
    [{ delta: '-1e3' }, expect.stringContaining('"float" type was expected')],
    [{ delta: -1e15 }, expect.stringContaining('"float" type was expected')],
    [{ delta: 10_000_000_000 }, expect.stringContaining('cannot go above')],
    [{ amount: 5 }, '"%fieldName" is required. Enter and try again.'],
  ])('refused with nothing written: %j', async (given, message) => {
    const customerId = await aCustomer(fork());
    await adjust({ customerId, delta: 10, reason: 'start' });

    expect(await adjust({ customerId, reason: 'why', ...given })).toMatchObject({ status: 400, body: { message } });
    expect(await walletsOf(customerId, 'amount')).toEqual([{ amount: '10.0000' }]);
    expect(await entriesOf(customerId)).toHaveLength(1);
  });

  test('an unknown customer is the platform’s 404', async () => {
    expect(await adjust({ customerId: 999_999, delta: 1, reason: 'why' })).toMatchObject({
      status: 404,
      body: { parameters: { fieldName: 'customerId', fieldValue: 999_999 } },
    });
  });
});

describe('cart credit changed', () => {
  opensAShop();

  const { fork } = booksOf(() => api.orm);
  const spend = (customerId: number, amount: string) =>
    addEntry(fork(), anEntry(customerId, { operation: 'debit', amount, reason: 'spent elsewhere' }));
  const give = (customerId: number, amount: string) => addEntry(fork(), anEntry(customerId, { amount }));
  const balanceOf = async (shopper: Shopper) => (await creditOf(shopper)).balance;

  describe('when the balance has changed since it was applied:', () => {
    const changed = (was: string, is: string) => ({
      status: 400,
      body: {
        message: 'Your store credit has changed: it was %1 and is %2. Apply it to the cart again.',
        parameters: [was, is],
      },
    });

    test('less of it than was seen is refused, until it is applied again', async () => {
      const shopper = await aShopperWithMugs(api, { credit: '25' });
      await apply(shopper);
      await spend(shopper.customerId, '5');

      expect(await shopper.totals()).toMatchObject({ extension_attributes: { amount_to_pay: 98 } });
      expect(await shopper.place()).toMatchObject(changed('25', '20'));
      await apply(shopper);
      const { body: orderId } = await shopper.place();
      expect(await orderOf(orderId)).toMatchObject({ total_paid: 20 });
    });

    test('a cart is refused when no credit is left, until the credit is removed from it', async () => {
      const shopper = await aShopperWithMugs(api, { credit: '25' });
      await apply(shopper);
      await spend(shopper.customerId, '25');

      expect(await shopper.place()).toMatchObject(changed('25', '0'));
      await remove(shopper);
      expect(await shopper.place()).toMatchObject({ status: 200 });
    });

    test('more of it pays more, and less of it that still covers the cart covers it', async () => {
      const lucky = await aShopperWithMugs(api, { credit: '25' });
      await apply(lucky);
      await give(lucky.customerId, '10');
      expect(await orderOf((await lucky.place()).body)).toMatchObject({ total_paid: 35 });

      const rich = await aShopperWithMugs(api, { credit: '500' });
      await apply(rich);
      await spend(rich.customerId, '300');
      expect(await orderOf((await rich.place('free')).body)).toMatchObject({ total_paid: 118 });
      await rich.open();
      expect(await balanceOf(rich)).toBe(82);
    });

    test('raced with debits from elsewhere, the wallet never goes below zero', async () => {
      const shopper = await aShopperWithMugs(api, { credit: '25' });
      await apply(shopper);

      const [placed, ...spent] = await Promise.all([
        shopper.place(),
        ...Array.from({ length: 8 }, () =>
          spend(shopper.customerId, '25').then(
            () => true,
            () => false,
          ),
        ),
      ]);

      const wins = spent.filter(Boolean).length + (placed.status === 200 ? 1 : 0);
      expect(wins).toBe(1);
      expect(await shopper.wallet()).toMatchObject([{}, { amount: '0.0000' }]);
    });
  });
});

describe('cart credit', () => {
  opensAShop();

  const { fork } = booksOf(() => api.orm);

  test('a cart says how much credit it can absorb: the balance capped at its total', async () => {
    const poor = await aShopperWithMugs(api, { credit: '25' });
    const rich = await aShopperWithMugs(api, { credit: '500' });

    expect(await creditOf(poor)).toEqual({
      balance: 25,
      applicable_amount: 25,
      applied_amount: 0,
      is_applied: false,
      base_currency_code: 'USD',
      quote_applicable_amount: 25,
      quote_applied_amount: 0,
      quote_currency_code: 'USD',
    });
    expect(await creditOf(rich)).toMatchObject({ balance: 500, applicable_amount: 118 });
  });

  test('applied, it is a segment of the totals and leaves less to pay; the grand total stays the full price', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });

    expect(await apply(shopper)).toMatchObject({ status: 200, body: [] });

    expect(await creditOf(shopper)).toMatchObject({ is_applied: true, applied_amount: 25, quote_applied_amount: 25 });
    const totals = await shopper.totals();
    expect(totals).toMatchObject({
      grand_total: 118,
      extension_attributes: { amount_to_pay: 93, base_amount_to_pay: 93 },
    });
    expect(totals.total_segments.at(-1)).toEqual({ code: 'store_credit', title: 'Store Credit', value: -25 });
    expect(await remove(shopper)).toMatchObject({ status: 200, body: [] });
    expect(await remove(shopper)).toMatchObject({ status: 200, body: [] });
    expect(await shopper.totals()).toMatchObject({ extension_attributes: { amount_to_pay: 118 } });
  });

  test('applying and removing writes the cart and no wallet', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });
    const before = await shopper.wallet();

    for (let round = 0; round < 100; round++) {
      await apply(shopper);
      await remove(shopper);
    }

    expect(await shopper.wallet()).toEqual(before);
  });

  test('it follows the cart as that grows', async () => {
    const shopper = await aShopper(api, { credit: '200' });
    await shopper.open();
    await apply(shopper);
    expect(await creditOf(shopper)).toMatchObject({ is_applied: true, applied_amount: 0 });
    await shopper.put('MUG');
    expect(await creditOf(shopper)).toMatchObject({ applied_amount: 50 });
  });

  test('an empty wallet has nothing to apply, and without a cart there is nothing to apply it to', async () => {
    expect(await apply(await aShopperWithMugs(api))).toMatchObject({
      status: 400,
      body: { message: 'There is no store credit to apply.' },
    });
    const stranger = await aShopper(api, { credit: '5' });
    for (const answer of [await apply(stranger), await remove(stranger), await stranger.call('GET', '/store-credit')])
      expect(answer).toMatchObject({
        status: 404,
        body: { message: 'Current customer does not have an active cart.' },
      });
  });

  test('switched off, it pays no cart, and the wallet keeps what is in it', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });
    await apply(shopper);
    const isTaken = (value: string) =>
      setConfigValue(fork(), secretBox, { path: 'vendor_store_credit/general/enabled', value });
    await isTaken('0');
    try {
      expect(await creditOf(shopper)).toMatchObject({ balance: 0, applicable_amount: 0, applied_amount: 0 });
      expect(await shopper.totals()).toMatchObject({ extension_attributes: { amount_to_pay: 118 } });
      expect(await apply(shopper)).toMatchObject({ status: 400 });
      expect(await shopper.place()).toMatchObject({ status: 400 });
      await remove(shopper);
      expect(await orderOf((await shopper.place()).body)).toMatchObject({ total_due: 118 });
    } finally {
      await isTaken('1');
    }
    expect(await shopper.wallet()).toMatchObject([{ amount: '25.0000', delta: '25.0000' }]);
  });

  describe('placed,', () => {
    test('credit that covers a part is debited with the order, and the rest is due', async () => {
      const shopper = await aShopperWithMugs(api, { credit: '25' });
      await apply(shopper);

      const { body: orderId } = await shopper.place();

      expect(await orderOf(orderId)).toMatchObject({ grand_total: 118, total_paid: 25, total_due: 93 });
      expect(await shopper.wallet()).toMatchObject([
        { delta: '25.0000' },
        { amount: '0.0000', delta: '-25.0000', booking_key: `order-${orderId}-credit-1` },
      ]);
      expect(await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true })).toMatchObject({ status: 200 });
      expect(await orderOf(orderId)).toMatchObject({ total_paid: 118, total_due: 0 });
    });

    test('a way of paying that was chosen before credit paid for everything does', async () => {
      const shopper = await aShopperWithMugs(api, { credit: '500' });
      await apply(shopper);
      const { status, body: orderId } = await shopper.place('checkmo');
      expect(status).toBe(200);
      expect(await orderOf(orderId)).toMatchObject({ total_paid: 118, total_due: 0, payment: { method: 'checkmo' } });
      expect(await shopper.wallet()).toMatchObject([{}, { amount: '382.0000', delta: '-118.0000' }]);
    });

    test('credit that covers all leaves the method free, and nothing due', async () => {
      const shopper = await aShopperWithMugs(api, { credit: '500' });
      await apply(shopper);

      expect((await shopper.call('GET', '/payment-methods')).body).toEqual([
        { code: 'free', title: 'No Payment Information Required' },
      ]);
      expect(await shopper.place('vendor_provider_a')).toMatchObject({ status: 400 });
      const { body: orderId } = await shopper.place('free');

      expect(await orderOf(orderId)).toMatchObject({ grand_total: 118, total_paid: 118, total_due: 0 });
      expect(await shopper.wallet()).toMatchObject([{}, { amount: '382.0000', delta: '-118.0000' }]);
    });

    test('credit of dollars pays a cart in Canadian ones, never beyond the balance', async () => {
      const shopper = await aShopper(api, { credit: '25' });
      const ofAnEarlierTime = anEntry(shopper.customerId, { amount: '0.0099' });
      await addEntryWithin(fork(), { ...ofAnEarlierTime, bookingKey: 'of an earlier time' });
      await api.call('POST', '/rest/ca/V1/carts/mine', { token: shopper.token });
      await shopper.put('MUG', 2);
      await shopper.ship();
      await apply(shopper);
      expect(await creditOf(shopper)).toMatchObject({
        applied_amount: 25,
        quote_applied_amount: 34,
        quote_currency_code: 'CAD',
      });

      const { body: orderId } = await shopper.place();

      expect(await orderOf(orderId)).toMatchObject({ total_paid: 34, base_total_paid: 25, grand_total: 160.48 });
      expect(await shopper.wallet()).toMatchObject([{}, {}, { amount: '0.0099', delta: '-25.0000' }]);
    });

    test('cancelled again, the order gives it back', async () => {
      const shopper = await aShopperWithMugs(api, { credit: '25' });
      await apply(shopper);
      const { body: orderId } = await shopper.place();

      expect(await admin('POST', `/V1/orders/${orderId}/cancel`)).toMatchObject({ status: 200, body: true });

      expect(await shopper.wallet()).toMatchObject([{}, {}, { amount: '25.0000', delta: '25.0000' }]);
    });

    test('not at all, nothing is debited', async () => {
      const shopper = await aShopperWithMugs(api, { credit: '25' });
      await apply(shopper);
      const before = await shopper.wallet();

      expect(await shopper.place('banktransfer')).toMatchObject({ status: 400 });

      expect(await shopper.wallet()).toEqual(before);
      expect(await creditOf(shopper)).toMatchObject({ is_applied: true, applied_amount: 25 });
    });

    test('eight at once, one order is placed and the wallet debited once', async () => {
      const shopper = await aShopperWithMugs(api, { credit: '25' });
      await apply(shopper);

      const answers = await eightAtOnce(() => shopper.place());

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await shopper.wallet()).toHaveLength(2);
    });

    test('amid a hundred times of applying and removing, the wallet is debited by what the order says, or not', async () => {
      const shopper = await aShopperWithMugs(api, { credit: '25' });
      const cycles = Array.from({ length: 100 }, async (_, at) => {
        await (at % 2 === 0 ? apply(shopper) : remove(shopper));
      });

      const [placed] = await Promise.all([shopper.place(), ...cycles]);

      const order = await orderOf(placed.body);
      const entries = await shopper.wallet();
      expect([0, 25]).toContain(order.total_paid ?? 0);
      expect(entries).toHaveLength(order.total_paid === 25 ? 2 : 1);
    });
  });
});

describe('get balance', () => {
  const api = useApi();
  let viewer: string;
  let customerId: number;

  beforeAll(async () => {
    await aShop(fork());
    await aSecondWebsite(fork());
    viewer = await api.tokenFor('Vendor_StoreCredit::balance_view');
    customerId = await aCustomer(fork());
    await addEntry(fork(), anEntry(customerId, { amount: '12.34' }));
  });

  const { fork, howMany } = booksOf(() => api.orm);
  const get = (path: string, token = viewer) => api.call('GET', `/V1/vendor-store-credit/${path}`, { token });

  const unknown = (fieldName: string, fieldValue: number) => ({
    status: 404,
    body: { message: 'No such entity with %fieldName = %fieldValue', parameters: { fieldName, fieldValue } },
  });

  describe('the balance of any customer', () => {
    test('is that of the wallet', async () => {
      const { status, body } = await get(`balance/${customerId}/1`);
      expect([status, body]).toEqual([
        200,
        {
          customer_id: customerId,
          website_id: 1,
          amount: 12.34,
          base_currency_code: 'USD',
          updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        },
      ]);
    });

    test('is zero in the website’s currency where nothing was ever booked, and stays unbooked', async () => {
      const customerId = await aCustomer(fork(), { websiteId: 2, storeId: 3 });
      expect((await get(`balance/${customerId}/2`)).body).toEqual({
        customer_id: customerId,
        website_id: 2,
        amount: 0,
        base_currency_code: 'EUR',
        updated_at: null,
      });
      expect(await howMany('store_credit_wallet', { website_id: 2 })).toBe(0);
    });

    test('on a website that the account does not belong to is refused, for the customer too', async () => {
      const refused = {
        status: 400,
        body: {
          message: 'The account of customer %1 belongs to website %2 and has no store credit on website %3.',
          parameters: [customerId, 1, 2],
        },
      };
      expect(await get(`balance/${customerId}/2`)).toMatchObject(refused);
      expect(await get('mine/balance/2', await api.customerToken(customerId))).toMatchObject(refused);

      const mover = await aCustomer(fork());
      await addEntry(fork(), anEntry(mover));
      await moveAccount(fork(), mover, 2);
      for (const [website, amount] of [
        [1, 10],
        [2, 0],
      ] as const) {
        expect(await get(`balance/${mover}/${website}`)).toMatchObject({ status: 200, body: { amount } });
      }
    });

    test('of an unknown customer or website is the platform’s 404', async () => {
      expect(await get('balance/999999/1')).toMatchObject(unknown('customerId', 999_999));
      expect(await get('balance/999999/99')).toMatchObject(unknown('customerId', 999_999));
      expect(await get(`balance/${customerId}/99`)).toMatchObject(unknown('websiteId', 99));
      expect(await get(`balance/${customerId}/0`)).toMatchObject(unknown('websiteId', 0));
      expect((await get(`balance/${customerId}/9223372036854775808`)).status).toBe(404);
      expect((await get('balance/x/1')).status).toBe(400);
    });

    test('needs the resource', async () => {
      const adjuster = await api.tokenFor('Vendor_StoreCredit::balance_adjust');
      for (const token of [adjuster, api.tokens.register, await api.customerToken(customerId)])
        expect((await get(`balance/${customerId}/1`, token)).status).toBe(401);
    });
  });

  describe('a customer’s own balance', () => {
    test('is that of the token, whatever customer is named', async () => {
      const other = await aCustomer(fork());
      const token = await api.customerToken(other);

      for (const path of ['mine/balance/1', `mine/balance/1?customerId=${customerId}`, `mine/balance/1?customer_id=1`])
        expect(await get(path, token)).toMatchObject({ status: 200, body: { customer_id: other, amount: 0 } });
      expect((await get('mine/balance/1', await api.customerToken(customerId))).body).toMatchObject({
        customer_id: customerId,
        amount: 12.34,
      });
    });

    test('on an unknown website it is 404, and for a caller who is not a customer 401', async () => {
      expect(await get('mine/balance/99', await api.customerToken(customerId))).toMatchObject(unknown('websiteId', 99));
      for (const token of [viewer, api.tokens.admin, 'garbage'])
        expect(await get('mine/balance/1', token)).toMatchObject({
          status: 401,
          body: { parameters: { resources: 'self' } },
        });
    });
  });
});

describe('list history', () => {
  const api = useApi();
  let viewer: string;
  let customerId: number;

  beforeAll(async () => {
    await aShop(fork());
    await aSecondWebsite(fork());
    viewer = await api.tokenFor('Vendor_StoreCredit::balance_view');
    const stranger = await aCustomer(fork());
    customerId = await aCustomer(fork());
    await addEntry(fork(), anEntry(stranger));
    for (const amount of ['10', '20', '30'])
      await addEntry(fork(), anEntry(customerId, { amount, idempotencyKey: `key ${amount}`, source: 'till' }));
    await moveAccount(fork(), customerId, 2);
    await addEntry(fork(), anEntry(customerId, { websiteId: 2, amount: '5' }));
    await addEntry(
      fork(),
      anEntry(customerId, { operation: 'debit', amount: '60', actor: { apiUser: { type: 'integration', id: 9 } } }),
    );
  });

  const { fork } = booksOf(() => api.orm);
  const history = (criteria = '', id: number | string = customerId, token = viewer) =>
    api.call('GET', `/V1/vendor-store-credit/history/${id}${criteria}`, { token });
  const deltas = async (criteria: string) =>
    (await history(criteria)).body.items.map(({ delta }: { delta: number }) => delta);

  test('the whole ledger of a customer, newest first, on every website, with who did it', async () => {
    const { status, body } = await history();

    expect(status).toBe(200);
    expect(body).toMatchObject({ search_criteria: { filter_groups: [] }, total_count: 5 });
    expect(Object.keys(body.items[0])).toEqual([
      'entry_id',
      'customer_id',
      'website_id',
      'event_type',
      'delta',
      'balance_after',
      'base_currency_code',
      'reason',
      'source',
      'idempotency_key',
      'admin_user_id',
      'api_user',
      'created_at',
    ]);
    expect(body.items).toMatchObject([
      { delta: -60, balance_after: 0, admin_user_id: null, api_user: { user_type: 'integration', user_id: 9 } },
      { delta: 5, balance_after: 5, website_id: 2, base_currency_code: 'EUR' },
      { delta: 30, balance_after: 60, admin_user_id: 1, api_user: null },
      { delta: 20, balance_after: 30 },
      { delta: 10, balance_after: 10, customer_id: customerId, source: 'till', idempotency_key: 'key 10' },
    ]);
  });

  test('pages go on where the one before ended, and the count is of all', async () => {
    const page = (at: number) => `?searchCriteria[pageSize]=2&searchCriteria[currentPage]=${at}`;
    expect([await deltas(page(1)), await deltas(page(2)), await deltas(page(3)), await deltas(page(4))]).toEqual([
      [-60, 5],
      [30, 20],
      [10],
      [],
    ]);
    expect((await history(page(4))).body).toMatchObject({
      total_count: 5,
      search_criteria: { page_size: 2, current_page: 4 },
    });
  });

  test.each([
    ['a website', 'website_id', '2', 'eq', [5]],
    ['a kind', 'event_type', '2', 'eq', [-60]],
    ['an amount', 'delta', '20', 'gteq', [30, 20]],
    ['a key', 'idempotency_key', 'key 10', 'eq', [10]],
    ['an administrator', 'admin_user_id', '1', 'eq', [5, 30, 20, 10]],
    ['a source, whatever its case', 'source', 'TILL', 'eq', [30, 20, 10]],
    ['a moment to come', 'created_at', '2099-01-01 00:00:00', 'gt', []],
  ])('entries are found by %s', async (_case, field, value, condition, expected) => {
    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    expect(
      await deltas(`?${filter}[field]=${field}&${filter}[value]=${value}&${filter}[condition_type]=${condition}`),
    ).toEqual(expected);
  });

  test('no filter reaches another customer’s ledger', async () => {
    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    expect((await history(`?${filter}[field]=customer_id&${filter}[value]=1`)).status).toBe(400);
    expect((await history(`?customerId=1&customer_id=1`)).body.total_count).toBe(5);
  });

  test('oldest first for who asks', async () => {
    const sort = 'searchCriteria[sortOrders][0]';
    expect(await deltas(`?${sort}[field]=entry_id&${sort}[direction]=ASC`)).toEqual([10, 20, 30, 5, -60]);
  });

  test('a customer without credit has an empty history, and an unknown one gets 404', async () => {
    expect(await history('', await aCustomer(fork()))).toMatchObject({
      status: 200,
      body: { items: [], total_count: 0 },
    });
    expect(await history('', 999_999)).toMatchObject({
      status: 404,
      body: { parameters: { fieldName: 'customerId', fieldValue: 999_999 } },
    });
  });

  test('customers and registers do not read it', async () => {
    for (const token of [api.tokens.register, await api.customerToken(customerId)])
      expect((await history('', customerId, token)).status).toBe(401);
  });
});
