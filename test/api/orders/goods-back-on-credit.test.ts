import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/within.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { useApi } from '../../support/fixtures.ts';
import { atOnce } from '../../support/rivals.ts';

describe('collect due payment', () => {
  const api = useApi();
  let orderId: number;
  beforeAll(() => aShop(fork()));
  beforeEach(async () => {
    const { body } = await call('POST', '/V1/orders', {
      entity: aPostedSale({ extension_attributes: { pos_credit_due: 108 } }),
    });
    orderId = body.entity_id;
  });

  const { moneyInOf, fork, find } = booksOf(() => api.orm);

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
  const collect = (body: unknown, id: number | string = orderId) =>
    call('POST', `/V1/pos/orders/${id}/due-payments`, body);

  test('a sale on credit, collected in two parts: each answer, each repeat, the invoice in the end', async () => {
    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    const invoices = async () =>
      (await call('GET', `/V1/invoices?${filter}[field]=order_id&${filter}[value]=${orderId}`)).body.items;
    expect(await invoices()).toMatchObject([{ state: 1, grand_total: 108 }]);

    const first = await collect({ reference: 'R-1', amount: 58 });
    const last = await collect({ reference: 'R-2', amount: '50' });
    const repeat = await collect({ reference: 'R-1', amount: 58 });

    expect([first.status, first.body]).toEqual([
      200,
      {
        order_id: orderId,
        order_increment_id: expect.any(String),
        reference: 'R-1',
        amount: 58,
        is_replay: false,
        remaining_due: 50,
        paid_total: 58,
        total_due: 50,
        is_invoice_paid: false,
      },
    ]);
    expect(last.body).toMatchObject({ remaining_due: 0, paid_total: 108, total_due: 0, is_invoice_paid: true });
    expect(repeat.body).toEqual({ ...first.body, is_replay: true });
    expect([first, last, repeat].map(({ headers }) => headers.get(replayHeader))).toEqual([null, null, 'true']);
    expect(await invoices()).toMatchObject([{ state: 2 }]);
    expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({
      total_paid: 108,
      base_total_paid: 108,
      extension_attributes: { pos_credit_due: 0 },
    });
  });

  test('what is still owed for goods that are kept is collected after all that was paid went back', async () => {
    const { body: sale } = await call('GET', `/V1/orders/${orderId}`);
    const items = [{ order_item_id: sale.items[0].item_id, qty: 1 }];
    await collect({ reference: 'half', amount: 54 });
    await api.call('POST', `/V1/order/${orderId}/ship`, { token: api.tokens.admin, body: {} });

    await api.call('POST', `/V1/order/${orderId}/refund`, { token: api.tokens.admin, body: { items } });
    const order = (await call('GET', `/V1/orders/${orderId}`)).body;
    const rest = await collect({ reference: 'rest', amount: 54 });

    expect(order).toMatchObject({ state: 'processing', total_paid: 54, total_refunded: 54, total_due: 54 });
    expect(rest).toMatchObject({ status: 200, body: { paid_total: 108, total_due: 0, is_invoice_paid: true } });
    expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({ state: 'complete', status: 'complete' });
  });

  test.each([
    [{ amount: 10 }],
    [{ amount: 10, reference: null }],
    [{ amount: 10, reference: '' }],
    [{ amount: 10, reference: ' ' }],
  ])('%j has no reference', async (body) => {
    expect(await collect(body)).toMatchObject({
      status: 400,
      body: { message: '"%fieldName" is required. Enter and try again.', parameters: { fieldName: 'reference' } },
    });
  });

  test.each(['0', '-0', '-1', '0.0049', '10.00001', '"NaN"', '1e20', '"ten"', '{}', '108.01'])(
    'an amount of %s is refused and nothing is written',
    async (amount) => {
      expect((await collect(`{"reference": "R", "amount": ${amount}}`)).status).toBe(400);
      expect([await moneyInOf(orderId), await find('due_payment', { order_id: orderId })]).toEqual([[], []]);
    },
  );

  test.each(['x'.repeat(256), 'x'.repeat(10_240), 'a\0b'])(
    'a reference nothing can keep is refused',
    async (reference) => {
      expect((await collect({ reference, amount: 1 })).status).toBe(400);
    },
  );

  test('an amount finer than the coin is refused with its currency', async () => {
    expect(await collect({ reference: 'R', amount: 10.005 })).toMatchObject({
      status: 400,
      body: { message: 'The amount %1 cannot be booked: %2 has %3 decimals.', parameters: ['10.005', 'USD', 2] },
    });
  });

  test('an unknown order is the platform’s 404', async () => {
    for (const id of [999_999, 0])
      expect(await collect({ reference: 'R', amount: 1 }, id)).toMatchObject({
        status: 404,
        body: { message: "The entity that was requested doesn't exist. Verify the entity and try again." },
      });
  });
});

