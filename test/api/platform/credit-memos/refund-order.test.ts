import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { explainOrder } from '../../../../books/explain/explain-order.ts';
import { verifyBooks } from '../../../../cli/verify-books.ts';
import { readKnownRefunds } from '../../../../db/refunds/read-known-refunds.ts';
import { commandContextOf } from '../../../cli/support.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aCustomerWithCredit, walletOf } from '../../../support/builders/credit.ts';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { useApi } from '../../../support/fixtures.ts';
import { atOnce, eightAtOnce } from '../../../support/rivals.ts';
import { api, get, list, opensAShop, plates, refund, sale } from './refunded-plates.ts';

describe('figures that contradict', () => {
  const api = useApi();
  beforeAll(() => aShop(fork()));

  const { fork, booksHold } = booksOf(() => api.orm);

  type Sale = Awaited<ReturnType<typeof anOrder>>;

  const sale = (wanted: WantedOrder = {}) => anOrder(fork(), wanted);
  const refund = ({ orderId }: Sale, memo: object) =>
    api.call('POST', '/V1/creditmemo/refund', {
      token: api.tokens.register,
      body: { creditmemo: { order_id: orderId, items: [], ...memo }, offlineRequested: true },
    });
  const orderOf = async ({ orderId }: Sale) =>
    (await api.call('GET', `/V1/orders/${orderId}`, { token: api.tokens.register })).body;

  test('money on a line of which no piece comes back leaves the line as it was', async () => {
    const order = await sale();
    const items = [{ order_item_id: order.itemIds[0], qty: 0, row_total: 10, tax_amount: 1 }];
    expect((await refund(order, { grand_total: 10, items })).status).toBe(200);
    expect((await orderOf(order)).items[0]).toMatchObject({ qty_refunded: 0, amount_refunded: 0, tax_refunded: 0 });
  });

  test.each([
    ['of one currency', {}, { grand_total: 100, base_grand_total: 1 }, 'baseGrandTotal'],
    [
      'nothing in the books',
      { currency: 'CAD', rate: '1.36' },
      { grand_total: 100, base_grand_total: 0 },
      'baseGrandTotal',
    ],
    [
      'nothing to the customer',
      { currency: 'CAD', rate: '1.36' },
      { grand_total: 0, base_grand_total: 9 },
      'grandTotal',
    ],
  ])('two totals that contradict each other are refused: %s', async (_what, wanted, memo, fieldName) => {
    const order = await sale({ ...wanted, storeId: 'rate' in wanted ? 2 : 1 });
    expect(await refund(order, memo)).toMatchObject({
      status: 400,
      body: { message: 'Invalid value of "%value" provided for the %fieldName field.', parameters: { fieldName } },
    });
    expect(await orderOf(order)).toMatchObject({ total_refunded: 0, base_total_refunded: 0 });
  });

  test.each([
    { subtotal: 900_000_000_000 },
    { subtotal_incl_tax: -5 },
    { shipping_incl_tax: 1_000 },
    { discount_amount: -900_000_000_000 },
    { adjustment_positive: 900_000_000_000, adjustment_negative: -900_000_000_000 },
    { adjustment: -900_000_000_000 },
  ])('a figure that no part of the order is worth is refused: %j', async (memo) => {
    const order = await sale();
    expect((await refund(order, { grand_total: 1, ...memo })).status).toBe(400);
    expect(await orderOf(order)).toMatchObject({ total_refunded: 0, subtotal_refunded: 0 });
  });

  test('rows of one line that are huge together are refused', async () => {
    const order = await sale();
    const row = { order_item_id: order.itemIds[0], qty: 1, row_total: 900_000_000_000 };
    expect((await refund(order, { grand_total: 1, items: [row, row] })).status).toBe(400);
  });

  test('an amount that the other currency cannot hold is refused, refunded or saved', async () => {
    const order = await sale({ storeId: 2, currency: 'CAD', rate: '0.0001' });
    const tooLarge = { status: 400, body: { message: 'The amount is too large in %1.', parameters: ['USD'] } };
    expect(await refund(order, { grand_total: 0.01, subtotal: 900_000_000_000 })).toMatchObject(tooLarge);
    const entity = { order_id: order.orderId, grand_total: 900_000_000_000 };
    const saved = await api.call('POST', '/V1/creditmemo', { token: api.tokens.register, body: { entity } });
    expect(saved).toMatchObject(tooLarge);
  });

  test('after all of it the books hold', async () => {
    await booksHold();
  });
});

