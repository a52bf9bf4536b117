import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verify } from '../../../books/verify/verify.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { loseAnswer } from '../../support/books/lost-answer.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aPostedLine, aPostedSale } from '../../support/builders/posted-sale.ts';
import { anItem, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { losesAnswers } from '../../support/lost-answers.ts';
import { flow, opensACounter, parked, register } from './settled-returns.ts';

describe('chosen goods', () => {
  /** A shirt that was chosen by colour: the register posts the shirt with its price, and the chosen one as its part. */
  opensACounter();
  const { shelf, promised, booksHold } = booksOf(() => flow.api.orm);
  const admin = (method: string, path: string, body?: object) =>
    flow.api.call(method, path, { token: flow.api.tokens.admin, ...(body ? { body } : {}) });

  beforeAll(async () => {
    for (const [sku, typeId] of [
      ['SHIRT', 'configurable'],
      ['RED', 'simple'],
    ])
      await admin('POST', '/V1/products', { product: { sku, name: sku, price: 50, type_id: typeId } });
    const sourceItems = [{ sku: 'RED', source_code: 'floor', quantity: 100, status: 1 }];
    await admin('POST', '/V1/inventory/source-items', { sourceItems });
  });

  /** Four shirts at 50 and 8 % tax, posted by the register. */
  async function soldShirts({ sku, method, customerId }: { sku: string; method: string; customerId?: number }) {
    const money = { price: 50, row_total: 200, tax_amount: 16, row_total_incl_tax: 216 };
    const free = { price: 0, row_total: 0, tax_amount: 0, row_total_incl_tax: 0, price_incl_tax: 0, original_price: 0 };
    const inBoth = (figures: Record<string, number>) =>
      Object.fromEntries(
        Object.entries(figures).flatMap(([name, value]) => [
          [name, value],
          [`base_${name}`, value],
        ]),
      );
    const sold = aPostedLine({ ...inBoth(money), sku, product_type: 'configurable', quote_item_id: 5, qty_ordered: 4 });
    const part = aPostedLine({ ...inBoth(free), sku: 'RED', qty_ordered: 4, parent_item: { quote_item_id: 5 } });
    const totals = { subtotal: 200, tax_amount: 16, subtotal_incl_tax: 216, grand_total: 216 };
    const payment = { method, last_trans_id: `pay_${randomUUID()}`, ...inBoth({ amount_ordered: 216 }) };
    const entity = aPostedSale({
      ...inBoth(totals),
      customer_id: customerId ?? null,
      customer_is_guest: customerId === undefined ? 1 : 0,
      items: [sold, part],
      payment,
    });
    const { status, body } = await register.call('PUT', '/V1/orders/create', { entity });
    expect({ status, body }).toMatchObject({ status: 200 });
    const [line, under] = body.items;
    expect(under).toMatchObject({ parent_item_id: line.item_id, sku: 'RED' });
    return { orderId: Number(body.entity_id), itemId: Number(line.item_id), partId: Number(under.item_id), line };
  }
  const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;

  test.each(['RED', 'SHIRT'])(
    'a shirt sold as %s is invoiced and handed over in parts, and the chosen ones leave',
    async (sku) => {
      const before = await shelf('RED');
      const { orderId, itemId, line } = await soldShirts({ sku, method: 'checkmo' });
      expect(line).toMatchObject({ sku: 'RED', product_type: 'configurable', price: 50 });
      expect(await promised(orderId)).toBe(-4);

      const one = { items: [{ order_item_id: itemId, qty: 1 }] };
      expect(await admin('POST', `/V1/order/${orderId}/invoice`, one)).toMatchObject({ status: 200 });
      expect(await orderOf(orderId)).toMatchObject({ total_paid: 54, total_due: 162 });
      expect(await admin('POST', `/V1/order/${orderId}/ship`, one)).toMatchObject({ status: 200 });
      expect([await shelf('RED'), await promised(orderId)]).toEqual([before - 1, -3]);
      expect(await admin('POST', `/V1/order/${orderId}/invoice`, {})).toMatchObject({ status: 200 });
      expect(await admin('POST', `/V1/order/${orderId}/ship`, {})).toMatchObject({ status: 200 });
      expect([await shelf('RED'), await promised(orderId)]).toEqual([before - 4, 0]);
      expect(await orderOf(orderId)).toMatchObject({ state: 'complete', total_paid: 216 });
      await booksHold();
    },
  );

  async function handedOver(given: { sku: string; method: string; customerId?: number }) {
    const sale = await soldShirts(given);
    await admin('POST', `/V1/order/${sale.orderId}/invoice`, { capture: true });
    await admin('POST', `/V1/order/${sale.orderId}/ship`, {});
    return sale;
  }

  test.each(['RED', 'SHIRT'])(
    'a shirt sold as %s comes back by card, by hand and in one call, to its shelf',
    async (sku) => {
      const before = (await shelf('RED')) - 4;
      const sale = await handedOver({ sku, method: 'provider_a' });
      const good = { inspected_condition: 'pristine' };

      const byCard = await register.returnOne(sale, { refundMethod: 'original_payment' }, good);
      expect(byCard).toMatchObject({ status: 200, body: { status: 'closed', base_refund_total: 54 } });

      const byHand = await register.returnOne(sale, { refundMethod: 'cash' }, good);
      expect(await register.settle(byHand.body.id, { method: 'cash' })).toMatchObject({
        body: { status: 'closed', base_refund_total: 54 },
      });
      expect(await shelf('RED')).toBe(before + 2);
      expect(await orderOf(sale.orderId)).toMatchObject({ total_refunded: 108, state: 'complete' });

      const rest = [{ order_item_id: sale.itemId, qty: 2 }];
      const atOnce = await register.call('POST', '/V1/pos/rma/process', {
        ...{ orderId: sale.orderId, items: JSON.stringify(rest), resolution: 'refund', isOnline: false },
      });
      expect(atOnce).toMatchObject({ status: 200 });
      expect(await orderOf(sale.orderId)).toMatchObject({ total_refunded: 216, state: 'closed' });
      await booksHold();
    },
  );

  test('a damaged shirt is paid back as credit, and the chosen one lies with the damaged goods', async () => {
    const customerId = await aCustomerWithCredit(flow.api.orm, '1.00');
    const sale = await handedOver({ sku: 'SHIRT', method: 'checkmo', customerId });
    const before = { floor: await shelf('RED'), damaged: await shelf('RED', 'damaged') };

    const back = await register.returnOne(sale, { refundMethod: 'store_credit' }, { inspected_condition: 'damaged' });
    const settle = () => register.settle(back.body.id, { method: 'store_credit' });
    expect(await settle()).toMatchObject({ body: { status: 'closed', base_refund_total: 54 } });
    expect(await settle()).toMatchObject({ body: { status: 'closed', base_refund_total: 54 } });

    expect(await shelf('RED')).toBe(before.floor);
    expect(await shelf('RED', 'damaged')).toBe((before.damaged ?? 0) + 1);
    expect(await orderOf(sale.orderId)).toMatchObject({ total_refunded: 54, state: 'complete' });
    await booksHold();
  });

  const documents = {
    invoice: (orderId: number, items: object[]) => admin('POST', `/V1/order/${orderId}/invoice`, { items }),
    shipment: (orderId: number, items: object[]) => admin('POST', `/V1/order/${orderId}/ship`, { items }),
  };

  describe.each(['invoice', 'shipment'] as const)('a shirt named beside its part, in an %s', (kind) => {
    test('counts once', async () => {
      const { orderId, itemId, partId } = await soldShirts({ sku: 'RED', method: 'checkmo' });
      const rows = [itemId, partId].map((order_item_id) => ({ order_item_id, qty: 1 }));
      expect(await documents[kind](orderId, rows)).toMatchObject({ status: 200 });
      const [line] = (await orderOf(orderId)).items;
      expect(line).toMatchObject(kind === 'invoice' ? { qty_invoiced: 1 } : { qty_shipped: 1 });
      await booksHold();
    });

    test('is nothing by its part alone', async () => {
      const { orderId, partId } = await soldShirts({ sku: 'RED', method: 'checkmo' });
      expect(await documents[kind](orderId, [{ order_item_id: partId, qty: 1 }])).toMatchObject({ status: 400 });
      expect((await orderOf(orderId)).items[0]).toMatchObject({ qty_invoiced: 0, qty_shipped: 0 });
    });
  });

  test.each([
    ['beside its shirt', true],
    ['alone', false],
  ])('a part %s is refused in a refund, a preview and a return, and nothing is written', async (_how, isBeside) => {
    const { orderId, itemId, partId } = await handedOver({ sku: 'RED', method: 'checkmo' });
    const ids = isBeside ? [itemId, partId] : [partId];
    const rows = (field: string) => ids.map((order_item_id) => ({ order_item_id, [field]: 1 }));
    const before = await orderOf(orderId);
    const { locationId } = flow.shop;
    const refused = [
      await admin('POST', `/V1/order/${orderId}/refund`, { items: rows('qty') }),
      await register.call('POST', '/V1/pos/refunds/preview', { orderId, items: JSON.stringify(rows('qty')) }),
      await register.call('POST', '/V1/pos/rma', { orderId, items: JSON.stringify(rows('qty_requested')), locationId }),
      await register.call('POST', '/V1/pos/rma/process', {
        ...{ orderId, items: JSON.stringify(rows('qty')), resolution: 'refund', isOnline: false },
      }),
    ];
    expect(refused.map(({ status, body }) => [status, body.message])).toMatchInlineSnapshot(`
    [
      [
        400,
        "Creditmemo Document Validation Error(s):
    The creditmemo contains incorrect product items.",
      ],
      [
        400,
        "Creditmemo Document Validation Error(s):
    The creditmemo contains incorrect product items.",
      ],
      [
        400,
        "An item cannot be returned: more was requested than is left to return.",
      ],
      [
        400,
        "An item cannot be returned: more was requested than is left to return.",
      ],
    ]
  `);
    expect(await orderOf(orderId)).toEqual(before);
    expect((await register.call('GET', `/V1/pos/rma/order/${orderId}`)).body).toEqual([]);
    await booksHold();
  });

  test('an order that is sent back with the shirt’s own SKU still promises the chosen ones', async () => {
    const { orderId, itemId } = await soldShirts({ sku: 'SHIRT', method: 'checkmo' });
    const entity = { entity_id: orderId, items: [{ item_id: itemId, sku: 'SHIRT', qty_ordered: 3 }] };
    const { status, body } = await register.call('POST', '/V1/orders', { entity });
    expect({ status, sku: body.items[0].sku }).toEqual({ status: 200, sku: 'RED' });
    expect(await promised(orderId)).toBe(-3);
    await booksHold();
  });

  test('the part of a shirt is no line that a customer brings back', async () => {
    const sale = await handedOver({ sku: 'RED', method: 'checkmo' });
    const { body } = await register.call('GET', `/V1/pos/rma/eligibility/${sale.orderId}`);
    expect(body.lines).toMatchObject([{ order_item_id: sale.itemId, qty_returnable: 4 }]);
    const refused = await register.returnOne({ orderId: sale.orderId, itemId: sale.partId }, { refundMethod: 'cash' });
    expect(refused).toMatchObject({ status: 400 });
  });
});

describe('expected legs', () => {
  opensACounter();

  const { fork } = booksOf(() => flow.api.orm);

  test('legs that were expected and did not come are a comment and one sentence of the answer', async () => {
    const { rmaId } = await parked();
    const leg = { kind: 'store_credit', provider_code: 'store_credit', applies_as: 'tender', direction: 'returned' };

    const { body } = await register.settle(rmaId, {
      method: 'store_credit',
      expectedLegs: [{ ...leg, base_amount: 4, amount: 4 }],
    });

    expect(body.refund_difference).toBe(
      'The credit given back differs from the preview (store_credit: expected 4, booked 0).',
    );
    expect(body.comments.map(({ comment }: { comment: string }) => comment)).toContain(body.refund_difference);
  });

  test.each([
    [
      'of points, by their other name',
      [{ kind: 'loyalty_points', points: '5' }],
      'reward_points',
      'an amount that cannot be read',
    ],
    ['of an unknown kind', [{ kind: 'cheque', amount: 1, bank: 'x' }], 'unknown', '1'],
    [
      'with an amount finer than money',
      [{ kind: 'gift_card', amount: 1.00001 }],
      'gift_card',
      'an amount that cannot be read',
    ],
    ['that is nothing', [null], 'unknown', 'an amount that cannot be read'],
    ['that is a list', [[{ kind: 'gift_card', amount: 1 }]], 'unknown', 'an amount that cannot be read'],
    ['in place of a list', { kind: 'gift_card' }, 'gift_card', 'an amount that cannot be read'],
    ['in place of a list, empty', {}, 'unknown', 'an amount that cannot be read'],
    ['as a text nobody can read', 'two cards', 'unknown', 'an amount that cannot be read'],
    [
      'of two that are too much to be added up',
      [
        { kind: 'gift_card', amount: 900_000_000_000 },
        { kind: 'gift_card', amount: 900_000_000_000 },
      ],
      'gift_card',
      'an amount that cannot be read',
    ],
    ['as a list in a text', '[{"kind":"gift_card","amount":"2"}]', 'gift_card', '2'],
  ])(
    'a leg that was expected never stops a settle, it is a difference: one %s',
    async (_case, expectedLegs, kind, was) => {
      const { rmaId } = await parked({});

      const { status, body } = await register.settle(rmaId, { method: 'cash', expectedLegs });

      expect(status).toBe(200);
      expect(body.refund_difference).toBe(
        `The credit given back differs from the preview (${kind}: expected ${was}, booked 0).`,
      );
    },
  );

  test.each(['', ' ', 'null', null])(
    'expected legs of %j count as absent: no difference is noted',
    async (expectedLegs) => {
      const { rmaId } = await parked({});

      const { status, body } = await register.settle(rmaId, { method: 'cash', expectedLegs });

      expect({ status, body }).toMatchObject({ status: 200, body: { status: 'closed', refund_difference: null } });
    },
  );

  test('after all of that the books balance', async () => {
    expect(await verify(fork())).toEqual([]);
  });
});

describe('returns', () => {
  /**
   * What of returns needs no workflow: options, eligibility, refusals, reads. The rest is in test/workflows/returns.
   */
  const api = useApi();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const { fork, howMany } = booksOf(() => api.orm);

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });

  async function aPlainReturn(posSaleId: string | null = null) {
    const order = await anOrder(fork());
    const { returnId } = await createReturn(api.orm.em, {
      orderId: order.orderId,
      customerId: null,
      locationId,
      items: [anItem(order.itemIds[0]!)],
      comment: 'too small',
      isAutoApproved: false,
      refundMethod: null,
      posSaleId,
    });
    return { returnId, order };
  }

  test('options name reasons, conditions and resolutions; only resolutions behave', async () => {
    const { body } = await call('GET', '/V1/pos/rma/options');
    expect(body).toMatchObject({ provider_code: 'builtin', store_id: 1 });
    expect(body.resolutions).toEqual([
      { id: 'Refund', label: 'Refund', behavior: 'refund', is_store_credit: false },
      { id: 'Exchange', label: 'Exchange', behavior: 'exchange', is_store_credit: false },
      { id: 'Store Credit', label: 'Store Credit', behavior: 'refund', is_store_credit: true },
    ]);
    expect(body.conditions.map(({ id }: { id: string }) => id)).toEqual(['Unopened', 'Opened', 'Damaged']);
    expect(
      [...body.reasons, ...body.conditions].every(
        ({ behavior, is_store_credit }) => behavior === null && is_store_credit === null,
      ),
    ).toBe(true);
  });

  test('a new sale may come back completely; goods that are coming back already may not', async () => {
    const { order } = await aPlainReturn();
    const { body } = await call('GET', `/V1/pos/rma/eligibility/${order.orderId}`);
    expect(body).toEqual({
      order_id: order.orderId,
      outcome: 'allowed',
      reason_code: null,
      reason: null,
      period_days: 0,
      lines: [
        {
          order_item_id: order.itemIds[0],
          name: 'Mug',
          outcome: 'allowed',
          reason_code: null,
          reason: null,
          period_days: 0,
          qty_returnable: 1,
          allowed_resolution_ids: null,
          resolution_periods: [],
        },
      ],
    });
  });

  test.each([
    '/V1/pos/rma/eligibility/999999',
    '/V1/pos/rma/order/999999',
    '/V1/pos/rma/options?storeId=999',
    '/V1/pos/rma/999999',
    '/V1/pos/rma/refund-attempts/999999',
  ])('%s is unknown: 404', async (path) => {
    expect((await call('GET', path)).status).toBe(404);
  });

  const moment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

  test('a return is read alone and with its order', async () => {
    const { returnId, order } = await aPlainReturn('sale-read');
    const { body } = await call('GET', `/V1/pos/rma/${returnId}`);

    // Each key the interface names, and none else: neither `reused` nor an attempt there is not.
    expect(body).toEqual({
      id: returnId,
      increment_id: expect.any(String),
      order_id: order.orderId,
      order_increment_id: expect.any(String),
      customer_id: null,
      status: 'pending',
      status_label: 'Pending',
      items: [
        {
          entity_id: expect.any(Number),
          order_item_id: order.itemIds[0],
          product_name: 'Mug',
          product_sku: 'MUG',
          qty_requested: 1,
          qty_authorized: null,
          qty_approved: null,
          qty_returned: null,
          reason: 'Changed mind',
          condition: 'Unopened',
          resolution: 'Refund',
          status: 'pending',
        },
      ],
      comments: [
        {
          comment: 'too small',
          is_customer_notified: false,
          is_visible_on_front: false,
          status: 'pending',
          created_at: expect.stringMatching(moment),
        },
      ],
      created_at: expect.stringMatching(moment),
      updated_at: expect.stringMatching(moment),
      refund_method: null,
      credit_memo_id: null,
      credit_memo_increment_id: null,
      pos_sale_id: 'sale-read',
      ready: true,
      refund_legs: [],
      base_refund_total: null,
      base_handback: null,
      refund_difference: null,
    });
    expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([body]);
  });

  test('a settle whose terminal text carries a card number is refused, and the text is not kept', async () => {
    const { returnId } = await aPlainReturn();
    const answer = await call('POST', `/V1/pos/rma/${returnId}/settle`, {
      method: 'terminal',
      reference: 'T1',
      rawPayload: 'PAN 4111111111111111',
    });
    expect(answer.status).toBe(400);
    expect(await howMany('sale_return_settle_payload', { return_id: returnId })).toBe(0);
  });

  test.each([
    ['an unknown method', { method: 'gold' }],
    ['money finer than four decimals', { method: 'cash', adjustmentPositive: 0.00001 }],
    ['money as a word', { method: 'cash', shippingAmount: 'free' }],
  ])('a settle with %s is refused', async (_case, body) => {
    const { returnId } = await aPlainReturn();
    expect((await call('POST', `/V1/pos/rma/${returnId}/settle`, body)).status).toBe(400);
  });
});