describe('goods back on credit', () => {
  /** Two mugs at 54 sold on credit, a part of it paid at once; goods come back before the rest is collected. */
  const api = useApi();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const { fork, storyOf, booksHold } = booksOf(() => api.orm);
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });

  async function soldOnCredit(paid: number, over: Record<string, unknown> = {}) {
    const entity = aPostedSale({
      total_paid: paid,
      base_total_paid: paid,
      extension_attributes: { pos_credit_due: 108 - paid },
      ...over,
    });
    const { body } = await call('POST', '/V1/orders', { entity });
    const orderId: number = body.entity_id;
    await call('POST', `/V1/order/${orderId}/ship`, {});
    return { orderId, itemId: body.items[0].item_id as number };
  }

  const refund = ({ orderId, itemId }: { orderId: number; itemId: number }, qty: number, more: object) =>
    call('POST', `/V1/order/${orderId}/refund`, { items: [{ order_item_id: itemId, qty }], arguments: more });
  const collect = (orderId: number, reference: string, amount: number) =>
    call('POST', `/V1/pos/orders/${orderId}/due-payments`, { reference, amount });
  const read = async (orderId: number) => {
    const { body } = await call('GET', `/V1/orders/${orderId}`);
    const { state, total_paid: paid, total_due: due, total_refunded: back, extension_attributes: more } = body;
    return { state, paid, due, back, creditDue: more.pos_credit_due };
  };

  test('nothing is due for goods that all came back: the order is closed and takes no money in any way', async () => {
    const sale = await soldOnCredit(40);
    expect((await refund(sale, 2, { adjustment_negative: 68 })).status).toBe(200);
    expect(await read(sale.orderId)).toEqual({ state: 'closed', paid: 40, due: 0, back: 40, creditDue: 0 });
    expect(await storyOf(sale.orderId)).toContain(
      'Credit due fell from $68.00 to $0.00: the goods of credit memo 000000001 were not paid yet.',
    );

    expect(await collect(sale.orderId, 'late', 68)).toMatchObject({ status: 400 });
    expect(await collect(sale.orderId, 'a-cent', 0.01)).toMatchObject({ status: 400 });
    const { body } = await call(
      'GET',
      `/V1/invoices?searchCriteria[filter_groups][0][filters][0][field]=order_id
    &searchCriteria[filter_groups][0][filters][0][value]=${sale.orderId}`.replaceAll(/\s+/g, ''),
    );
    for (const { entity_id: invoiceId } of body.items)
      expect((await call('POST', `/V1/invoices/${invoiceId}/capture`)).status).toBe(400);
    expect(await read(sale.orderId)).toMatchObject({ paid: 40, back: 40 });
    await booksHold();
  });

  test('of two, one came back: what the other is worth is due, and once it is paid it can come back for all of it', async () => {
    const sale = await soldOnCredit(40);
    await refund(sale, 1, { adjustment_negative: 14 });
    expect(await read(sale.orderId)).toMatchObject({ state: 'processing', creditDue: 54, due: 54, back: 40 });
    expect(await collect(sale.orderId, 'too-much', 54.01)).toMatchObject({
      status: 400,
      body: { message: 'The amount %1 exceeds the remaining credit due of %2.', parameters: ['54.01', '54'] },
    });
    expect((await collect(sale.orderId, 'a-part', 20)).body).toMatchObject({ remaining_due: 34 });
    expect((await collect(sale.orderId, 'the-rest', 34)).body).toMatchObject({
      ...{ remaining_due: 0, paid_total: 94, total_due: 0, is_invoice_paid: true },
    });
    expect(await collect(sale.orderId, 'once-more', 14)).toMatchObject({ status: 400 });
    expect(await read(sale.orderId)).toMatchObject({ state: 'complete', creditDue: 0, due: 0, paid: 94 });
    await booksHold();

    expect((await refund(sale, 1, {})).status).toBe(200);
    expect(await read(sale.orderId)).toMatchObject({ state: 'closed', paid: 94, back: 94 });
    await booksHold();
  });

  test('a fee is a fee: where the money for the goods was there, all of the rest stays due', async () => {
    const sale = await soldOnCredit(60);
    await refund(sale, 1, { adjustment_negative: 5 });
    expect(await read(sale.orderId)).toMatchObject({ creditDue: 48, back: 49 });
    expect((await collect(sale.orderId, 'rest', 48)).body).toMatchObject({ remaining_due: 0, paid_total: 108 });
    await booksHold();
  });

  test('a debt ends with what can be collected: in the order, in the credit limit, and for its open invoice', async () => {
    const customerId = await aCustomer(fork());
    const path = `/V1/pos/customers/${customerId}/credit-limit`;
    await call('PUT', path, { limit: 500 });
    const used = async () => (await call('GET', path)).body.used;
    const sale = await soldOnCredit(0, { customer_id: customerId, customer_is_guest: 0 });
    expect((await collect(sale.orderId, 'first', 40)).body).toMatchObject({ total_due: 68 });
    expect(await used()).toBe(68);
    await refund(sale, 1, { adjustment_negative: 14 });
    expect([await read(sale.orderId), await used()]).toEqual([expect.objectContaining({ due: 54, creditDue: 54 }), 54]);
    const rest = await atOnce(2, () => collect(sale.orderId, 'rest', 54));
    expect(rest.map(({ body }) => [body.total_due, body.is_invoice_paid])).toEqual([
      [0, true],
      [0, true],
    ]);
    expect([await read(sale.orderId), await used()]).toEqual([expect.objectContaining({ due: 0, paid: 94 }), 0]);
    await booksHold();
  });

  test('the capture of an open invoice takes no more than is due', async () => {
    const sale = await soldOnCredit(40);
    await refund(sale, 1, { adjustment_negative: 14 });
    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    const path = `/V1/invoices?${filter}[field]=order_id&${filter}[value]=${sale.orderId}`;
    const [invoice] = (await call('GET', path)).body.items;
    expect((await call('POST', `/V1/invoices/${invoice.entity_id}/capture`)).body).toBe(true);
    expect(await read(sale.orderId)).toMatchObject({ paid: 94, due: 0, back: 40 });
    await booksHold();
  });

  test('pieces that were cancelled are owed no longer; what was invoiced of the order is', async () => {
    const { body: order } = await call('POST', '/V1/orders', { entity: aPostedSale() });
    const orderId: number = order.entity_id;
    const items = [{ order_item_id: order.items[0].item_id, qty: 1 }];
    const rest = { order_id: orderId, items };
    const opened = (await call('POST', '/V1/invoices', { entity: rest })).body;
    expect(await read(orderId)).toMatchObject({ due: 108 });
    expect((await call('POST', `/V1/orders/${orderId}/cancel`)).body).toBe(true);
    expect(await read(orderId)).toMatchObject({ due: 54 });
    await call('POST', `/V1/invoices/${opened.entity_id}/capture`);
    expect(await read(orderId)).toMatchObject({ due: 0, paid: 54 });
    await booksHold();
  });

  test('money without goods leaves what is due', async () => {
    const sale = await soldOnCredit(40);
    await refund(sale, 0, { adjustment_positive: 5, shipping_amount: 0 });
    expect(await read(sale.orderId)).toMatchObject({ creditDue: 68, back: 5 });
    await refund(sale, 2, { adjustment_negative: 73 });
    expect(await read(sale.orderId)).toMatchObject({ state: 'closed', creditDue: 0, back: 40 });
    await booksHold();
  });

  test('a save cannot ask for goods that came back; it can ask for less', async () => {
    const sale = await soldOnCredit(40);
    await refund(sale, 1, { adjustment_negative: 14 });
    const save = (due: number) =>
      call('POST', '/V1/orders', {
        entity: { entity_id: sale.orderId, extension_attributes: { pos_credit_due: due } },
      });
    expect((await save(54.01)).status).toBe(400);
    expect((await save(30)).status).toBe(200);
    expect((await save(54)).status).toBe(200);
    expect(await read(sale.orderId)).toMatchObject({ creditDue: 54 });
  });

  test('eight tills collect while the goods come back: the customer never pays more than goods that are out', async () => {
    const sale = await soldOnCredit(40);
    await Promise.all([
      atOnce(8, (at) => collect(sale.orderId, `till-${at}`, 10)),
      refund(sale, 1, { adjustment_negative: 14 }),
    ]);
    const { paid, back, creditDue, due } = await read(sale.orderId);
    await collect(sale.orderId, 'all-there-is', Math.min(creditDue, due));
    const after = await read(sale.orderId);
    expect(paid - 40).toBeLessThanOrEqual(80);
    // As much as was paid before the goods came back is a fee of the memo, and stays owed.
    expect(after.paid - back).toBeGreaterThanOrEqual(54);
    expect(after.paid - back).toBeLessThanOrEqual(68);
    await booksHold();
  });

  test.each([
    // All of it: the 40 go back, and nothing is owed.
    { qty: 2, back: 40, due: 0, state: 'closed' },
    // One of two: no more than the 40 are there, and the other one is still to be paid.
    { qty: 1, back: 40, due: 54, state: 'processing' },
  ])(
    'by the register, $qty of two mugs give back what is there, and $due stays due',
    async ({ qty, back, due, state }) => {
      const [bySteps, atOnce] = [await soldOnCredit(40), await soldOnCredit(40)];
      const row = { order_item_id: bySteps.itemId, qty_requested: qty, resolution: 'Refund' };
      const wish = { orderId: bySteps.orderId, items: JSON.stringify([row]), autoApprove: true, locationId };
      const { body: rma } = await call('POST', '/V1/pos/rma', { ...wish, refundMethod: 'cash' });
      expect((await call('POST', `/V1/pos/rma/${rma.id}/settle`, { method: 'cash' })).body).toMatchObject({
        status: 'closed',
        base_handback: back,
      });
      const items = JSON.stringify([{ order_item_id: atOnce.itemId, qty }]);
      const collapsed = { orderId: atOnce.orderId, items, resolution: 'refund', isOnline: false };
      expect((await call('POST', '/V1/pos/rma/process', collapsed)).body).toMatchObject({ refund_total: back });
      for (const { orderId } of [bySteps, atOnce])
        expect(await read(orderId)).toMatchObject({ state, back, creditDue: due, paid: 40 });
      await booksHold();
    },
  );
});

