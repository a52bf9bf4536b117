import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../../api/http/within.ts';
import { explainOrder } from '../../../../books/explain/explain-order.ts';
import { verify } from '../../../../books/verify/verify.ts';
import { addEntry } from '../../../../db/store-credit/add-entry.ts';
import { money } from '../../../../domain/money.ts';
import { type Answer, testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { loseAnswer } from '../../../support/books/lost-answer.ts';
import { aCustomerWithCredit, pointsOf, walletOf, withPoints } from '../../../support/builders/credit.ts';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { anAddress, aPostedLine, aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../../support/builders/wallet.ts';
import { atOnce, eightAtOnce } from '../../../support/rivals.ts';
import { call, opensAnOrderDesk, place, refusalOf } from './an-order-desk.ts';

describe('cancelled order', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
  });
  afterAll(async () => {
    expect(await verify(fork())).toEqual([]);
    await api.close();
  });

  const { fork, change } = booksOf(() => api.orm);

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  const save = (orderId: number, entity: object) =>
    call('POST', '/V1/orders', { entity: { entity_id: orderId, ...entity } });
  const cancel = (orderId: number) => call('POST', `/V1/orders/${orderId}/cancel`);
  const refund = (orderId: number, body: object) => call('POST', `/V1/order/${orderId}/refund`, body);
  const goodwill = (orderId: number, amount: number) => refund(orderId, { arguments: { adjustment_positive: amount } });
  const orderOf = async (orderId: number) => (await call('GET', `/V1/orders/${orderId}`)).body;

  /** A mug of 20: 12 by store credit, 8 in cash, nothing invoiced. */
  async function aMug(more: WantedOrder = {}) {
    const customerId = await aCustomerWithCredit(api.orm, '12');
    const { orderId, itemIds } = await anOrder(fork(), {
      customerId,
      paid: false,
      shipped: false,
      lines: [{ sku: 'MUG', qty: 1, price: '20' }],
      credits: [{ credit_type: 'store_credit', amount: 12 }],
      columns: { totalPaid: money('8'), baseTotalPaid: money('8') },
      ...more,
    });
    return { orderId, customerId, orderItemId: itemIds[0]! };
  }

  describe('an order that was cancelled', () => {
    test.each(['new', 'processing', 'pending_payment', 'complete', 'closed', 'holded'])(
      'cannot be saved as %s: its credit came back, and would pay a second time',
      async (state) => {
        const { orderId, customerId } = await aMug();
        expect((await cancel(orderId)).body).toBe(true);
        expect(await save(orderId, { state })).toMatchObject({
          status: 400,
          body: { message: 'A cancelled order cannot be opened again. Place a new one.' },
        });
        expect(await orderOf(orderId)).toMatchObject({ state: 'canceled', total_paid: 20 });
        expect(await walletOf(api.orm, customerId)).toBe('12.0000');
      },
    );

    test('can still be saved in its state: a note, the same state, a status of the shop', async () => {
      const { orderId } = await aMug();
      await cancel(orderId);
      expect((await save(orderId, { state: 'canceled', customer_note: 'moved away' })).status).toBe(200);
      expect((await save(orderId, { status: 'canceled' })).status).toBe(200);
    });

    test('gives its cash back by a memo without goods, to the cent and once', async () => {
      const { orderId, customerId } = await aMug();
      await cancel(orderId);
      expect(await goodwill(orderId, 20)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('The most money available to refund is 8.') },
      });
      expect((await goodwill(orderId, 3)).status).toBe(200);
      const answers = await atOnce(4, () => goodwill(orderId, 5));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await orderOf(orderId)).toMatchObject({ state: 'canceled', total_paid: 20, total_refunded: 8 });
      expect(await walletOf(api.orm, customerId)).toBe('12.0000');
      expect((await goodwill(orderId, 0.01)).status).toBe(400);
    });

    test('asks in its history for the cash that is not given back yet', async () => {
      const { orderId } = await aMug();
      await cancel(orderId);
      const { status_histories: history } = await orderOf(orderId);
      expect(history.map(({ comment }: { comment: string }) => comment)).toContainEqual(
        expect.stringMatching(/^Cancelled: \$8\.00 was paid for what is not sold any more/),
      );
    });

    test('gives no goods back, no shipping that was never charged, and no memo of nothing', async () => {
      const { orderId, orderItemId } = await aMug({ shipping: '5' });
      await cancel(orderId);
      const refused = { status: 400, body: { message: expect.stringContaining('has a status of') } };
      expect(await refund(orderId, {})).toMatchObject(refused);
      const goods = { items: [{ order_item_id: orderItemId, qty: 1 }] };
      expect((await refund(orderId, goods)).status).toBe(400);
      const memo = await goodwill(orderId, 8);
      expect((await call('GET', `/V1/creditmemo/${memo.body}`)).body).toMatchObject({
        grand_total: 8,
        shipping_amount: 0,
        items: [],
      });
    });

    test('by a save gives its credit back as the cancel does; its cash by a memo', async () => {
      const { orderId, customerId } = await aMug();
      expect((await save(orderId, { state: 'canceled' })).status).toBe(200);
      expect(await walletOf(api.orm, customerId)).toBe('12.0000');
      expect((await goodwill(orderId, 20)).status).toBe(400);
      expect((await goodwill(orderId, 8)).status).toBe(200);
      expect(await walletOf(api.orm, customerId)).toBe('12.0000');
      expect((await goodwill(orderId, 0.01)).status).toBe(400);
    });

    test('by a save gives points that were a discount back', async () => {
      const customerId = await aCustomerWithCredit(api.orm, '1');
      await withPoints(api.orm, customerId, 500);
      const points = { credit_type: 'reward_points', points: 500, amount: 5, applies_as: 'discount' };
      const { orderId } = await aMug({
        customerId,
        lines: [{ sku: 'MUG', qty: 1, price: '20', discount: '5' }],
        credits: [points],
      });
      await save(orderId, { state: 'canceled' });
      expect(await pointsOf(api.orm, customerId)).toBe(500);
      expect((await goodwill(orderId, 8)).status).toBe(200);
      expect(await pointsOf(api.orm, customerId)).toBe(500);
    });

    test('takes no more money: by a save, by an invoice that is left, by a payment of credit due', async () => {
      const { orderId } = await aMug({ lines: [{ sku: 'MUG', qty: 2, price: '20' }] });
      const opened = await call('POST', '/V1/invoices', { entity: { order_id: orderId } });
      const due = await save(orderId, { extension_attributes: { pos_credit_due: 10 } });
      expect([opened.status, due.status]).toEqual([200, 200]);
      // No verb cancels an order and leaves an invoice of it; an older release did.
      await change('sales_order', { entity_id: orderId }, { state: 'canceled' });
      const before = await orderOf(orderId);
      const over = { status: 400, body: { message: expect.stringContaining('is over: it takes no more money') } };
      expect(await save(orderId, { total_paid: 30 })).toMatchObject(over);
      expect(await call('POST', `/V1/invoices/${opened.body.entity_id}/capture`)).toMatchObject(over);
      expect(
        await call('POST', '/V1/invoices', { entity: { entity_id: opened.body.entity_id, state: 2 } }),
      ).toMatchObject(over);
      expect(
        await call('POST', `/V1/pos/orders/${orderId}/due-payments`, { reference: 'D-1', amount: 5 }),
      ).toMatchObject(over);
      expect(await orderOf(orderId)).toEqual(before);
    });

    test('takes no money with the save that cancels it', async () => {
      const { orderId } = await aMug({ columns: {} });
      expect((await save(orderId, { state: 'canceled', total_paid: 20 })).status).toBe(400);
      expect(await orderOf(orderId)).toMatchObject({ state: 'new', total_paid: 12 });
    });

    test('is protected by the database against every writer', async () => {
      const { orderId } = await aMug();
      await cancel(orderId);
      const put = (cells: Record<string, unknown>) => change('sales_order', { entity_id: orderId }, cells);
      await expect(put({ state: 'processing' })).rejects.toThrow('a cancelled order stays cancelled');
      await expect(put({ grand_total: 21, total_paid: 21 })).rejects.toThrow('takes no more money');
      await expect(put({ total_refunded: 8.01 })).rejects.toThrow('sales_order_never_given_back_twice');
    });

    test('is shown with the amount given back without a memo', async () => {
      const { orderId } = await aMug();
      await cancel(orderId);
      const story = await explainOrder(fork(), String(orderId));
      expect(story.totals).toContainEqual({ what: 'given back without a memo', amount: '12.00 USD' });
    });

    test('stays cancelled when an invoice that was left is cancelled', async () => {
      const { orderId } = await aMug({ lines: [{ sku: 'MUG', qty: 2, price: '20' }] });
      const opened = await call('POST', '/V1/invoices', { entity: { order_id: orderId } });
      await change('sales_order', { entity_id: orderId }, { state: 'canceled' });
      const taken = await call('POST', '/V1/invoices', { entity: { entity_id: opened.body.entity_id, state: 3 } });
      expect(taken).toMatchObject({ status: 200, body: { state: 3 } });
      expect(await orderOf(orderId)).toMatchObject({ state: 'canceled', total_invoiced: 0 });
    });
  });
});