describe('refund invoice', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
  });
  afterAll(async () => {
    await booksHold();
    await api.close();
  });

  const { invoicesOf, fork, booksHold } = booksOf(() => api.orm);

  const call = (path: string, body: object) => api.call('POST', path, { token: api.tokens.admin, body });
  const refund = (invoiceId: number | undefined, body: object = {}) => call(`/V1/invoice/${invoiceId}/refund`, body);
  /** Two mugs for 108, paid by card. */
  const sale = (wanted: WantedOrder = {}) => anOrder(fork(), { method: 'provider_a', ...wanted });
  const memoOf = async (id: number) =>
    (await api.call('GET', `/V1/creditmemo/${id}`, { token: api.tokens.admin })).body;
  const refused = {
    status: 400,
    body: { message: expect.stringContaining("We can't create creditmemo for the invoice.") },
  };

  test('takes all of the invoice that is left, and only once', async () => {
    const { invoiceId, itemIds } = await sale();
    const one = await refund(invoiceId, { items: [{ order_item_id: itemIds[0], qty: 1 }] });
    expect(await memoOf(one.body)).toMatchObject({ grand_total: 54, invoice_id: invoiceId, state: 2 });
    expect(await memoOf((await refund(invoiceId)).body)).toMatchObject({ grand_total: 54, invoice_id: invoiceId });
    expect(await refund(invoiceId)).toMatchObject(refused);
  });

  test('takes nothing of another invoice of the order', async () => {
    const { orderId, itemIds } = await sale({ paid: false, shipped: false });
    const items = [{ order_item_id: itemIds[0], qty: 1 }];
    const first = (await call(`/V1/order/${orderId}/invoice`, { items })).body;
    const second = (await call(`/V1/order/${orderId}/invoice`, {})).body;
    expect(await refund(first, { items: [{ order_item_id: itemIds[0], qty: 2 }] })).toMatchObject({
      status: 400,
      body: { message: 'We found an invalid quantity to refund item "%1".' },
    });
    expect(await memoOf((await refund(first)).body)).toMatchObject({ grand_total: 54 });
    expect(await refund(first)).toMatchObject(refused);
    expect((await refund(second)).status).toBe(200);
  });

  test('gives back the shipping that it charged, and none that another invoice of the order did', async () => {
    const lines = ['MUG', 'PLATE'].map((sku) => ({ sku, qty: 1, price: '50' }));
    const { orderId, itemIds } = await sale({ lines, shipping: '10', paid: false, shipped: false });
    const first = (await call(`/V1/order/${orderId}/invoice`, { items: [{ order_item_id: itemIds[0], qty: 1 }] })).body;
    const second = (await call(`/V1/order/${orderId}/invoice`, {})).body;

    expect(await memoOf((await refund(second)).body)).toMatchObject({ grand_total: 50, shipping_amount: 0 });
    expect(await memoOf((await refund(first)).body)).toMatchObject({ grand_total: 60, shipping_amount: 10 });
  });

  test('gives back shipping that is asked for, whichever invoice charged it', async () => {
    const lines = ['MUG', 'PLATE'].map((sku) => ({ sku, qty: 1, price: '50' }));
    const { orderId, itemIds } = await sale({ lines, shipping: '10', paid: false, shipped: false });
    await call(`/V1/order/${orderId}/invoice`, { items: [{ order_item_id: itemIds[0], qty: 1 }] });
    const second = (await call(`/V1/order/${orderId}/invoice`, {})).body;
    const memo = await refund(second, { arguments: { shipping_amount: 4 } });

    expect(await memoOf(memo.body)).toMatchObject({ grand_total: 54, shipping_amount: 4 });
  });

  test('gives the order’s credit back with it', async () => {
    const customerId = await aCustomerWithCredit(api.orm, '50');
    const { invoiceId } = await sale({ customerId, credits: [{ credit_type: 'store_credit', amount: 50 }] });
    await refund(invoiceId);
    expect(await walletOf(api.orm, customerId)).toBe('50.0000');
  });

  test.each([2, 8])('%i at once are one memo', async (count) => {
    const { invoiceId } = await sale();
    const answers = await atOnce(count, () => refund(invoiceId));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('an open invoice, an offline payment and an unknown invoice are refused, by hand and through a gateway', async () => {
    const { orderId } = await sale({ layaway: true });
    const [open] = await invoicesOf(orderId, 'entity_id');
    const { invoiceId: offline } = await sale({ method: 'checkmo' });
    for (const more of [{}, { isOnline: true }]) {
      expect(await refund(open?.entity_id, more)).toMatchObject(refused);
      expect(await refund(offline, more)).toMatchObject(refused);
      expect((await refund(999_999, more)).status).toBe(404);
    }
  });
});