describe('report untracked payment', () => {
  let api: TestApi;
  beforeAll(async () => {
    // A gateway has an address; no call is made.
    api = await testApi({ settings: { GATEWAY_SIMULATOR_URL: 'http://127.0.0.1:9' } });
    await aShop(api.orm.em.fork());
  });
  afterAll(() => api.close());

  const save = (entity: object) => api.call('POST', '/V1/orders', { token: api.tokens.register, body: { entity } });
  const saidOf = (body: { status_histories: { comment: string }[] }) =>
    body.status_histories.map(({ comment }) => comment);

  test('a card sale without a transaction is placed, and its history says at once what that means', async () => {
    const { status, body } = await save(aPostedSale({ payment: { method: 'provider_a' } }));
    expect(status).toBe(200);
    expect(saidOf(body)).toContain(
      'This payment by "provider_a" cannot be tracked: the order came without its transaction id. Until a save ' +
        'of the order tells it, the register cannot refund the card.',
    );
    const saved = await save({ entity_id: body.entity_id, payment: { last_trans_id: 'pay_1' } });
    expect(saved).toMatchObject({ status: 200, body: { payment: { last_trans_id: 'pay_1' } } });
  });

  test.each([
    ['a card sale with one', { method: 'provider_b', last_trans_id: 'pay_1' }],
    ['a cash sale', { method: 'checkmo' }],
  ])('%s needs no such word', async (_case, payment) => {
    const { body } = await save(aPostedSale({ payment }));
    expect(saidOf(body)).toEqual(['The order was placed.']);
  });
});

