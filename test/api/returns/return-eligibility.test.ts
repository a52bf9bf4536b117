import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/within.ts';
import { verify } from '../../../books/verify/verify.ts';
import { setConfig } from '../../../cli/settings-commands.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { Product } from '../../../db/platform/catalog/product.entity.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { booksOf } from '../../support/books.ts';
import { like } from '../../support/books/which.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { useApi } from '../../support/fixtures.ts';
import { inSeconds } from '../../support/moments.ts';
import { api, call, locationId, opensAReturnDesk, rows } from './a-return-desk.ts';
import { flow, opensACounter, parked, register } from './settled-returns.ts';

describe('create return', () => {
  opensAReturnDesk();

  async function aPlainReturn(posSaleId: string) {
    const order = await anOrder(api.orm.em.fork());
    const { returnId } = await createReturn(api.orm.em, {
      orderId: order.orderId,
      customerId: null,
      locationId,
      items: [anItem(order.itemIds[0]!)],
      comment: null,
      isAutoApproved: false,
      refundMethod: null,
      posSaleId,
    });
    return { returnId, order };
  }

  test.each([
    ['a quantity of nothing', { items: [{ qty_requested: 0 }] }, 400, undefined],
    ['more than was sold', { items: [{ qty_requested: 3 }] }, 400, 'quantity'],
    ['more than was sold, over two rows', { items: [{ qty_requested: 1 }, { qty_requested: 2 }] }, 400, 'quantity'],
    [
      'a resolution nobody offers',
      { items: [{ qty_requested: 1, resolution: 'Refunded' }] },
      400,
      'resolution_unsupported',
    ],
    ['a line of another order', { items: [{ order_item_id: 999_999, qty_requested: 1 }] }, 400, 'quantity'],
    ['no rows', { items: [] }, 400, undefined],
    ['autoApprove without a location', { items: [{ qty_requested: 1 }], autoApprove: true }, 400, undefined],
    [
      'autoApprove at the location 0, which does not exist',
      { items: [{ qty_requested: 1 }], autoApprove: true, locationId: 0 },
      400,
      undefined,
    ],
    ['an unknown location', { items: [{ qty_requested: 1 }], autoApprove: true, locationId: 999_999 }, 404, undefined],
    ['a sale id of 65 characters', { items: [{ qty_requested: 1 }], posSaleId: 'x'.repeat(65) }, 400, undefined],
    ['less than nothing received', { items: [{ qty_requested: 1, qty_received: -1 }] }, 400, undefined],
    [
      'an unknown inspection of goods that are taken in at once',
      { items: [{ qty_requested: 1, inspected_condition: 'eaten' }], autoApprove: true, locationId: 1 },
      400,
      undefined,
    ],
    ['a condition that is not offered', { items: [{ qty_requested: 1, condition: 'eaten' }] }, 400, undefined],
    [
      'the id of a condition that is not offered',
      { items: [{ qty_requested: 1, condition: 'Opened', condition_id: 'eaten' }] },
      400,
      undefined,
    ],
    [
      'the id of a reason that is not offered',
      { items: [{ qty_requested: 1, reason: 'Changed mind', reason_id: 'whim' }] },
      400,
      undefined,
    ],
    [
      'a customer of a guest’s order that is not there',
      { items: [{ qty_requested: 1 }], customerId: 999_999 },
      404,
      undefined,
    ],
    [
      'an unknown refund method for goods that are taken in at once',
      { items: [{ qty_requested: 1 }], refundMethod: 'gold', autoApprove: true, locationId: 1 },
      400,
      undefined,
    ],
  ])('a create with %s is refused and writes nothing', async (_case, wish, status, reasonCode) => {
    const order = await anOrder(api.orm.em.fork());
    const items = rows(...wish.items.map((item) => ({ order_item_id: order.itemIds[0], ...item })));

    const answer = await call('POST', '/V1/pos/rma', { ...wish, orderId: order.orderId, items });

    expect(answer.status).toBe(status);
    expect(answer.body.parameters?.reason_code).toBe(reasonCode);
    expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
  });

  test('a sale id that belongs to another order’s return is a conflict', async () => {
    const { returnId, order } = await aPlainReturn('sale-taken');
    const other = await anOrder(api.orm.em.fork());

    const answer = await call('POST', '/V1/pos/rma', {
      orderId: other.orderId,
      items: rows({ order_item_id: other.itemIds[0], qty_requested: 1 }),
      posSaleId: 'sale-taken',
    });

    expect(answer).toMatchObject({
      status: 409,
      body: { parameters: { outcome: 'sale_return_conflict', return_id: returnId, order_id: order.orderId } },
    });
  });

  test('a create for a sale whose return is ready is answered with that return, even while Temporal is away', async () => {
    const { returnId, order } = await aPlainReturn('sale-again');
    const again = {
      orderId: order.orderId,
      items: rows({ order_item_id: order.itemIds[0], qty_requested: 1 }),
      posSaleId: 'sale-again',
    };
    const answer = await api.without('Temporal', () => call('POST', '/V1/pos/rma', again));
    expect(answer).toMatchObject({ status: 200, body: { id: returnId, reused: true, ready: true } });
    expect(answer.headers.get(replayHeader)).toBe('true');
  });

  test('a sale id of 64 characters is kept as it is', async () => {
    const order = await anOrder(api.orm.em.fork());
    const posSaleId = 'é'.repeat(64);
    const answer = await call('POST', '/V1/pos/rma', {
      orderId: order.orderId,
      items: rows({ order_item_id: order.itemIds[0], qty_requested: 1 }),
      posSaleId,
    });
    expect(answer).toMatchObject({ status: 200, body: { pos_sale_id: posSaleId, ready: true, reused: false } });
    expect(answer.headers.get(replayHeader)).toBeNull();
  });

  test('a return without a sale id has neither one nor a word on readiness', async () => {
    const order = await anOrder(api.orm.em.fork());
    const items = rows({ order_item_id: order.itemIds[0], qty_requested: 1 });
    const { body } = await call('POST', '/V1/pos/rma', { orderId: order.orderId, items });
    expect(body).toMatchObject({ status: 'pending', reused: false });
    expect(body).not.toHaveProperty('pos_sale_id');
    expect(body).not.toHaveProperty('ready');
  });

  test('blank fields count as absent, and so does a customer or a location of zero', async () => {
    const customerId = await aCustomer(api.orm.em.fork());
    const order = await anOrder(api.orm.em.fork(), { customerId });
    const blank = { reason: '', resolution: '', inspected_condition: '', target_source_code: '' };
    const { status, body } = await call('POST', '/V1/pos/rma', {
      orderId: order.orderId,
      customerId: 0,
      locationId: 0,
      items: rows({ order_item_id: order.itemIds[0], qty_requested: 1, ...blank }),
      comment: '',
      refundMethod: '',
      posSaleId: '',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ customer_id: customerId, comments: [], items: [{ reason: null, resolution: null }] });
    expect(body).not.toHaveProperty('pos_sale_id');
  });

  test('whose return it is, is whose order it is; only the return of a guest’s order takes the name it is given', async () => {
    const [own, other] = [await aCustomer(api.orm.em.fork()), await aCustomer(api.orm.em.fork())];
    const customerOf = async (given: object) => {
      const { orderId, itemIds } = await anOrder(api.orm.em.fork(), given);
      const items = rows({ order_item_id: itemIds[0], qty_requested: 1 });
      return (await call('POST', '/V1/pos/rma', { orderId, customerId: other, items })).body.customer_id;
    };
    expect(await customerOf({ customerId: own })).toBe(own);
    expect(await customerOf({})).toBe(other);
  });

  test('without autoApprove words for the counter and for the money are not even read', async () => {
    const order = await anOrder(api.orm.em.fork());
    const answer = await call('POST', '/V1/pos/rma', {
      orderId: order.orderId,
      items: rows({ order_item_id: order.itemIds[0], qty_requested: 1, inspected_condition: 'eaten' }),
      refundMethod: 'gold',
    });
    expect(answer).toMatchObject({ status: 200, body: { status: 'pending', refund_method: null } });
  });

  test('a card number in the comment is refused, and nothing is written', async () => {
    const order = await anOrder(api.orm.em.fork());
    const answer = await call('POST', '/V1/pos/rma', {
      orderId: order.orderId,
      items: rows({ order_item_id: order.itemIds[0], qty_requested: 1 }),
      comment: 'paid with 4111 1111 1111 1111',
    });
    expect(answer.status).toBe(400);
    expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
  });
});