describe('unfinished return', () => {
  /** What a create answers while nobody carries it out, and where the gateway hangs up. */
  let api: TestApi;
  let locationId: number;
  let gateway: Awaited<ReturnType<typeof losesAnswers>>;

  const { movementsOf, find, returnsOf, processesOf, fork, change } = booksOf(() => api.orm);

  beforeAll(async () => {
    gateway = await losesAnswers();
    api = await testApi({ settings: { GATEWAY_SIMULATOR_URL: gateway.url } });
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    await api.close();
    await gateway.close();
  });

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    api.call(method, path, { token: api.tokens.register, headers, ...(body === undefined ? {} : { body }) });

  const paidByCard = { method: 'provider_a', lastTransId: 'pay_1' };
  const returnOf = (orderId: number, itemId: number | undefined, more: object = {}) => ({
    orderId,
    items: JSON.stringify([{ order_item_id: itemId, qty_requested: 1 }]),
    autoApprove: true,
    locationId,
    refundMethod: 'original_payment',
    ...more,
  });

  async function created(more: object, paid: object = paidByCard) {
    const { orderId, itemIds } = await anOrder(fork(), paid);
    const wish = returnOf(orderId, itemIds[0], more);
    return { orderId, wish, first: await call('POST', '/V1/pos/rma', wish) };
  }

  test('a return that nobody goes on creating: 409 with the return, which can be read; then the same request finishes it', async () => {
    const posSaleId = 'sale-unfinished';
    const { returnId, orderId, orderItemId } = await aReturn(api.orm, { locationId, refundMethod: 'cash', posSaleId });
    const send = () => call('POST', '/V1/pos/rma', returnOf(orderId, orderItemId, { posSaleId, refundMethod: 'cash' }));

    expect(await api.without('a worker', send)).toMatchObject({
      status: 409,
      body: { parameters: { outcome: 'sale_return_being_created', return_id: returnId } },
    });
    expect((await call('GET', `/V1/pos/rma/${returnId}`)).body).toMatchObject({ status: 'pending', ready: false });
    expect(await send()).toMatchObject({ status: 200, body: { id: returnId, status: 'awaiting_refund', ready: true } });
  });

  test('a return without a sale id that nobody goes on creating is only read: 409 says so', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const wish = returnOf(orderId, itemIds[0], { refundMethod: 'cash' });
    const send = () => call('POST', '/V1/pos/rma', wish, { 'idempotency-key': 'nameless' });
    const returnId: number = (await send()).body.id;
    // As a crash leaves it.
    await change('sale_return', { return_id: returnId }, { is_ready: false });
    await loseAnswer({ change }, { made_id: returnId });

    expect(await api.without('a worker', send)).toMatchObject({
      status: 409,
      body: { parameters: { outcome: 'return_not_ready', return_id: returnId } },
    });
    expect((await call('GET', `/V1/pos/rma/${returnId}`)).status).toBe(200);
  });

  test('a ready return that cannot be reached in time is busy, 503; it is settled later', async () => {
    const { orderId, itemIds } = await anOrder(fork());
    const { body } = await call('POST', '/V1/pos/rma', returnOf(orderId, itemIds[0], { refundMethod: 'cash' }));
    expect(body).toMatchObject({ status: 'awaiting_refund' });
    const settle = () => call('POST', `/V1/pos/rma/${body.id}/settle`, { method: 'cash' });
    for (const missing of ['a worker', 'Temporal'] as const)
      expect((await api.without(missing, settle)).status).toBe(503);
    expect((await settle()).body).toMatchObject({ status: 'closed' });
  });

  describe.each([
    ['a key', { 'idempotency-key': 'nobody-there' }, {}],
    ['a sale id', {}, { posSaleId: 'sale-nobody-there' }],
  ])('a creation by %s that nobody carries out', (_name, headers, more) => {
    test.each(['a worker', 'Temporal'] as const)(
      'without %s is 503 and leaves nothing, now or later; the same request makes one return',
      async (missing) => {
        const { orderId, itemIds } = await anOrder(fork());
        const named = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, `${value}-${orderId}`]));
        const wish = returnOf(orderId, itemIds[0], {
          ...{ ...more, refundMethod: 'cash' },
          ...('posSaleId' in more ? { posSaleId: `${more.posSaleId}-${orderId}` } : {}),
        });
        const send = () => call('POST', '/V1/pos/rma', wish, named);

        const first = await api.without(missing, send);
        expect(first.status).toBe(503);
        expect(first.headers.get('retry-after')).not.toBeNull();
        expect(await returnsOf(orderId)).toEqual([]);
        const second = await send();
        expect(second).toMatchObject({ status: 200, body: { status: 'awaiting_refund' } });
        expect((await send()).body.id).toBe(second.body.id);
        expect(await returnsOf(orderId)).toHaveLength(1);
      },
    );
  });

  test('the call whose answer was lost is made once, and is over for whoever looks it up', async () => {
    const { wish, first } = await created({ posSaleId: 'sale-asked-once' });
    const again = await call('POST', '/V1/pos/rma', wish);
    const returnId: number = first.body.parameters.return_id;
    expect(first).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
    expect(again.body).toEqual(first.body);
    const attempts = await find('refund_attempt', { return_id: returnId }, 'state', 'gateway_outcome', 'call_ended_at');
    expect(attempts).toEqual([
      { state: 'uncertain', gateway_outcome: expect.any(String), call_ended_at: expect.anything() },
    ]);
  });

  test('a payment that no gateway can give back: the return stands, no goods moved, and says why', async () => {
    const { first } = await created({}, { method: 'checkmo' });
    expect(first).toMatchObject({ status: 400, body: { parameters: { outcome: 'refund_from_admin' } } });
    const { body } = await call('GET', `/V1/pos/rma/${first.body.parameters.return_id}`);
    expect(body).toMatchObject({ status: 'pending', credit_memo_id: null });
    expect(await movementsOf(first.body.parameters.return_id)).toEqual([]);
  });

  test('goods and money back in one call, the answer lost: 409, and the goods are in', async () => {
    const { orderId, itemIds } = await anOrder(fork(), paidByCard);
    const items = JSON.stringify([{ order_item_id: itemIds[0], qty: 1 }]);
    const answer = await call('POST', '/V1/pos/rma/process', { orderId, items, resolution: 'refund', isOnline: true });
    expect(answer).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
    expect(await processesOf(orderId, 'state', 'stage')).toEqual([{ state: 'open', stage: 'taken' }]);
    expect(await returnsOf(orderId)).toMatchObject([{ status: 'awaiting_refund' }]);
  });
});