describe('unpaid goods back', () => {
  /** Two mugs at 54 on credit, of which nothing is paid. One of them comes back. */
  const api = useApi();
  let orderId: number;
  let itemId: number;
  let invoiceId: number;
  let locationId: number;
  let one: object[];
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
    const entity = aPostedSale({ extension_attributes: { pos_credit_due: 108 } });
    const { body } = await call('POST', '/V1/orders', { entity });
    orderId = body.entity_id;
    itemId = body.items[0].item_id;
    one = [{ order_item_id: itemId, qty: 1 }];
    const [invoice] = await find('sales_invoice', { order_id: orderId }, 'entity_id');
    invoiceId = invoice!.entity_id;
    await call('POST', `/V1/order/${orderId}/ship`, {});
  });

  const { fork, find, booksHold } = booksOf(() => api.orm);
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  const collect = (reference: string, amount: number) =>
    call('POST', `/V1/pos/orders/${orderId}/due-payments`, { reference, amount });
  const cameBack = async () => {
    const row = { qty_requested: 1, reason: 'Changed mind', condition: 'Unopened', resolution: 'Refund' };
    const items = JSON.stringify([{ order_item_id: itemId, ...row }]);
    const wish = { orderId, customerId: 0, items, autoApprove: true, locationId };
    return (await call('POST', '/V1/pos/rma', wish)).body;
  };

  test('a save says what is owed for goods that are kept, and their invoice takes the place of the one of all', async () => {
    const rma = await cameBack();
    for (const money of [`/V1/pos/rma/${rma.id}/settle`, `/V1/order/${orderId}/refund`])
      expect((await call('POST', money, { method: 'cash', items: one })).status).toBe(400);
    const lines = [{ rma_item_id: rma.items[0].entity_id, resolution_mode: 'exchange', refund_method: null }];
    expect(
      (await call('POST', `/V1/pos/rma/${rma.id}/resolve`, { resolutionsJson: JSON.stringify(lines) })).body,
    ).toMatchObject({ status: 'resolved' });

    const saved = { entity: { entity_id: orderId, extension_attributes: { pos_credit_due: 54 } } };
    expect(await call('POST', '/V1/orders', saved)).toMatchObject({ status: 200 });
    expect((await collect('too-much', 54.01)).status).toBe(400);
    expect((await collect('the-other', 54)).body).toMatchObject({ remaining_due: 0, total_due: 54 });
    expect((await collect('once-more', 1)).status).toBe(400);

    const cancelled = { entity: { entity_id: invoiceId, state: 3 } };
    expect((await call('POST', '/V1/invoices', cancelled)).body).toMatchObject({ state: 3 });
    expect((await call('POST', `/V1/order/${orderId}/invoice`, { capture: true, items: one })).status).toBe(200);
    expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({
      total_paid: 54,
      total_invoiced: 54,
      items: [{ qty_invoiced: 1 }],
    });
    await booksHold();
  });
});