describe('return eligibility', () => {
  const api = useApi();
  beforeAll(() => aShop(fork()));
  beforeEach(() => remove('config_value', { path: like('%/returns/%') }));

  const { fork, change, remove } = booksOf(() => api.orm);
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
  const set = (name: string, value: string, storeId?: number) =>
    setConfigValue(fork(), secretBox, {
      path: `vendor_pos_advanced/returns/${name}`,
      value,
      ...(storeId === undefined ? {} : { scope: 'stores', scopeId: storeId }),
    });

  async function aSale({
    daysAgo = 0,
    shippedDaysAgo = daysAgo,
    ...wanted
  }: WantedOrder & { daysAgo?: number; shippedDaysAgo?: number } = {}) {
    const order = await anOrder(fork(), wanted);
    await change('sales_order', { entity_id: order.orderId }, { created_at: inSeconds(-daysAgo * 86_400) });
    await change('sales_shipment', { order_id: order.orderId }, { created_at: inSeconds(-shippedDaysAgo * 86_400) });
    return { orderId: order.orderId, itemId: order.itemIds[0]! };
  }

  const eligibility = async ({ orderId }: { orderId: number }) =>
    (await call('GET', `/V1/pos/rma/eligibility/${orderId}`)).body;
  const create = ({ orderId, itemId }: { orderId: number; itemId: number }, row: Record<string, unknown> = {}) =>
    call('POST', '/V1/pos/rma', {
      orderId,
      items: JSON.stringify([{ order_item_id: itemId, qty_requested: 1, resolution: 'Refund', ...row }]),
    });

  test('a period is answered, runs from the hand-over, and has no override', async () => {
    await set('period_days', '30');
    const shippedLate = await aSale({ daysAgo: 45, shippedDaysAgo: 10 });
    expect(await eligibility(shippedLate)).toMatchObject({
      outcome: 'allowed',
      period_days: 30,
      lines: [{ period_days: 30 }],
    });

    const old = await aSale({ daysAgo: 45 });
    expect(await eligibility(old)).toMatchObject({
      outcome: 'forbidden',
      reason_code: 'outside_period',
      reason: 'The return period of 30 days is over.',
      lines: [{ outcome: 'forbidden', reason_code: 'outside_period', allowed_resolution_ids: [] }],
    });
    const { status, body } = await create(old);
    expect(status).toBe(400);
    expect(body.parameters).toEqual({
      outcome: 'return_not_eligible',
      reason_code: 'outside_period',
      period_days: 30,
      order_item_id: 0,
    });
  });

  test('a layaway that is not settled brings nothing back, and says what to do', async () => {
    const layaway = await aSale({ layaway: true });
    const forbidden = {
      outcome: 'forbidden',
      reason_code: 'vendor_rule',
      reason: 'The layaway is not settled yet. Settle it first, or cancel it.',
    };
    expect(await eligibility(layaway)).toMatchObject({
      ...forbidden,
      lines: [{ ...forbidden, allowed_resolution_ids: [] }],
    });
    const refused = {
      status: 400,
      body: { parameters: { outcome: 'return_not_eligible', reason_code: 'vendor_rule' } },
    };
    expect(await create(layaway)).toMatchObject(refused);
    const items = JSON.stringify([{ order_item_id: layaway.itemId, qty: 1 }]);
    const run = { orderId: layaway.orderId, items, resolution: 'refund', isOnline: false };
    expect(await call('POST', '/V1/pos/rma/process', run)).toMatchObject(refused);
  });

  test('without a shipment the day of the order counts', async () => {
    await set('period_days', '14');
    expect(await eligibility(await aSale({ daysAgo: 20, shipped: false }))).toMatchObject({ outcome: 'forbidden' });
    expect(await eligibility(await aSale({ daysAgo: 14, shipped: false }))).toMatchObject({ outcome: 'allowed' });
  });

  test('a rule of one store view binds its orders only', async () => {
    await set('period_days', '14', 2);
    expect(await eligibility(await aSale({ daysAgo: 20 }))).toMatchObject({ outcome: 'allowed', period_days: 0 });
    const canada = await aSale({ daysAgo: 20, storeId: 2, currency: 'CAD', rate: '1.3600' });
    expect(await eligibility(canada)).toMatchObject({ outcome: 'forbidden', period_days: 14 });
  });

  test('resolutions and their own periods are answered, and a create may use the allowed ones', async () => {
    await set('period_days', '90');
    await set('resolutions', 'Refund,Exchange');
    await set('resolution_periods', 'Refund:14,Exchange:60');
    const sale = await aSale({ daysAgo: 20 });
    expect((await eligibility(sale)).lines[0]).toMatchObject({
      outcome: 'allowed',
      allowed_resolution_ids: ['Exchange'],
      resolution_periods: [
        { resolution_id: 'Refund', period_days: 14 },
        { resolution_id: 'Exchange', period_days: 60 },
      ],
    });
    expect((await create(sale)).body.parameters).toEqual({
      outcome: 'return_not_eligible',
      reason_code: 'resolution_not_allowed',
      period_days: 14,
      order_item_id: sale.itemId,
      resolution_id: 'Refund',
      allowed_resolution_ids: ['Exchange'],
    });
    expect((await create(sale, { resolution: 'Store Credit' })).body.parameters).toMatchObject({
      reason_code: 'resolution_not_allowed',
      resolution_id: 'Store Credit',
    });
    expect((await create(sale, { resolution: 'Teleport' })).body.parameters).toMatchObject({
      outcome: 'return_not_eligible',
      reason_code: 'resolution_unsupported',
      period_days: 90,
      order_item_id: sale.itemId,
    });
  });

  test('a line keeps the catalog’s value of its sale', async () => {
    const writer = fork();
    const plate = await writer.findOneOrFail(Product, { sku: 'PLATE' });
    plate.customAttributes = { is_returnable: '0' };
    await writer.flush();
    const lines = [
      { sku: 'PLATE', qty: 1, price: '10' },
      { sku: 'MUG', qty: 1, price: '10' },
    ];
    const sale = await aSale({ lines });
    plate.customAttributes = {};
    await writer.flush();

    expect(await eligibility(sale)).toMatchObject({
      outcome: 'allowed',
      lines: [{ outcome: 'forbidden', reason_code: 'not_returnable' }, { outcome: 'allowed' }],
    });
    expect((await create(sale)).body.parameters).toMatchObject({
      reason_code: 'not_returnable',
      order_item_id: sale.itemId,
    });
    expect((await eligibility(await aSale({ lines }))).lines[0]).toMatchObject({ outcome: 'allowed' });
  });

  test('a bargain is final where the store says so', async () => {
    await set('final_sale_percent', '50');
    const sale = await aSale({ lines: [{ sku: 'MUG', qty: 2, price: '50', discount: '60' }] });
    expect((await eligibility(sale)).lines[0]).toMatchObject({ outcome: 'forbidden', reason_code: 'vendor_rule' });
    expect((await create(sale)).body.parameters).toMatchObject({
      outcome: 'return_not_eligible',
      reason_code: 'vendor_rule',
      order_item_id: sale.itemId,
    });
  });

  test('how much of a bargain it was is judged without tax, also where the discount was given with it', async () => {
    await set('final_sale_percent', '51');
    // 100 and 19 tax, at half the price: 59.50 off with tax, of which 9.50 are tax.
    const sale = await aSale({ lines: [{ sku: 'MUG', qty: 2, price: '50', discount: '59.50' }] });
    await change('sales_order_item', { item_id: sale.itemId }, { base_discount_tax_compensation_amount: 9.5 });
    expect((await eligibility(sale)).lines[0]).toMatchObject({ outcome: 'allowed' });
    await set('final_sale_percent', '50');
    expect((await eligibility(sale)).lines[0]).toMatchObject({ outcome: 'forbidden', reason_code: 'vendor_rule' });
  });

  test('resolutions that were set in small letters are offered all the same', async () => {
    await set('resolutions', 'refund,exchange');
    const sale = await aSale();
    expect((await eligibility(sale)).lines[0]).toMatchObject({ allowed_resolution_ids: ['Refund', 'Exchange'] });
  });

  test('reasons are a store’s own, and an operator sets them like any setting', async () => {
    const context = { em: () => Promise.resolve(fork()), secrets: () => secretBox };
    const set = (value: string) =>
      setConfig(context as never, 'vendor_pos_advanced/returns/reasons', value, { store: 'ca' });
    expect((await set('Too cold,Too big')).text).not.toContain('No register reads');
    const reasons = async (query: string) =>
      (await call('GET', `/V1/pos/rma/options${query}`)).body.reasons.map(({ label }: { label: string }) => label);
    expect(await reasons('?storeId=2')).toEqual(['Too cold', 'Too big']);
    expect(await reasons('')).toContain('Changed mind');
  });

  test('without a returns module the built-in resolutions keep their windows, as the collapsed run judges them', async () => {
    await set('resolution_periods', 'Refund:14,Exchange:60');
    await setConfigValue(fork(), secretBox, { path: 'vendor_pos_terminal/returns/providers', value: '' });

    expect(await eligibility(await aSale({ daysAgo: 1 }))).toMatchObject({
      outcome: 'allowed',
      lines: [{ outcome: 'allowed', allowed_resolution_ids: ['Refund', 'Exchange', 'Store Credit'] }],
    });
    expect(await eligibility(await aSale({ daysAgo: 20 }))).toMatchObject({
      outcome: 'allowed',
      lines: [{ allowed_resolution_ids: ['Exchange', 'Store Credit'] }],
    });
  });
});