describe('refund order', () => {
  opensAShop();

  const { shelf } = booksOf(() => api.orm);

  describe('refunding an order', () => {
    test('of one piece answers the memo’s id; the memo shows the platform’s figures', async () => {
      const { orderId, itemIds } = await sale(plates);
      const body = {
        items: [{ order_item_id: itemIds[0], qty: 1 }],
        comment: { comment: 'A chip in the rim', is_visible_on_front: 1 },
        arguments: { shipping_amount: 0 },
      };
      const answer = await refund(orderId, body);

      expect(answer).toMatchObject({ status: 200, body: expect.any(Number) });
      const memo = await get(`/V1/creditmemo/${answer.body}`);
      expect(memo.body).toMatchObject({
        entity_id: answer.body,
        order_id: orderId,
        state: 2,
        subtotal: 33.33,
        tax_amount: 3.33,
        shipping_amount: 0,
        discount_amount: 0,
        adjustment: 0,
        grand_total: 36.66,
        base_grand_total: 36.66,
        base_currency_code: 'USD',
        base_to_order_rate: 1,
        items: [
          {
            parent_id: answer.body,
            order_item_id: itemIds[0],
            sku: 'PLATE',
            name: 'Plate',
            qty: 1,
            price: 33.33,
            row_total: 33.33,
            tax_amount: 3.33,
            base_weee_tax_applied_row_amnt: 0,
          },
        ],
        comments: [
          { comment: 'A chip in the rim', is_visible_on_front: 1, is_customer_notified: 0, parent_id: answer.body },
        ],
      });
      expect((await get(`/V1/creditmemo/${answer.body}/comments`)).body.items).toEqual(memo.body.comments);
      expect(memo.body.increment_id).toMatch(/^\d{9}$/);
      expect(memo.body.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(memo.body).not.toHaveProperty('invoice_id');
    });

    test('is booked for good', async () => {
      const { orderId } = await sale(plates);
      const { body: id } = await refund(orderId);
      const cancel = (memoId: number) => api.call('PUT', `/V1/creditmemo/${memoId}`, { token: api.tokens.register });

      expect(await cancel(id)).toMatchObject({ status: 400, body: { message: 'You can not cancel Credit Memo' } });
    });

    test('in three memos gives back all but the shipping, and then the shipping', async () => {
      const { orderId, itemIds } = await sale(plates);
      const one = { items: [{ orderItemId: itemIds[0], qty: '1' }], arguments: { shippingAmount: 0 } };
      for (let piece = 0; piece < 3; piece++) expect((await refund(orderId, one)).status).toBe(200);
      expect((await get(`/V1/orders/${orderId}`)).body).toMatchObject({ total_refunded: 109.99, total_paid: 114.99 });
      await refund(orderId);

      expect((await get(`/V1/orders/${orderId}`)).body).toMatchObject({ total_refunded: 114.99, state: 'closed' });
      const found = await list({ order_id: String(orderId), grand_total: '36.66' });
      expect(found.body).toMatchObject({ total_count: 2, items: [{ grand_total: 36.66 }, { grand_total: 36.66 }] });
    });

    test('with goodwill and a fee, in base amounts of an order in another currency', async () => {
      const { orderId, itemIds } = await sale({ storeId: 2, currency: 'CAD', rate: '1.36' });
      const body = {
        items: [{ order_item_id: itemIds[0], qty: 1 }],
        arguments: { adjustment_positive: 2.5, adjustment_negative: 10 },
      };
      const { body: id } = await refund(orderId, body);

      expect((await get(`/V1/creditmemo/${id}`)).body).toMatchObject({
        base_grand_total: 46.5,
        grand_total: 63.24,
        base_adjustment_positive: 2.5,
        adjustment_positive: 3.4,
        base_adjustment_negative: 10,
        adjustment_negative: 13.6,
        order_currency_code: 'CAD',
      });
    });

    test('puts goods back on the shelf where it says so, and writes the others off', async () => {
      const before = await shelf();
      const { orderId, itemIds } = await sale();
      const items = [{ order_item_id: itemIds[0], qty: 1 }];
      const back = { arguments: { extension_attributes: { return_to_stock_items: [itemIds[0]] } } };
      await refund(orderId, { items, ...back });
      expect(await shelf()).toBe(before - 1);
      await refund(orderId, { items });
      expect(await shelf()).toBe(before - 1);
    });

    test('at once and again: one of eight wins', async () => {
      const { orderId } = await sale();
      const answers = await eightAtOnce(() => refund(orderId));

      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
      expect(answers.find((answer) => answer.status === 400)?.body).toEqual({
        message:
          'Creditmemo Document Validation Error(s):\nA creditmemo can not be created when an order has a status ' +
          'of closed',
      });
      expect((await get(`/V1/orders/${orderId}`)).body).toMatchObject({ total_refunded: 108, total_paid: 108 });
    });

    test.each([
      {
        why: 'too many',
        body: { items: [{ order_item_id: 0, qty: 4 }] },
        message: 'We found an invalid quantity to refund item "%1".',
        parameters: ['Plate'],
      },
      {
        why: 'too much shipping',
        body: { arguments: { shipping_amount: 5.01 } },
        message: 'Maximum shipping amount allowed to refund is: %1',
        parameters: ['$5.00'],
      },
      {
        why: 'a negative fee',
        body: { arguments: { adjustment_negative: -1 } },
        message: 'The %fieldName value of "%value" must be greater than or equal to %minValue.',
        parameters: { fieldName: 'adjustmentNegative', value: '-1', minValue: 0 },
      },
      {
        why: 'too much money',
        body: { arguments: { adjustment_positive: 0.01 } },
        message: 'Creditmemo Document Validation Error(s):\nThe most money available to refund is 114.99.',
      },
      {
        why: 'half a plate',
        body: { items: [{ order_item_id: 0, qty: 0.5 }] },
        message: 'Creditmemo Document Validation Error(s):\nWe found an invalid quantity to refund item "PLATE".',
      },
      {
        why: 'a line of another order',
        body: { items: [{ order_item_id: 987_654, qty: 1 }] },
        message:
          'Creditmemo Document Validation Error(s):\nThe creditmemo contains product item that is not part of ' +
          'the original order.',
      },
    ])('is refused for $why', async ({ body, message, parameters }) => {
      const { orderId, itemIds } = await sale(plates);
      const items =
        'items' in body
          ? body.items?.map((item) => ({ ...item, order_item_id: item.order_item_id || itemIds[0] }))
          : undefined;
      const answer = await refund(orderId, { ...body, ...(items ? { items } : {}) });

      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message, ...(parameters === undefined ? {} : { parameters }) });
    });

    test('of an unknown order finds none', async () => {
      expect(await refund(987_654)).toMatchObject({
        status: 404,
        body: { message: "The entity that was requested doesn't exist. Verify the entity and try again." },
      });
    });
  });

  describe('reading credit memos', () => {
    test('an unknown one is not found', async () => {
      expect((await get('/V1/creditmemo/987654')).status).toBe(404);
    });

    test('by any column of theirs, and no other', async () => {
      const { orderId } = await sale();
      const { body: id } = await refund(orderId);
      const memo = (await get(`/V1/creditmemo/${id}`)).body;

      const found = await list({ increment_id: memo.increment_id, state: '2', base_grand_total: '108' });
      expect(found.body).toMatchObject({ items: [memo], total_count: 1 });
      expect((await list({ nonsense: '1' })).status).toBe(400);
    });
  });

  describe('goods for the shelf', () => {
    const toShelf = (itemIds: readonly unknown[]) => ({
      arguments: { extension_attributes: { return_to_stock_items: itemIds } },
    });
    const twoLines: WantedOrder = {
      lines: [
        { sku: 'PLATE', qty: 1, price: '10' },
        { sku: 'MUG', qty: 1, price: '5' },
      ],
    };

    test('of another order are refused, and nothing is refunded', async () => {
      const { orderId, itemIds } = await sale(twoLines);
      const other = await sale(plates);
      const items = [{ order_item_id: itemIds[0], qty: 1 }];
      expect(await refund(orderId, { items, ...toShelf([itemIds[1], other.itemIds[0], 999_999]) })).toMatchObject({
        status: 400,
        body: {
          message: [
            'Creditmemo Document Validation Error(s):',
            'The return to stock argument contains product item that is not part of the original order.',
            'The return to stock argument contains product item that is not part of the original order.',
          ].join('\n'),
        },
      });
      expect((await list({ order_id: String(orderId) })).body).toMatchObject({ total_count: 0 });
    });

    test('may name a line that is not refunded: of that nothing comes back', async () => {
      const { orderId, itemIds } = await sale(twoLines);
      const items = [{ order_item_id: itemIds[0], qty: 1 }];
      expect(await refund(orderId, { items, ...toShelf(itemIds) })).toMatchObject({ status: 200 });
    });

    test('are fine where everything is refunded', async () => {
      const { orderId, itemIds } = await sale(twoLines);
      expect(await refund(orderId, toShelf(itemIds))).toMatchObject({ status: 200 });
    });
  });
});