describe('one order per sale', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const books = booksOf(() => api.orm);
  const { invoicesOf, fork, find, howMany } = books;
  const aSale = (posSaleId: string | undefined, more: Record<string, unknown> = {}, extension = {}) => ({
    base_currency_code: 'USD',
    order_currency_code: 'USD',
    base_to_order_rate: 1,
    grand_total: 108,
    base_grand_total: 108,
    total_paid: 108,
    base_total_paid: 108,
    items: [
      { sku: 'MUG', name: 'Mug', qty_ordered: 2, price: 50, base_price: 50, row_total: 100, base_row_total: 100 },
    ],
    payment: { method: 'cash' },
    ...more,
    extension_attributes: { ...(posSaleId === undefined ? {} : { pos_sale_id: posSaleId }), ...extension },
  });
  const post = (entity: unknown, headers: Record<string, string> = {}) =>
    api.call('POST', '/V1/orders', { token: api.tokens.register, body: { entity }, headers });
  const put = (entity: unknown) =>
    api.call('PUT', '/V1/orders/create', { token: api.tokens.register, body: { entity } });
  const idOf = ({ body }: Answer): number => body.entity_id;
  const isReplay = ({ headers }: Answer) => headers.get(replayHeader) === 'true';
  const ordersOf = (posSaleId: string) => howMany('sales_order', { pos_sale_id: posSaleId });

  describe('a sale posted again', () => {
    test('is the same order, through either route and in either spelling', async () => {
      const saleId = randomUUID();
      const first = await post(aSale(saleId));
      const { grand_total: grandTotal, ...others } = aSale(saleId);
      const again = [await post(aSale(saleId)), await put(aSale(saleId)), await post({ ...others, grandTotal })];

      expect([first.status, isReplay(first)]).toEqual([200, false]);
      for (const answer of again) {
        expect([answer.status, isReplay(answer), idOf(answer)]).toEqual([200, true, idOf(first)]);
        expect(answer.body).toEqual(first.body);
      }
      expect(await ordersOf(saleId)).toBe(1);
    });

    test('stays one order: no save takes its sale id away, or gives it another', async () => {
      const saleId = randomUUID();
      const orderId = idOf(await post(aSale(saleId)));
      for (const other of ['', randomUUID()]) {
        const save = await post({ entity_id: orderId, extension_attributes: { pos_sale_id: other } });
        expect(save).toMatchObject({ status: 400, body: { parameters: { fieldName: 'posSaleId' } } });
      }
      expect((await post({ entity_id: orderId, extension_attributes: { pos_sale_id: saleId } })).status).toBe(200);
      expect(idOf(await post(aSale(saleId)))).toBe(orderId);
    });

    test('eight times at once is one order, promised and counted once', async () => {
      const saleId = randomUUID();
      const answers = await eightAtOnce(() => post(aSale(saleId)));

      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      expect(new Set(answers.map(idOf)).size).toBe(1);
      expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
      expect(await ordersOf(saleId)).toBe(1);
    });

    test('with other content is a conflict that names the order', async () => {
      const saleId = randomUUID();
      const first = await post(aSale(saleId));
      const dearer = await post(aSale(saleId, { customer_note: 'Gift' }));

      expect(dearer).toMatchObject({
        status: 409,
        body: { parameters: { outcome: 'sale_order_conflict', order_id: idOf(first) } },
      });
      expect(await ordersOf(saleId)).toBe(1);
    });

    test('gets the present state of the order', async () => {
      const saleId = randomUUID();
      const first = await post(aSale(saleId));
      await put({ entity_id: idOf(first), customer_note: 'Changed' });
      await api.call('POST', `/V1/order/${idOf(first)}/invoice`, { token: api.tokens.register, body: {} });
      const again = await post(aSale(saleId));
      expect(again).toMatchObject({ status: 200, body: { entity_id: idOf(first), customer_note: 'Changed' } });
    });

    test('that is paid with store credit spends it once', async () => {
      const saleId = randomUUID();
      const customerId = await aCustomer(fork());
      await addEntry(fork(), anEntry(customerId, { amount: '50' }));
      const sale = aSale(
        saleId,
        { customer_id: customerId, total_paid: 83, base_total_paid: 83 },
        { pos_applied_credits: [{ credit_type: 'store_credit', amount: 25 }] },
      );
      const answers = await atOnce(4, () => post(sale));
      expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
        Array.from({ length: 4 }, () => [200, undefined]),
      );
      const moves = await find('store_credit_entry', {}, 'delta');
      expect(moves.filter(({ delta }) => Number(delta) < 0)).toHaveLength(1);
    });

    test('that is a layaway is one layaway, with one open invoice', async () => {
      const saleId = randomUUID();
      const sale = aSale(
        saleId,
        { state: 'pending_payment', total_paid: 0, base_total_paid: 0 },
        { pos_layaway_status: 'open', pos_layaway_deposit_amount: 0 },
      );
      const answers = await atOnce(4, () => post(sale));
      expect(new Set(answers.map(idOf)).size).toBe(1);
      expect(await invoicesOf(idOf(answers[0]!))).toHaveLength(1);
    });
  });

  describe('the sale id of an order', () => {
    test('that was given to it by a save belongs to it: a sale posted with it is another’s', async () => {
      const saleId = randomUUID();
      const { orderId } = await anOrder(fork());
      expect((await put({ entity_id: orderId, extension_attributes: { pos_sale_id: saleId } })).status).toBe(200);
      expect((await put({ entity_id: orderId, extension_attributes: { pos_sale_id: saleId } })).status).toBe(200);
      expect(await post(aSale(saleId))).toMatchObject({
        status: 409,
        body: { parameters: { outcome: 'sale_order_conflict', order_id: orderId } },
      });
    });

    test('cannot be taken by a save of another order', async () => {
      const saleId = randomUUID();
      await post(aSale(saleId));
      const { orderId } = await anOrder(fork());
      expect(await put({ entity_id: orderId, extension_attributes: { pos_sale_id: saleId } })).toMatchObject({
        status: 409,
        body: { parameters: { outcome: 'sale_order_conflict' } },
      });
    });

    test('may be missing or empty: each such order is one of its own', async () => {
      const orders = [
        await post(aSale(undefined)),
        await post(aSale(undefined)),
        await post(aSale('')),
        await post(aSale('')),
      ];
      expect(new Set(orders.map(idOf)).size).toBe(4);
    });
  });

  describe('an order without a sale id', () => {
    test('posted again with its key is one order', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const answers = [];
      for (let time = 0; time < 3; time++) answers.push(await post(aSale(undefined), headers));
      expect(new Set(answers.map(idOf)).size).toBe(1);
      expect(answers.map(isReplay)).toEqual([false, true, true]);
    });

    test('whose process dies between commit and answer is found by the next run', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await post(aSale(undefined), headers);
      await loseAnswer(books, { made_id: idOf(first) });
      const second = await post(aSale(undefined), headers);
      expect([second.status, second.body]).toEqual([200, first.body]);
    });

    test('eight at once with one key are one order', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const answers = await eightAtOnce(() => post(aSale(undefined), headers));
      expect(new Set(answers.filter(({ status }) => status === 200).map(idOf)).size).toBe(1);
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    });
  });
});

