import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verify } from '../../../../books/verify/verify.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aCustomerWithCredit, aGiftCard, cardBalance, walletOf } from '../../../support/builders/credit.ts';
import { aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aShop } from '../../../support/builders/shop.ts';

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