describe('save credit memo', () => {
  const api = useApi();
  beforeAll(() => aShop(fork()));

  const { fork, booksHold } = booksOf(() => api.orm);

  const sale = () => anOrder(fork());
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
  const save = (entity: object) => call('POST', '/V1/creditmemo', { entity });

  test('a saved memo is there, and moves nothing: neither money nor goods nor what may be refunded', async () => {
    const { orderId, itemIds } = await sale();
    const before = (await call('GET', `/V1/orders/${orderId}`)).body;
    const { status, body } = await save({
      order_id: orderId,
      state: 2,
      grand_total: 108,
      base_grand_total: 108,
      subtotal: 100,
      items: [{ order_item_id: itemIds[0], qty: 2, row_total: 100 }],
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      order_id: orderId,
      state: 2,
      grand_total: 108,
      base_subtotal: 100,
      items: [{ qty: 2 }],
      extension_attributes: { pos_moved_money: false },
    });
    expect((await call('GET', `/V1/creditmemo/${body.entity_id}`)).body).toEqual(body);
    expect((await call('GET', `/V1/orders/${orderId}`)).body).toEqual(before);
    expect((await call('POST', `/V1/order/${orderId}/refund`, {})).status).toBe(200);
    expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({ total_refunded: 108, state: 'closed' });
  });

  test('a reader and the operator tell it from a refund, also in state 2', async () => {
    const { orderId } = await sale();
    const saved = async () => (await verifyBooks(commandContextOf(api.orm))).json;
    const { saved_memos: before } = (await saved()) as { saved_memos: number };
    const { body: written } = await save({ order_id: orderId, state: 2, grand_total: 5 });
    const { body: refundId } = await call('POST', `/V1/order/${orderId}/refund`, {});
    const { body: refund } = await call('GET', `/V1/creditmemo/${refundId}`);
    expect(refund).not.toHaveProperty('extension_attributes');

    const of = (field: string, value: string | number, at: number) =>
      `searchCriteria[filter_groups][${at}][filters][0][field]=${field}&searchCriteria[filter_groups][${at}][filters][0][value]=${value}`;
    const listed = async (moved: 0 | 1) => {
      const { body } = await call(
        'GET',
        `/V1/creditmemos?${of('order_id', orderId, 0)}&${of('pos_moved_money', moved, 1)}`,
      );
      return body.items.map((memo: { entity_id: number }) => memo.entity_id);
    };
    expect([await listed(0), await listed(1)]).toEqual([[written.entity_id], [refundId]]);
    expect(await saved()).toMatchObject({ ok: true, saved_memos: before + 1 });
    const { text } = await verifyBooks(commandContextOf(api.orm));
    expect(text).toContain(`only written down (POST /V1/creditmemo): ${before + 1}. They moved no money`);
  });

  test('its own number is kept, once in the store, and not drawn again', async () => {
    const { orderId } = await sale();
    const { body: last } = await save({ order_id: orderId, grand_total: 1, increment_id: '' });
    const next = String(Number(last.increment_id) + 1).padStart(9, '0');
    const { body: own } = await save({ order_id: orderId, grand_total: 1, increment_id: next });
    expect(own.increment_id).toBe(next);
    const taken = { status: 400, body: { message: 'Unique constraint violation found' } };
    expect(await save({ order_id: orderId, grand_total: 1, increment_id: next })).toMatchObject(taken);
    expect((await save({ entity_id: own.entity_id, increment_id: 'CM-OTHER' })).body.increment_id).toBe(next);
    const drawn = await save({ order_id: orderId, grand_total: 1 });
    expect(drawn.body.increment_id).toBe(String(Number(next) + 1).padStart(9, '0'));

    const orders = [await sale(), await sale(), await sale(), await sale()];
    const rivals = await Promise.all(orders.map((one) => save({ order_id: one.orderId, increment_id: 'CM-7' })));
    expect(rivals.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400, 400, 400]);
    expect(rivals.filter(({ status }) => status === 400)).toMatchObject([taken, taken, taken]);
  });

  test('a refund with its caller’s figures keeps its own number too', async () => {
    const { orderId, itemIds } = await sale();
    const refund = (qty: number, increment_id: string) =>
      call('POST', '/V1/creditmemo/refund', {
        creditmemo: {
          ...{ order_id: orderId, increment_id, grand_total: 54, subtotal: 50, tax_amount: 4 },
          items: { [itemIds[0]!]: { order_item_id: itemIds[0], qty, row_total: 50, tax_amount: 4 } },
        },
        offlineRequested: true,
      });
    expect(await refund(1, 'GUT-2026-1')).toMatchObject({ status: 200, body: { increment_id: 'GUT-2026-1' } });
    expect(await refund(1, 'GUT-2026-1')).toMatchObject({ body: { message: 'Unique constraint violation found' } });
    expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({ total_refunded: 54 });
  });

  test('its lines may be sent by their ids, as an object', async () => {
    const { orderId, itemIds } = await sale();
    const items = { [itemIds[0]!]: { qty: 2, order_item_id: itemIds[0] } };
    const { status, body } = await save({ order_id: orderId, state: null, adjustment: null, items });
    expect({ status, items: body.items }).toMatchObject({
      status: 200,
      items: [{ order_item_id: itemIds[0], qty: 2 }],
    });
    const comments = { a: { comment: 'Seen' } };
    expect((await save({ entity_id: body.entity_id, comments })).body.comments).toMatchObject([{ comment: 'Seen' }]);
  });

  test('saved again by its id it is the same memo, with what was sent changed', async () => {
    const { orderId, itemIds } = await sale();
    const items = [{ order_item_id: itemIds[0], qty: 1 }];
    const { body: first } = await save({ order_id: orderId, grand_total: 10, items });
    const { body: second } = await save({ entity_id: first.entity_id, state: 3, adjustment: 2 });

    expect(second).toMatchObject({
      entity_id: first.entity_id,
      grand_total: 10,
      state: 3,
      adjustment: 2,
      items: [{ qty: 1 }],
    });
  });

  test('an id of zero counts as absent, and an empty list as an object without keys: PHP sends both', async () => {
    const { orderId } = await sale();
    const { status, body } = await save({ entity_id: 0, order_id: orderId, grand_total: 1, extension_attributes: [] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ order_id: orderId, grand_total: 1 });
  });

  test('what is said with it is kept, and said once when it is sent back', async () => {
    const { orderId } = await sale();
    const comments = [{ comment: 'Seen', is_visible_on_front: 1 }, { comment: 'Filed' }];
    const { body: first } = await save({ order_id: orderId, grand_total: 1, comments });
    const { body: second } = await save({ ...first, grand_total: 2 });
    expect(second.comments).toHaveLength(2);
    expect(second.comments).toEqual(first.comments);
  });

  test('its transaction is not a refund of the order, and its number tells of no refund', async () => {
    const { orderId } = await sale();
    const { body } = await save({ order_id: orderId, grand_total: 1, transaction_id: 're_saved' });
    const em = fork();
    expect((await readKnownRefunds(em, orderId)).gatewayReferences).not.toContain('re_saved');
    const story = await explainOrder(em, String(orderId));
    expect(JSON.stringify(story)).not.toContain(`Credit memo ${body.increment_id}`);
  });

  test('eight at once without an id are eight memos, each with a number of its own', async () => {
    const { orderId } = await sale();
    const answers = await eightAtOnce(() => save({ order_id: orderId, grand_total: 1 }));
    expect(new Set(answers.map(({ body }) => body.increment_id)).size).toBe(8);
  });

  test('a memo that booked a refund stays as it was booked', async () => {
    const { orderId } = await sale();
    const { body: id } = await call('POST', `/V1/order/${orderId}/refund`, {});
    const booked = (await call('GET', `/V1/creditmemo/${id}`)).body;
    expect(await save({ ...booked, grand_total: 1 })).toMatchObject({
      status: 400,
      body: { message: 'We cannot register an existing credit memo.' },
    });
    expect((await call('GET', `/V1/creditmemo/${id}`)).body).toEqual(booked);
  });

  test.each([
    ['no order', {}, 400],
    ['an unknown order', { order_id: 999_999 }, 404],
    ['an unknown memo', { entity_id: 999_999 }, 404],
    ['an unknown state', { order_id: 1, state: 7 }, 400],
    ['what is no amount', { order_id: 1, grand_total: 'much' }, 400],
    ['a line of another order', { order_id: 1, items: [{ order_item_id: 999_999, qty: 1 }] }, 400],
  ])('%s is refused', async (_what, entity, status) => {
    const { orderId } = await sale();
    const own = 'order_id' in entity && entity.order_id === 1 ? { ...entity, order_id: orderId } : entity;
    expect((await save(own)).status).toBe(status);
  });

  test('after all of it the books hold', async () => {
    await booksHold();
  });
});