describe('orders', () => {
  opensAnOrderDesk();

  test('an order is read as posted, with the fields that the server adds', async () => {
    const order = await place({
      shipping_description: 'Van',
      extension_attributes: {
        shipping_assignments: [
          {
            shipping: { address: anAddress({ address_type: 'shipping', city: 'Utica' }), method: 'flatrate_flatrate' },
            items: [],
          },
        ],
        applied_taxes: [{ code: 'NY', title: 'NY', percent: 8, amount: 8, base_amount: 8 }],
        pos_sale_id: 'U-1',
        pos_credit_due: 12.5,
      },
    });

    expect(await call('GET', `/V1/orders/${order.entity_id}`)).toMatchObject({ status: 200, body: order });
    expect(order).toMatchObject({
      increment_id: '000000001',
      state: 'new',
      is_virtual: 0,
      customer_is_guest: 0,
      customer_id: 7,
      customer_email: 'a@example.com',
      grand_total: 108,
      base_grand_total: 108,
      total_due: 108,
      store_to_base_rate: 0,
      total_item_count: 1,
      store_name: 'Main Website\nDefault Store View',
      shipping_description: 'Van',
      items: [
        {
          sku: 'MUG',
          qty_ordered: 2,
          tax_percent: 8,
          price_incl_tax: 54,
          order_id: order.entity_id,
          is_qty_decimal: 0,
        },
      ],
      billing_address: {
        city: 'Troy',
        street: ['1 Main St'],
        region_code: 'NY',
        region_id: 43,
        address_type: 'billing',
      },
      payment: {
        method: 'checkmo',
        amount_ordered: 108,
        account_status: null,
        cc_last4: null,
        additional_information: ['cash'],
        parent_id: order.entity_id,
      },
      status_histories: [
        {
          comment: 'The order was placed. Sale U-1.',
          status: 'pending',
          entity_name: 'order',
          parent_id: order.entity_id,
        },
      ],
      extension_attributes: {
        shipping_assignments: [
          {
            shipping: {
              address: { city: 'Utica', address_type: 'shipping' },
              method: 'flatrate_flatrate',
              total: { shipping_amount: 0 },
            },
            items: [{ sku: 'MUG' }],
          },
        ],
        payment_additional_info: [{ key: '0', value: 'cash' }],
        applied_taxes: [{ code: 'NY', title: 'NY', percent: 8, amount: 8, base_amount: 8 }],
        pos_sale_id: 'U-1',
        pos_credit_due: 12.5,
      },
    });
    expect(order.protect_code).toMatch(/^[0-9a-f]{32}$/);
    expect(order.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    // Nothing is null among the order's own values, and the shipping address stands in its assignment alone.
    expect(Object.values(order).filter((value) => value === null)).toEqual([]);
    expect(order).not.toHaveProperty('shipping_address');
    expect(order).not.toHaveProperty('shipping_method');
  });

  test('information about a payment is answered in the order posted', async () => {
    const information = { tender: 'cash', given: 20, drawer: { till: 3 }, is_counted: true, is_foreign: false };
    const { payment, extension_attributes } = await place({
      payment: { method: 'checkmo', additional_information: information },
    });

    expect(payment.additional_information).toEqual(['cash', '20', '{"till":3}', '1', '']);
    expect(extension_attributes.payment_additional_info.map(({ key }: { key: string }) => key)).toEqual(
      Object.keys(information),
    );
  });

  test('keys may be spelled either way and numbers sent as text; a null is nothing', async () => {
    const order = await place({
      customer_email: undefined,
      customerEmail: 'camel@example.com',
      coupon_code: null,
      grand_total: '108.00',
      items: [
        { sku: 'MUG', qtyOrdered: '2', price: '50', base_price: 50, rowTotal: 100, isVirtual: false, productId: null },
      ],
    });
    expect(order).toMatchObject({
      customer_email: 'camel@example.com',
      grand_total: 108,
      items: [{ qty_ordered: 2, row_total: 100 }],
    });
    expect(order).not.toHaveProperty('coupon_code');
  });

  test('columns of the platform that mean nothing here may be sent empty', async () => {
    const empty = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));
    const order = await place({
      base_total_qty_ordered: 2,
      items: [aPostedLine(empty('event_id', 'ext_order_item_id', 'gw_id', 'gw_base_price', 'gw_tax_amount_refunded'))],
      billing_address: anAddress(empty('vat_is_valid', 'vat_request_id', 'vat_request_date', 'vat_request_success')),
      payment: {
        method: 'checkmo',
        ...empty('cc_number_enc', 'cc_ss_issue', 'echeck_type', 'anet_trans_method', 'protection_eligibility'),
      },
    });
    expect(
      await call('POST', '/V1/invoices', {
        entity: { order_id: order.entity_id, ...empty('base_shipping_discount_tax_compensation_amnt') },
      }),
    ).toMatchObject({ status: 200 });
    expect(await refusalOf(aPostedSale({ bogus: null }))).toMatchObject({ status: 400 });
  });

  test('lines need not all say the same', async () => {
    const bare = { sku: 'PLATE', qty_ordered: 1 };
    const { items } = await place({ items: [aPostedLine({ is_virtual: 1, product_type: 'virtual' }), bare] });
    expect(items[0]).toMatchObject({ is_virtual: 1, product_type: 'virtual', tax_percent: 8 });
    expect(items[1]).toMatchObject({
      is_virtual: 0,
      product_type: 'simple',
      tax_percent: 0,
      row_total: 0,
      qty_ordered: 1,
    });
  });

  test('a register’s long figures are rounded to four decimals', async () => {
    const order = await place({ items: [aPostedLine({ tax_amount: 7.99996, price: 16.6666666667 })] });
    expect(order.items[0]).toMatchObject({ tax_amount: 8, price: 16.6667 });
  });

  test('the longer name of the route places an order as well', async () => {
    const answer = await call('PUT', '/V1/orders/create', { entity: aPostedSale() });
    expect(answer).toMatchObject({ status: 200, body: { state: 'new' } });
  });

  test('the store of the path counts where none is named', async () => {
    const { status, body } = await call('POST', '/rest/ca/V1/orders', { entity: aPostedSale({ store_id: undefined }) });
    expect({ status, store: body.store_id, increment: body.increment_id }).toEqual({
      status: 200,
      store: 2,
      increment: '2000000001',
    });
  });

  test('an order that cannot be is refused in the platform’s words', async () => {
    expect(await call('POST', '/V1/orders', {})).toMatchObject({
      status: 400,
      body: { message: '"%fieldName" is required. Enter and try again.', parameters: { fieldName: 'entity' } },
    });
    expect(await refusalOf(aPostedSale({ payment: undefined }))).toMatchObject({
      status: 400,
      parameters: { fieldName: 'payment' },
    });
    expect(await refusalOf(aPostedSale({ colour: 'blue' }))).toMatchObject({
      status: 400,
      parameters: { fieldName: 'colour' },
    });
    expect(await refusalOf(aPostedSale({ items: [aPostedLine({ colour: 'blue' })] }))).toMatchObject({ status: 400 });
    expect(await refusalOf(aPostedSale({ extension_attributes: { pos_colour: 'blue' } }))).toMatchObject({
      status: 400,
    });
    expect(await refusalOf(aPostedSale({ items: [aPostedLine({ qty_ordered: 'many' })] }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('The "many" value\'s type is invalid.'),
    });
    for (const qty of [0, -0.5])
      expect(await refusalOf(aPostedSale({ items: [aPostedLine({ qty_ordered: qty })] }))).toMatchObject({
        status: 400,
        parameters: { fieldName: 'qtyOrdered', value: qty },
      });
    expect(await refusalOf(aPostedSale({ extension_attributes: { pos_credit_due: -3 } }))).toMatchObject({
      status: 400,
      parameters: { fieldName: 'posCreditDue', value: -3 },
    });
    expect(await refusalOf(aPostedSale({ state: 'sold' }))).toMatchObject({ status: 400 });
    expect(await refusalOf(aPostedSale({ total_paid: 108.01 }))).toMatchObject({
      status: 400,
      parameters: { fieldName: 'total_paid', value: 108.01 },
    });
    expect(await refusalOf(aPostedSale({ store_id: 77 }))).toMatchObject({ status: 404 });
    for (const field of ['base', 'global', 'order', 'store'].map((whose) => `${whose}_currency_code`))
      for (const code of ['', '   ', 'US', 'U$D', 'U1D'])
        expect(await refusalOf(aPostedSale({ [field]: code }))).toMatchObject({
          status: 400,
          parameters: { value: code },
        });
    expect(await refusalOf({ entity_id: 999_999 })).toMatchObject({
      status: 404,
      message: "The entity that was requested doesn't exist. Verify the entity and try again.",
    });
  });
});
