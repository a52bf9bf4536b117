import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verify } from '../../../../books/verify/verify.ts';
import { money } from '../../../../domain/money.ts';
import { orderStates, type OrderState } from '../../../../domain/platform/order-state.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aCustomerWithCredit, walletOf } from '../../../support/builders/credit.ts';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aRefundUnderWay } from '../../../support/builders/refund-under-way.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('states that a save sends', () => {
  let api: TestApi;
  let locationId: number;
  beforeAll(async () => {
    api = await testApi();
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    expect(await verify(fork())).toEqual([]);
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const { fork, promisesOf } = booksOf(() => api.orm);
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  const save = (orderId: number, entity: object) =>
    call('POST', '/V1/orders', { entity: { entity_id: orderId, ...entity } });
  const orderOf = async (orderId: number) => (await call('GET', `/V1/orders/${orderId}`)).body;
  const promised = async (orderId: number) =>
    (await promisesOf(orderId, 'quantity')).reduce((sum, { quantity }) => sum + Number(quantity), 0);

  interface Sold {
    orderId: number;
    itemIds: readonly number[];
    customerId: number;
  }

  /** Two mugs of 20. */
  async function sold(wanted: WantedOrder = {}): Promise<Sold> {
    const customerId = await aCustomerWithCredit(api.orm, '12');
    const mugs = [{ sku: 'MUG', qty: 2, price: '20' }];
    const placed = await anOrder(fork(), { customerId, paid: false, shipped: false, lines: mugs, ...wanted });
    return { ...placed, customerId };
  }
  const oneOf = ({ itemIds }: Sold) => ({ items: [{ order_item_id: itemIds[0], qty: 1 }] });
  const verb = async (order: Sold, path: string, body: object = {}) => {
    expect((await call('POST', path.replace(':id', String(order.orderId)), body)).status).toBe(200);
    return order;
  };
  const pay = (order: Sold, amount: number) =>
    verb(order, '/V1/pos/layaways/:id/payments', { amount, paymentMethod: 'cash', reference: `pay-${order.orderId}` });

  const credits = [{ credit_type: 'store_credit', amount: 12 }];
  const open = ['new', 'pending_payment', 'processing', 'holded', 'payment_review'] as const;
  const kinds: Record<string, { sell: () => Promise<Sold>; takes: readonly OrderState[]; becomes?: OrderState }> = {
    plain: { sell: () => sold(), takes: [...open, 'canceled'] },
    'paid by credit and cash': {
      sell: () => sold({ credits, columns: { totalPaid: money('8'), baseTotalPaid: money('8') } }),
      takes: [...open, 'canceled'],
    },
    'a layaway': { sell: async () => pay(await sold({ layaway: true }), 15), takes: ['pending_payment', 'holded'] },
    'a layaway paid in full': {
      sell: async () => pay(await sold({ layaway: true }), 40),
      takes: ['pending_payment', 'holded'],
    },
    'on account': { sell: () => sold({ columns: { posCreditDue: money('40') } }), takes: open },
    'invoiced in part': {
      sell: async () => {
        const order = await sold();
        return verb(order, '/V1/order/:id/invoice', { capture: true, ...oneOf(order) });
      },
      takes: open,
    },
    'shipped in part': {
      sell: async () => {
        const order = await sold({ credits });
        return verb(order, '/V1/order/:id/ship', oneOf(order));
      },
      takes: [...open, 'canceled'],
    },
    'paid, not handed over': { sell: () => sold({ paid: true }), takes: open },
    'refunded in part': {
      sell: async () => {
        const order = await sold({ paid: true, shipped: true });
        return verb(order, '/V1/order/:id/refund', oneOf(order));
      },
      takes: ['complete', 'processing'],
      becomes: 'complete',
    },
    refunded: {
      sell: async () => verb(await sold({ paid: true, shipped: true }), '/V1/order/:id/refund'),
      takes: ['closed'],
    },
    cancelled: { sell: async () => verb(await sold({ credits }), '/V1/orders/:id/cancel'), takes: ['canceled'] },
    held: {
      sell: async () => verb(await sold({ credits }), '/V1/orders/:id/hold'),
      takes: ['holded', 'new'],
    },
    'under review': {
      sell: async () => {
        const order = await sold({ credits });
        expect((await save(order.orderId, { state: 'payment_review' })).status).toBe(200);
        return order;
      },
      takes: ['payment_review', 'new', 'pending_payment', 'processing'],
    },
  };
  /** One of two mugs is paid by card, and it is not known whether it was refunded. */
  async function refunding(): Promise<Sold> {
    const order = await sold({ method: 'provider_a', lastTransId: 'pay_1' });
    await verb(order, '/V1/order/:id/invoice', { capture: true, ...oneOf(order) });
    await aRefundUnderWay(api.orm, {
      orderId: order.orderId,
      itemId: order.itemIds[0]!,
      locationId,
      state: 'uncertain',
    });
    return order;
  }

  const matrix = Object.keys(kinds).flatMap((kind) => orderStates.map((state) => [kind, state] as const));

  test.each(matrix)(
    'an order that is %s is saved as %s by the verb that leads there, or not at all',
    async (kind, state) => {
      const { sell, takes, becomes = state } = kinds[kind]!;
      const order = await sell();
      const { orderId, customerId } = order;
      const [before, goods, wallet] = [
        await orderOf(orderId),
        await promised(orderId),
        await walletOf(api.orm, customerId),
      ];
      const answer = await save(orderId, { state });
      const after = await orderOf(orderId);
      if (!takes.includes(state)) {
        expect(answer).toMatchObject({ status: 400, body: { message: expect.any(String) } });
        expect([after, await promised(orderId), await walletOf(api.orm, customerId)]).toEqual([before, goods, wallet]);
        return;
      }
      expect(answer).toMatchObject({ status: 200, body: { state: becomes } });
      if (state !== 'canceled') {
        expect([await promised(orderId), await walletOf(api.orm, customerId)]).toEqual([goods, wallet]);
        return;
      }
      const twin = kind === 'cancelled' ? order : await verb(await sell(), '/V1/orders/:id/cancel');
      const money = ({ total_canceled, total_paid, total_due, status, status_histories }: Record<string, unknown>) => ({
        ...{ total_canceled, total_paid, total_due, status },
        history: (status_histories as { comment: string }[]).map(({ comment }) => comment.replaceAll(/\d+/g, '#')),
      });
      expect(money(after)).toEqual(money(await orderOf(twin.orderId)));
      expect([await promised(orderId), await walletOf(api.orm, customerId)]).toEqual([0, '12.0000']);
    },
  );

  test('eight saves that cancel at once give the credit back once', async () => {
    const { orderId, customerId } = await sold({ credits });
    const answers = await eightAtOnce(() => save(orderId, { state: 'canceled', status: 'canceled' }));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await walletOf(api.orm, customerId)).toBe('12.0000');
    expect((await orderOf(orderId)).status_histories.filter(isCancellation)).toHaveLength(1);
  });
  const isCancellation = ({ comment }: { comment: string }) => comment === 'Canceled order offline';

  test('a save that changes lines and cancels frees what was promised at last', async () => {
    const { orderId, itemIds } = await sold();
    const items = [{ item_id: itemIds[0], qty_ordered: 3, row_total: 60, base_row_total: 60 }];
    expect((await save(orderId, { state: 'canceled', items })).status).toBe(200);
    expect(await promised(orderId)).toBe(0);
  });

  test('a hold by a save ends in the state that the order had, and no save says which that was', async () => {
    const { orderId } = await sold();
    await save(orderId, { state: 'processing', status: 'processing' });
    await save(orderId, { state: 'holded' });
    await save(orderId, { hold_before_state: 'canceled', hold_before_status: 'canceled' });
    expect(await orderOf(orderId)).toMatchObject({ status: 'holded', hold_before_state: 'processing' });
    await verb({ orderId, itemIds: [], customerId: 0 }, '/V1/orders/:id/unhold');
    expect(await orderOf(orderId)).toMatchObject({ state: 'processing', status: 'processing' });
  });

  test('an order that was posted as held after its end is new when the hold ends', async () => {
    const { orderId } = await sold({ columns: { state: 'holded', status: 'holded', holdBeforeState: 'canceled' } });
    await verb({ orderId, itemIds: [], customerId: 0 }, '/V1/orders/:id/unhold');
    expect(await orderOf(orderId)).toMatchObject({ state: 'new', total_due: 40 });
  });

  const refusals: readonly [when: string, message: string, sell: () => Promise<Sold>, entity: object][] = [
    [
      'a state that no verb leads to',
      'An order in state "%1" cannot be saved in state "%2".',
      sold,
      { state: 'closed' },
    ],
    [
      'the status of another state',
      'An order in state "%1" cannot be saved with status "%2".',
      sold,
      { status: 'canceled' },
    ],
    [
      'a layaway as cancelled',
      'The order is a layaway. Cancel it by POST /V1/pos/layaways/%1/cancel, which gives the deposit back.',
      kinds['a layaway']!.sell,
      { state: 'canceled' },
    ],
    [
      'an ended order as cancelled',
      'Nothing of the order is left to cancel.',
      kinds['refunded']!.sell,
      { state: 'canceled' },
    ],
    [
      'an order invoiced in part as cancelled',
      'A part of the order was invoiced. POST /V1/orders/%1/cancel cancels the rest of it.',
      kinds['invoiced in part']!.sell,
      { state: 'canceled' },
    ],
    ['an ended order as held', 'A hold action is not available.', kinds['refunded']!.sell, { state: 'holded' }],
    [
      'another deposit of a layaway',
      'The %fieldName of a layaway follows from its payments.',
      kinds['a layaway']!.sell,
      { extension_attributes: { pos_layaway_deposit_amount: 500 } },
    ],
    [
      'another state while a refund is under way',
      'A refund of this order is under way. Try again when it is known what became of it.',
      refunding,
      { state: 'holded' },
    ],
  ];

  test.each(refusals)('both routes that save an order refuse %s with %j', async (_when, message, sell, entity) => {
    const { orderId } = await sell();
    const body = { entity: { entity_id: orderId, ...entity } };
    for (const answer of [await call('POST', '/V1/orders', body), await call('PUT', '/V1/orders/create', body)])
      expect(answer).toMatchObject({ status: 400, body: { message } });
  });

  test.each(['canceled', 'closed'])('no status alone says that an order is %s', async (status) => {
    const { orderId } = await sold();
    expect(await save(orderId, { status })).toMatchObject({
      status: 400,
      body: { message: 'An order in state "%1" cannot be saved with status "%2".', parameters: ['new', status] },
    });
  });

  describe('terms of a layaway', () => {
    const terms = async (orderId: number) => (await orderOf(orderId)).extension_attributes;

    test.each([
      ['posLayawayDepositAmount', { extension_attributes: { pos_layaway_deposit_amount: 500 } }],
      ['posLayawayInitialPaymentMethod', { extension_attributes: { pos_layaway_initial_payment_method: 'bitcoin' } }],
      ['method', { payment: { method: 'bitcoin' } }],
    ])('follow from its payments: a save that changes %s is refused', async (fieldName, entity) => {
      const { orderId } = await pay(await sold({ layaway: true }), 15);
      const before = await terms(orderId);
      expect(await save(orderId, entity)).toMatchObject({ status: 400, body: { parameters: { fieldName } } });
      expect(await terms(orderId)).toEqual(before);
      expect(
        (await call('POST', `/V1/pos/layaways/${orderId}/cancel`, { feePercent: 0, reason: 'x' })).body,
      ).toMatchObject({ refund_amount: 15, refund_method: 'cash' });
    });

    test('may be sent back unchanged, with a balance that is old', async () => {
      const { orderId } = await pay(await sold({ layaway: true }), 15);
      const { pos_layaway_deposit_amount, pos_layaway_initial_payment_method } = await terms(orderId);
      const old = { pos_layaway_deposit_amount, pos_layaway_initial_payment_method, pos_layaway_balance_owed: 40 };
      expect((await save(orderId, { extension_attributes: old })).status).toBe(200);
      expect(await terms(orderId)).toMatchObject({ pos_layaway_balance_owed: 25, pos_layaway_deposit_amount: 15 });
    });
  });
});