describe('settle return', () => {
  opensACounter();

  const { memosOf, find, fork, storyOf, change } = booksOf(() => flow.api.orm);
  const refundRows = (orderId: number) =>
    find('sales_payment_transaction', { order_id: orderId, txn_type: 'refund' }, 'txn_id', 'additional_information');

  test('goodwill and a fee come in the order’s currency: 2 CAD more and 13.60 CAD less are 1.47 and 10 USD', async () => {
    const sale = await register.sale('100.00', { method: 'checkmo', storeId: 2, currency: 'CAD', rate: '1.36' });
    const { body: rma } = await register.returnOne(sale, { refundMethod: 'terminal' });
    await register.settle(rma.id, { method: 'terminal', adjustmentPositive: 2, adjustmentNegative: '13.60' });

    expect(
      await memosOf(
        sale.orderId,
        'adjustment_positive',
        'base_adjustment_positive',
        'adjustment_negative',
        'base_adjustment_negative',
      ),
    ).toEqual([
      {
        adjustment_positive: '2.0000',
        base_adjustment_positive: '1.4700',
        adjustment_negative: '13.6000',
        base_adjustment_negative: '10.0000',
      },
    ]);
  });

  test('a reference writes a refund row with what the terminal printed; the answer has all of the settlement', async () => {
    const { rmaId, orderId } = await parked();

    const { status, body } = await register.settle(rmaId, {
      method: 'terminal',
      reference: 'T-1',
      rawPayload: 'APPROVED 11.50',
      adjustmentPositive: 2,
      adjustmentNegative: '0.50',
      shippingAmount: 0,
      expectedLegs: [],
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: rmaId,
      status: 'closed',
      refund_method: 'terminal',
      credit_memo_id: expect.any(Number),
      credit_memo_increment_id: expect.any(String),
      refund_legs: [],
      base_refund_total: 11.5,
      base_handback: 11.5,
      refund_difference: null,
    });
    expect(body).not.toHaveProperty('refund_attempt_id');
    expect(await refundRows(orderId)).toEqual([
      { txn_id: 'T-1', additional_information: { raw_payload: 'APPROVED 11.50' } },
    ]);
  });

  test('a reference of the register is stored beside the gateway’s own, with the terminal’s output', async () => {
    const { rmaId, orderId } = await parked({});

    const { body } = await register.settle(rmaId, {
      method: 'original_payment',
      reference: 'T-2',
      rawPayload: 'APPROVED 10.00',
    });

    expect(body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
    const [memo] = await memosOf(orderId, 'transaction_id');
    expect(memo!['transaction_id']).not.toBe('T-2');
    expect(await refundRows(orderId)).toEqual(
      expect.arrayContaining([
        { txn_id: memo!['transaction_id'], additional_information: {} },
        { txn_id: 'T-2', additional_information: { raw_payload: 'APPROVED 10.00' } },
      ]),
    );
  });

  test('a reference of a refund that is all credit is kept as any other', async () => {
    const customerId = await aCustomerWithCredit(flow.api.orm, '20.00');
    const { rmaId, orderId } = await parked({ customerId, credits: [{ credit_type: 'store_credit', amount: 20 }] });

    const { body } = await register.settle(rmaId, {
      method: 'original_payment',
      reference: 'T-3',
      rawPayload: 'CREDIT 10.00',
    });

    expect(body).toMatchObject({ status: 'closed', base_handback: 0 });
    expect(await refundRows(orderId)).toEqual([
      { txn_id: 'T-3', additional_information: { raw_payload: 'CREDIT 10.00' } },
    ]);
  });

  test.each([undefined, ''])('a reference of %j writes no refund row, whatever was printed', async (reference) => {
    const { rmaId, orderId } = await parked();
    const settled = await register.settle(rmaId, { method: 'cash', reference, rawPayload: 'APPROVED 10.00' });
    expect(settled.body).toMatchObject({ status: 'closed', refund_method: 'cash' });
    expect(await refundRows(orderId)).toEqual([]);
  });

  test('a card refunded by hand at the terminal is shown as the terminal', async () => {
    const { rmaId } = await parked();
    const settled = await register.settle(rmaId, { method: 'manual_card', reference: 'M-1' });
    expect(settled.body).toMatchObject({ status: 'closed', refund_method: 'terminal' });
    expect((await register.settle(rmaId, { method: 'cash' })).body).toEqual(settled.body);
  });

  test('a fee above the refund is refused either way and noted once in both histories; without it the return settles', async () => {
    const { rmaId, orderId } = await parked({});

    for (const method of ['cash', 'original_payment']) {
      expect((await register.settle(rmaId, { method, adjustmentNegative: 10.01 })).status).toBe(400);
    }

    const held = await register.returnOf(rmaId);
    expect(held).toMatchObject({ status: 'awaiting_refund', refund_method: 'terminal', credit_memo_id: null });
    expect(held).not.toHaveProperty('refund_attempt_id');
    expect(held.comments.filter(({ comment }: { comment: string }) => /^Not settled: /.test(comment))).toHaveLength(1);
    expect((await storyOf(orderId)).filter((comment) => comment.includes('was not settled'))).toHaveLength(1);
    expect(await register.memosOf(orderId)).toEqual([]);
    expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({ status: 'closed' });
  });

  test('a return that cannot be finished is not settled: 409 with its id, and nothing is booked', async () => {
    const sale = await register.sale('10.00', { method: 'checkmo' });
    await change('pos_location', { location_id: flow.shop.locationId }, { damaged_stock_source_code: null });
    const held = await register.returnOne(
      sale,
      { refundMethod: 'cash', posSaleId: `held-${sale.orderId}` },
      { inspected_condition: 'damaged' },
    );
    expect(held.status).toBe(400);
    expect(held.body.message).toMatch(/no source for damaged goods, so "MUG"/);
    const rmaId: number = held.body.parameters.return_id;

    const early = await register.settle(rmaId, { method: 'cash' });

    expect(early).toMatchObject({
      status: 409,
      body: {
        message: expect.stringMatching(/still being created.*no source for damaged goods/s),
        parameters: { outcome: 'return_not_ready', return_id: rmaId },
      },
    });
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'pending', ready: false, credit_memo_id: null });
    expect(await register.memosOf(sale.orderId)).toEqual([]);
    const again = await register.returnOne(sale, { refundMethod: 'cash', posSaleId: `held-${sale.orderId}` });
    expect(again).toMatchObject({
      status: 409,
      body: {
        message: expect.stringMatching(/still being created.*no source for damaged goods/),
        parameters: { outcome: 'sale_return_being_created', return_id: rmaId },
      },
    });
    await change('pos_location', { location_id: flow.shop.locationId }, { damaged_stock_source_code: 'damaged' });
    expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({ status: 'closed', ready: true });
  });

  test('a return whose source is gone is not settled, can be closed, and its goods come back another day', async () => {
    const sale = await register.sale('10.00', { method: 'checkmo', lines: [{ sku: 'MUG', qty: 1, price: '10.00' }] });
    const { returnId } = await createReturn(fork(), {
      orderId: sale.orderId,
      customerId: null,
      locationId: flow.shop.locationId,
      items: [anItem(sale.itemId)],
      comment: null,
      isAutoApproved: true,
      refundMethod: 'cash',
      posSaleId: `gone-${sale.orderId}`,
    });
    await change('sale_return_item', { return_id: returnId }, { target_source_code: 'gone' });

    const early = await register.settle(returnId, { method: 'cash' });

    expect(early).toMatchObject({
      status: 409,
      body: { parameters: { outcome: 'return_not_ready', return_id: returnId } },
    });
    expect((await register.returnOf(returnId)).comments).toMatchObject([
      { comment: 'Not ready yet: Source with code "gone" does not exist.' },
    ]);
    expect(await register.call('POST', `/V1/pos/rma/${returnId}/close`, {})).toMatchObject({
      status: 200,
      body: { status: 'closed' },
    });
    expect((await register.returnOne(sale, { refundMethod: 'cash' })).status).toBe(200);
  });

  test('after all of that the books balance', async () => {
    expect(await verify(fork())).toEqual([]);
  });

  test('what another refund took is not given back again', async () => {
    const { rmaId, orderId } = await parked();
    expect((await register.call('POST', `/V1/order/${orderId}/refund`, {})).status).toBe(200);
    const send = () => register.settle(rmaId, { method: 'cash' });
    await expectRefused({ send, status: 400, said: 'nothing_left_to_refund' });
    expect(await memosOf(orderId, 'entity_id')).toHaveLength(1);
  });
});
