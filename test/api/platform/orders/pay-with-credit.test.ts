import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verify } from '../../../../books/verify/verify.ts';
import { type CreditSimulator, startCreditSimulator } from '../../../../local/simulators/app.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aCustomerWithCredit, aGiftCard, cardBalance, walletOf } from '../../../support/builders/credit.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aPostedLine, aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aRefundUnderWay } from '../../../support/builders/refund-under-way.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused, type Refused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { api, call, filter, opensAnOrderDesk, place } from './an-order-desk.ts';

describe('order address', () => {
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
  const save = (orderId: number, entity: unknown) => call('PUT', `/V1/orders/${orderId}`, { entity });
  const sale = () => anOrder(api.orm.em.fork());
  const billingOf = async (orderId: number) => (await call('GET', `/V1/orders/${orderId}`)).body.billing_address;

  test('what is sent of an address changes, the rest stays, and the order shows it', async () => {
    const { orderId } = await sale();
    const before = await billingOf(orderId);
    const { status, body } = await save(orderId, {
      entity_id: before.entity_id,
      street: ['2 Oak St'],
      telephone: '555',
    });

    expect({ status, body }).toEqual({ status: 200, body: { ...before, street: ['2 Oak St'], telephone: '555' } });
    expect(await billingOf(orderId)).toEqual(body);
    expect((await save(orderId, body)).body).toEqual(body);
  });

  test('an address that the order does not have yet is added', async () => {
    const { orderId } = await sale();
    const shipping = { address_type: 'shipping', firstname: 'Ann', city: 'Troy', country_id: 'US' };
    const { body } = await save(orderId, shipping);
    expect(body).toMatchObject({ ...shipping, parent_id: orderId });
    expect((await save(orderId, shipping)).body.entity_id).toBe(body.entity_id);
  });

  test('eight at once leave one shipping address', async () => {
    const { orderId } = await sale();
    const shipping = { address_type: 'shipping', firstname: 'Ann', city: 'Troy', country_id: 'US' };
    const answers = await eightAtOnce(() => save(orderId, shipping));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.entity_id}`)).size).toBe(1);
  });

  test('another order’s address and an unknown order are 404; an invalid address is 400', async () => {
    const [one, other] = [await sale(), await sale()];
    const foreign = await billingOf(other.orderId);
    expect((await save(one.orderId, { entity_id: foreign.entity_id, city: 'Rome' })).status).toBe(404);
    expect((await save(999_999, { city: 'Rome' })).status).toBe(404);
    expect((await save(one.orderId, { city: { a: 1 } })).status).toBe(400);
    expect((await save(one.orderId, { city: 'x'.repeat(300) })).status).toBe(400);
    expect((await save(one.orderId, { address_type: 'home' })).status).toBe(400);
    expect((await call('PUT', `/V1/orders/${one.orderId}`, {})).status).toBe(400);
    expect(await billingOf(other.orderId)).toEqual(foreign);
  });

  test('no invoice can be voided: no payment here is only authorised', async () => {
    const { invoiceId } = await sale();
    const refused = { status: 400, body: { message: 'The void action is not available.' } };
    expect(await call('POST', `/V1/invoices/${invoiceId}/void`)).toMatchObject(refused);
    expect(await call('POST', '/V1/invoices/999999/void')).toMatchObject({ status: 404 });
  });
});

describe('order outcomes', () => {
  /** How an order that is saved by `PUT`, and the documents of an order, are refused, word for word. */

  let api: TestApi;
  let outside: CreditSimulator;
  let locationId: number;
  beforeAll(async () => {
    outside = await startCreditSimulator();
    api = await testApi({ settings: { CREDIT_SERVICE_URL: outside.url } });
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
    await outside.stop();
  });

  const { fork } = booksOf(() => api.orm);
  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  const post = (path: string, body?: object) => call('POST', `/V1/${path}`, body);
  const save = (entity: object) => call('PUT', '/V1/orders/create', { entity });
  const guestSale = (over: Record<string, unknown> = {}) =>
    aPostedSale({ customer_id: null, customer_is_guest: 1, ...over });
  const paidWith = (credit: object) =>
    save(guestSale({ increment_id: 'TILL-7-2', extension_attributes: { pos_applied_credits: [credit] } }));

  const said = {
    card: 'The text must not be stored: it carries a card number.',
    under_way: 'A refund of this order is under way. Try again when it is known what became of it.',
  };
  const carried = 'Card 4111 1111 1111 1111';
  const remark = { comment: { comment: carried, isVisibleOnFront: 0 } };
  const unpaid = async () => (await anOrder(fork(), { paid: false, shipped: false })).orderId;
  const bought = () => anOrder(fork());
  /** One of two mugs is paid by card, and it is not known yet whether it went back. */
  const refunding = async () => {
    const card = { method: 'provider_a', lastTransId: 'pay_1' };
    const { orderId, itemIds } = await anOrder(fork(), { ...card, paid: false, shipped: false });
    const [itemId = 0] = itemIds;
    await post(`order/${orderId}/invoice`, { capture: true, items: [{ order_item_id: itemId, qty: 1 }] });
    await aRefundUnderWay(api.orm, { orderId, itemId, locationId, state: 'uncertain' });
    return orderId;
  };

  const refusals: Refused[] = [
    {
      when: 'a cancelled order is saved as one that goes on',
      send: async () => {
        const orderId = await unpaid();
        await post(`orders/${orderId}/cancel`);
        return save({ entity_id: orderId, state: 'processing', status: 'processing' });
      },
      ...{ status: 400, said: 'A cancelled order cannot be opened again. Place a new one.' },
    },
    {
      when: 'a gift card is not there',
      send: () => paidWith({ credit_type: 'gift_card', code: 'NO-SUCH-CARD', amount: 30 }),
      ...{ status: 400, said: 'Not paid with …' },
    },
    {
      when: 'the keeper of a gift card says nothing',
      send: async () => {
        outside.balances.set('OUTSIDE', 500_000);
        outside.mood = 'fails';
        try {
          return await paidWith({
            ...{ credit_type: 'gift_card', provider_code: 'credit_service', code: 'OUTSIDE', amount: 30 },
          });
        } finally {
          outside.mood = 'answers';
        }
      },
      status: 503,
      said:
        'The provider did not say whether it took the credit. Nothing is sold yet: send the same order again, and ' +
        'it is taken once. Without an order it is given back automatically.',
    },
    {
      when: 'an order has a key that is not known',
      send: () => save(guestSale({ no_such_key: 1 })),
      ...{ status: 400, said: 'The "%fieldName" field is not known here. Correct its name and try again.' },
    },
    {
      when: 'the note of an order carries a card number',
      send: () => save(guestSale({ customer_note: carried })),
      ...{ status: 400, said: said.card },
    },
    {
      when: 'another order has the number',
      send: async () => {
        await save(guestSale({ increment_id: 'TILL-7-1' }));
        return save(guestSale({ increment_id: 'TILL-7-1' }));
      },
      ...{ status: 400, said: 'Unique constraint violation found' },
    },
    {
      when: 'the order to change is not there',
      send: () => save({ entity_id: 999_999, status: 'processing' }),
      ...{ status: 404, said: "The entity that was requested doesn't exist. Verify the entity and try again." },
    },
    {
      when: 'a comment of an invoice carries a card number',
      send: async () => post(`order/${await unpaid()}/invoice`, remark),
      ...{ status: 400, said: said.card },
    },
    {
      when: 'a comment of a shipment carries a card number',
      send: async () => post(`order/${(await anOrder(fork(), { shipped: false })).orderId}/ship`, remark),
      ...{ status: 400, said: said.card },
    },
    {
      when: 'a comment of a refund of the order carries a card number',
      send: async () => post(`order/${(await bought()).orderId}/refund`, remark),
      ...{ status: 400, said: said.card },
    },
    {
      when: 'a comment of a refund of the invoice carries a card number',
      send: async () => post(`invoice/${(await bought()).invoiceId}/refund`, remark),
      ...{ status: 400, said: said.card },
    },
    {
      when: 'a comment of the order carries a card number',
      send: async () => post(`orders/${await unpaid()}/comments`, { statusHistory: { comment: carried } }),
      ...{ status: 400, said: said.card },
    },
    {
      when: 'an order is put on hold whose refund is not decided',
      send: async () => post(`orders/${await refunding()}/hold`),
      ...{ status: 400, said: said.under_way },
    },
    {
      when: 'an order is cancelled whose refund is not decided',
      send: async () => post(`orders/${await refunding()}/cancel`),
      ...{ status: 400, said: said.under_way },
    },
    {
      when: 'an open invoice is taken back while a refund of the order is not decided',
      send: async () => {
        const open = await post('invoices', { entity: { order_id: await refunding() } });
        return post('invoices', { entity: { entity_id: open.body.entity_id, state: 3 } });
      },
      ...{ status: 400, said: said.under_way },
    },
  ];

  test.each(refusals)('$when: $status', async (refused) => {
    await expectRefused(refused);
  });

  test.each(['a`b`', '[pay](http://x.example)', '<b>1</b>', '**1**', '1|2', '1\n2', ' 1', '-1', '_1_', ''])(
    'an order takes no number that other programs would read as more than a number: %j',
    async (number) => {
      expect(await save(guestSale({ increment_id: number }))).toMatchObject({
        status: 400,
        body: { message: 'Invalid value of "%value" provided for the %fieldName field.' },
      });
    },
  );

  test.each(['000000917', 'TILL-9-1', '#2001', 'WEB 7/2026', 'Кас.1', '2:14_a+b'])(
    'an order keeps the number of its caller: %j',
    async (number) => {
      expect((await save(guestSale({ increment_id: number }))).body).toMatchObject({ increment_id: number });
    },
  );
});

describe('pay with credit', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
  });
  afterAll(async () => {
    expect(await verify(fork())).toEqual([]);
    await api.close();
  });

  const { fork, find } = booksOf(() => api.orm);

  const sale = (customerId: number | null, credits: unknown) =>
    aPostedSale({
      customer_id: customerId,
      customer_is_guest: customerId === null ? 1 : 0,
      extension_attributes: { pos_applied_credits: credits },
    });
  const post = (entity: object) => api.call('POST', '/V1/orders', { token: api.tokens.register, body: { entity } });
  const storeCredit = (amount: unknown, over: object = {}) => ({ credit_type: 'store_credit', amount, ...over });

  describe('an order that is paid with credit', () => {
    test('is answered with what was applied, and so is every later read', async () => {
      const customerId = await aCustomerWithCredit(api.orm, '50');
      const { status, body } = await post(sale(customerId, [storeCredit(50)]));
      const applied = [
        {
          kind: 'store_credit',
          provider_code: 'store_credit',
          applies_as: 'tender',
          direction: 'applied',
          base_amount: 50,
          amount: 50,
        },
      ];
      expect(status).toBe(200);
      expect(body).toMatchObject({ total_paid: 50, base_total_paid: 50, total_due: 58 });
      expect(body.extension_attributes.pos_applied_credits).toEqual(applied);
      const read = await api.call('GET', `/V1/orders/${body.entity_id}`, { token: api.tokens.register });
      expect(read.body.extension_attributes.pos_applied_credits).toEqual(applied);
      const filter = `searchCriteria[filter_groups][0][filters][0][field]=entity_id&searchCriteria[filter_groups][0][filters][0][value]=${body.entity_id}`;
      const list = await api.call('GET', `/V1/orders?${filter}`, { token: api.tokens.register });
      expect(list.body.items[0].extension_attributes.pos_applied_credits).toEqual(applied);
    });

    test('may come as JSON text and in camelCase, with several credits; a card is shown by its last four', async () => {
      const customerId = await aCustomerWithCredit(api.orm, '50');
      const code = await aGiftCard(api.orm, '30');
      const credits = JSON.stringify([{ creditType: 'gift_card', code, amount: '30.00' }, storeCredit('10.50')]);
      const { customer_id: id, ...posted } = sale(customerId, undefined);
      const { status, body } = await post({
        ...posted,
        customerId: id,
        extensionAttributes: { posAppliedCredits: credits },
      });
      expect(status).toBe(200);
      expect(body.total_paid).toBe(40.5);
      expect(body.extension_attributes.pos_applied_credits[0]).toMatchObject({
        kind: 'gift_card',
        code: `****${code.slice(-4)}`,
      });
      expect(JSON.stringify(body)).not.toContain(code);
      expect([await cardBalance(api.orm, code), await walletOf(api.orm, customerId)]).toEqual(['0.0000', '39.5000']);
    });

    test('names in the wallet’s history whose token placed it', async () => {
      const customerId = await aCustomerWithCredit(api.orm, '50');
      for (const token of [api.tokens.register, api.tokens.admin]) {
        const entity = sale(customerId, [storeCredit(10)]);
        expect((await api.call('POST', '/V1/orders', { token, body: { entity } })).status).toBe(200);
      }
      const { body } = await api.call('GET', `/V1/vendor-store-credit/history/${customerId}`, {
        token: api.tokens.admin,
      });
      expect(body.items.slice(0, 2)).toMatchObject([
        { event_type: 2, delta: -10, admin_user_id: expect.any(Number), api_user: null },
        { event_type: 2, delta: -10, admin_user_id: null, api_user: { user_type: 'integration' } },
      ]);
    });

    test('names in the wallet’s history whose token gave it back, with a memo or a cancellation', async () => {
      const customerId = await aCustomerWithCredit(api.orm, '50');
      const placed = async () => (await post(sale(customerId, [storeCredit(10)]))).body.entity_id;
      const [refunded, cancelled] = [await placed(), await placed()];
      const { admin: token } = api.tokens;
      for (const [path, body] of [
        [`order/${refunded}/invoice`, {}],
        [`order/${refunded}/refund`, {}],
        [`orders/${cancelled}/cancel`, undefined],
      ] as const)
        expect((await api.call('POST', `/V1/${path}`, { token, body })).status).toBe(200);
      const { body } = await api.call('GET', `/V1/vendor-store-credit/history/${customerId}`, { token });
      const given = { event_type: 1, delta: 10, admin_user_id: expect.any(Number), api_user: null };
      expect(body.items.slice(0, 2)).toMatchObject([given, given]);
    });

    test('is invoiced for the rest, refunded by hand to the wallet, and noted in its history', async () => {
      const customerId = await aCustomerWithCredit(api.orm, '54');
      const { body } = await post(sale(customerId, [storeCredit(54)]));
      const { token } = { token: api.tokens.admin };
      expect((await api.call('POST', `/V1/order/${body.entity_id}/invoice`, { token, body: {} })).status).toBe(200);
      const refund = { items: [{ order_item_id: body.items[0].item_id, qty: 1 }] };
      expect((await api.call('POST', `/V1/order/${body.entity_id}/refund`, { token, body: refund })).status).toBe(200);
      expect(await walletOf(api.orm, customerId)).toBe('27.0000');
      const { body: read } = await api.call('GET', `/V1/orders/${body.entity_id}`, { token });
      expect(read).toMatchObject({ total_paid: 108, total_refunded: 54 });
      expect(read.status_histories.map(({ comment }: { comment: string }) => comment)).toEqual(
        expect.arrayContaining(['Paid $54.00 with store credit.', 'Gave back $27.00 to store credit.']),
      );
    });

    test('that is cancelled gives all of it back', async () => {
      const customerId = await aCustomerWithCredit(api.orm, '54');
      const { body } = await post(sale(customerId, [storeCredit(54)]));
      const cancel = () => api.call('POST', `/V1/orders/${body.entity_id}/cancel`, { token: api.tokens.admin });
      expect([(await cancel()).body, (await cancel()).body]).toEqual([true, false]);
      expect(await walletOf(api.orm, customerId)).toBe('54.0000');
    });

    test('can be sent back as it was read', async () => {
      const customerId = await aCustomerWithCredit(api.orm, '54');
      const { body } = await post(sale(customerId, [storeCredit(54)]));
      const { pos_applied_credits: credits } = body.extension_attributes;
      const again = await post({ entity_id: body.entity_id, extension_attributes: { pos_applied_credits: credits } });
      expect(again.status).toBe(200);
      expect(again.body.extension_attributes.pos_applied_credits).toEqual(credits);
      expect(await walletOf(api.orm, customerId)).toBe('0.0000');
    });
  });

  describe('is refused with 400, and writes nothing', () => {
    test.each<[string, unknown]>([
      ['more than the wallet holds', [storeCredit(25.01)]],
      ['more than the order costs', [storeCredit(108.01)]],
      ['five decimals', [storeCredit(1.00001)]],
      ['an exponent', [storeCredit('1e1')]],
      ['what is no number', [storeCredit('NaN')]],
      ['less than nothing', [storeCredit(-5)]],
      ['a huge amount', [storeCredit('99999999999999999999')]],
      ['an amount that is a list', [storeCredit([5])]],
      ['an unknown key', [storeCredit(5, { currency: 'EUR' })]],
      ['an unknown provider', [storeCredit(5, { provider_code: 'acme' })]],
      ['an unknown card', [{ credit_type: 'gift_card', code: 'NO-SUCH', amount: 5 }]],
      ['text that is no JSON', 'store_credit'],
      ['a number', 5],
      ['twenty-one credits', Array.from({ length: 21 }, () => storeCredit(1))],
    ])('%s', async (_case, credits) => {
      const customerId = await aCustomerWithCredit(api.orm, '25');
      const { status, body } = await post(sale(customerId, credits));
      expect({ status, message: typeof body.message }).toEqual({ status: 400, message: 'string' });
      expect(await walletOf(api.orm, customerId)).toBe('25.0000');
      expect(await find('sales_order', { customer_id: customerId })).toEqual([]);
    });

    test('a guest with store credit', async () => {
      const { status, body } = await post(sale(null, [storeCredit(5)]));
      expect({ status, body }).toMatchObject({ status: 400, body: { parameters: ['store_credit'] } });
    });

    test('credit for an order that was placed before', async () => {
      const customerId = await aCustomerWithCredit(api.orm, '25');
      const { body } = await post(sale(customerId, undefined));
      const late = await post({
        entity_id: body.entity_id,
        extension_attributes: { pos_applied_credits: [storeCredit(5)] },
      });
      expect(late.status).toBe(400);
      expect(await walletOf(api.orm, customerId)).toBe('25.0000');
    });
  });
});

describe('read orders', () => {
  opensAnOrderDesk();

  const { linesOf, change } = booksOf(() => api.orm);
  const list = async (criteria: string) => (await call('GET', `/V1/orders?${criteria}`)).body;

  test('lines are answered net of discount, and kept gross', async () => {
    const order = await place({
      items: [
        aPostedLine({
          discount_amount: 10,
          base_discount_amount: 10,
          weee_tax_applied_amount: 1,
          base_weee_tax_applied_amount: 1,
          weee_tax_applied_row_amount: 2,
          base_weee_tax_applied_row_amnt: 2,
        }),
        aPostedLine({
          sku: 'PLATE',
          row_total: 5,
          base_row_total: 5,
          tax_amount: 0,
          base_tax_amount: 0,
          discount_amount: 8,
          base_discount_amount: 8,
        }),
      ],
    });
    const net = [
      { row_total: 90, base_row_total: 90, row_total_incl_tax: 100, base_row_total_incl_tax: 99 },
      { row_total: 0, base_row_total: 0, row_total_incl_tax: 0, base_row_total_incl_tax: 0 },
    ];
    expect(order).toMatchObject({ items: net });
    const stored = () => linesOf(order.entity_id, 'row_total', 'row_total_incl_tax');
    const gross = [
      { row_total: '100.0000', row_total_incl_tax: '108.0000' },
      { row_total: '5.0000', row_total_incl_tax: '108.0000' },
    ];
    expect(await stored()).toEqual(gross);
    // Sent back as they were read, they stay what they are.
    expect((await call('POST', '/V1/orders', { entity: order })).body).toMatchObject({ items: net });
    expect(await stored()).toEqual(gross);
  });

  test('an unknown order is 404, one with a name for an id 400', async () => {
    const missing = { message: "The entity that was requested doesn't exist. Verify the entity and try again." };
    expect(await call('GET', '/V1/orders/999999')).toMatchObject({ status: 404, body: missing });
    expect(await call('GET', '/V1/orders/999999/statuses')).toMatchObject({ status: 404, body: missing });
    expect(await call('POST', '/V1/orders/999999/cancel')).toMatchObject({ status: 404, body: missing });
    const unnamed = { status: 400, body: { message: 'An ID is needed. Set the ID and try again.' } };
    expect(await call('GET', '/V1/orders/0')).toMatchObject(unnamed);
    expect(await call('GET', '/V1/orders/0/statuses')).toMatchObject(unnamed);
    for (const verb of ['cancel', 'hold', 'unhold', 'comments'])
      expect(
        await api.call('POST', `/V1/orders/0/${verb}`, { token: api.tokens.admin, body: { statusHistory: {} } }),
      ).toMatchObject(unnamed);
    expect(await call('GET', '/V1/orders/abc')).toMatchObject({
      status: 400,
      body: { message: 'The "abc" value\'s type is invalid. The "int" type was expected. Verify and try again.' },
    });
  });

  test('a customer’s own token does not open the shop’s orders', async () => {
    const { entity_id: id } = await place();
    const token = await api.customerToken(7);
    expect((await api.call('GET', `/V1/orders/${id}`, { token })).status).toBe(401);
  });

  test('orders are found by any column of theirs', async () => {
    const order = await place({
      customer_email: 'Finder@Example.com',
      grand_total: 77.5,
      base_grand_total: 77.5,
      extension_attributes: { pos_sale_id: 'find-me' },
    });
    const ids = async (criteria: string) =>
      (await list(criteria)).items.map((item: { entity_id: number }) => item.entity_id);
    const day = order.created_at.slice(0, 10);
    for (const [field, value, condition] of [
      ['increment_id', order.increment_id, 'eq'],
      ['pos_sale_id', 'find-me', 'eq'],
      ['customer_email', 'finder@example.com', 'eq'],
      ['customer_email', 'finder%', 'like'],
      ['grand_total', '77.5', 'eq'],
      ['base_total_due', '77.50', 'eq'],
      ['entity_id', String(order.entity_id), 'in'],
    ] as const) {
      expect([field, await ids(filter(field, value, condition))]).toEqual([field, [order.entity_id]]);
    }
    for (const [field, value, condition] of [
      ['state', 'new', 'eq'],
      ['created_at', `${day} 00:00:00`, 'gteq'],
      ['is_virtual', '0', 'eq'],
      ['store_name', 'Main%', 'like'],
      ['coupon_code', '', 'null'],
    ] as const) {
      expect([field, await ids(filter(field, value, condition))]).toEqual([
        field,
        expect.arrayContaining([order.entity_id]),
      ]);
    }
  });

  test('the moment read from an order finds that order, and nothing newer than itself', async () => {
    const order = await place({ customer_lastname: 'Punctual' });
    const { created_at: second } = order;
    await change('sales_order', { customer_lastname: 'Punctual' }, { created_at: `${second}.7+00` });
    const found = async (condition: string) =>
      (await list(`${filter('customer_lastname', 'Punctual')}&${filter('created_at', order.created_at, condition, 1)}`))
        .total_count;
    for (const condition of ['eq', 'in', 'lteq', 'to', 'gteq', 'from', 'like', 'finset'])
      expect([condition, await found(condition)]).toEqual([condition, 1]);
    for (const condition of ['gt', 'lt', 'neq', 'nin'])
      expect([condition, await found(condition)]).toEqual([condition, 0]);
  });

  test('a list is the orders as they are read, in pages, newest first if asked', async () => {
    const [older, newer] = [await place({ customer_lastname: 'Pager' }), await place({ customer_lastname: 'Pager' })];
    const criteria = `${filter('customer_lastname', 'Pager')}&searchCriteria[sortOrders][0][field]=entity_id&searchCriteria[pageSize]=1`;
    const first = await list(criteria);
    expect(first).toMatchObject({ total_count: 2, items: [newer], search_criteria: { page_size: 1 } });
    expect((await list(`${criteria}&searchCriteria[currentPage]=2`)).items).toEqual([older]);
    expect(await list(`${criteria}&searchCriteria[currentPage]=9`)).toMatchObject({ total_count: 2, items: [] });
  });

  test('a field that is not a column of an order cannot be searched', async () => {
    for (const field of ['sku', 'method', 'city', 'extension_attributes', 'base_pending_refund']) {
      expect(await call('GET', `/V1/orders?${filter(field, 'x')}`)).toMatchObject({ status: 400 });
    }
    expect(await call('GET', '/V1/orders')).toMatchObject({
      status: 400,
      body: { parameters: { fieldName: 'searchCriteria' } },
    });
  });

  test('a line is read as its order shows it, by its id or by a search', async () => {
    const order = await place({ items: [aPostedLine({ discount_amount: 10, base_discount_amount: 10 })] });
    const [line] = order.items;
    expect((await call('GET', `/V1/orders/items/${line.item_id}`)).body).toEqual(line);
    const { items, total_count } = (
      await call(
        'GET',
        `/V1/orders/items?${filter('order_id', order.entity_id)}&${filter('row_total', '100', 'eq', 1)}`,
      )
    ).body;
    expect({ items, total_count }).toEqual({ items: [line], total_count: 1 });
    expect((await call('GET', '/V1/orders/items/999999')).status).toBe(404);
  });

  test('a line is not among those of other goods, however its own are spelled', async () => {
    const order = await place({ items: [aPostedLine({ sku: 'Mug-Blue' }), aPostedLine({ sku: 'Mug-Red' })] });
    const others = async (value: string, condition: string) => {
      const criteria = `${filter('order_id', order.entity_id)}&${filter('sku', value, condition, 1)}`;
      const { items } = (await call('GET', `/V1/orders/items?${criteria}`)).body;
      return items.map(({ sku }: { sku: string }) => sku);
    };
    expect(await others('mug-blue', 'neq')).toEqual(['Mug-Red']);
    expect(await others('mug-blue,MUG-red', 'nin')).toEqual([]);
  });

  test('a line may belong to another one', async () => {
    const { items } = await place({
      items: [
        aPostedLine({ quote_item_id: 5, product_type: 'configurable' }),
        aPostedLine({ quote_item_id: 6, price: 0, row_total: 0, tax_amount: 0, parent_item: { quote_item_id: 5 } }),
      ],
    });
    expect(items[1].parent_item_id).toBe(items[0].item_id);
    expect(items[0]).not.toHaveProperty('parent_item_id');
  });
});
