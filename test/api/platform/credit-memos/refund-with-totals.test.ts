import { describe, expect, test } from 'vitest';
import { aCustomerWithCredit, walletOf } from '../../../support/builders/credit.ts';
import { booksOf } from '../../../support/books.ts';
import { atOnce } from '../../../support/rivals.ts';
import { opensAShop, api, sale, call, refund, orderOf, oneMug, bothMugs } from './a-sale-of-mugs.ts';

opensAShop();

const { booksHold } = booksOf(() => api.orm);

describe('a refund with its caller’s totals', () => {
  test('is booked as it was sent: memo, order, line, history', async () => {
    const order = await sale();
    const answer = await refund({ ...oneMug(order), grand_total: 51.5, adjustment_negative: 2.5 });

    expect(answer).toMatchObject({
      status: 200,
      body: {
        order_id: order.orderId,
        state: 2,
        subtotal: 50,
        base_subtotal: 50,
        tax_amount: 4,
        shipping_amount: 0,
        adjustment: -2.5,
        grand_total: 51.5,
        base_grand_total: 51.5,
        items: [{ order_item_id: order.itemIds[0], qty: 1, row_total: 50, tax_amount: 4 }],
      },
    });
    const is = await orderOf(order);
    expect(is).toMatchObject({
      total_refunded: 51.5,
      total_offline_refunded: 51.5,
      tax_refunded: 4,
      state: 'complete',
    });
    expect(is.items[0]).toMatchObject({ qty_refunded: 1, amount_refunded: 50, tax_refunded: 4 });
    expect(is.status_histories[0]).toMatchObject({ comment: 'We refunded $51.50 offline.', entity_name: 'creditmemo' });
  });

  test('of everything closes the order; of parts, with other refunds between, too', async () => {
    const whole = await sale();
    await refund(bothMugs(whole));
    expect(await orderOf(whole)).toMatchObject({ state: 'closed', total_refunded: 108 });

    const parts = await sale();
    await refund(oneMug(parts));
    await call(`/V1/order/${parts.orderId}/refund`, {});
    expect(await orderOf(parts)).toMatchObject({ state: 'closed', total_refunded: 108 });
  });

  test('whose lines name no money leaves the lines’ registers true', async () => {
    const order = await sale();
    const items = [{ order_item_id: order.itemIds[0], qty: 1 }];
    await refund({ ...oneMug(order), items });
    expect((await orderOf(order)).items[0]).toMatchObject({ qty_refunded: 1, amount_refunded: 50, tax_refunded: 4 });
  });

  test('named in one currency is worked out in the other', async () => {
    const order = await sale({ storeId: 2, currency: 'CAD', rate: '1.36' });
    const { body } = await refund({ order_id: order.orderId, adjustment_positive: 13.6, grand_total: 13.6, items: [] });
    expect(body).toMatchObject({ base_grand_total: 10, grand_total: 13.6, base_adjustment: 10, items: [] });
  });

  test('gives the order’s credit back with it', async () => {
    const customerId = await aCustomerWithCredit(api.orm, '50');
    const order = await sale({ customerId, credits: [{ credit_type: 'store_credit', amount: 50 }] });
    await refund(bothMugs(order));
    expect(await walletOf(api.orm, customerId)).toBe('50.0000');
  });

  test('by the platform’s own client: its totals are kept though its lines do not add up to them', async () => {
    const order = await sale();
    const items = [{ order_item_id: order.itemIds[0], qty: 2, price: 50, row_total: 10, entity_id: null }];
    const totals = { subtotal: 108, grand_total: 108, base_grand_total: 108, tax_amount: null, adjustment: null };
    expect(await refund({ order_id: order.orderId, ...totals, items }, { offline_requested: true })).toMatchObject({
      status: 200,
      body: { subtotal: 108, grand_total: 108, tax_amount: 0 },
    });
    expect(await orderOf(order)).toMatchObject({ state: 'closed' });
  });

  test('counts towards the invoice it names, and the invoice gives that much less', async () => {
    const order = await sale({ method: 'provider_a' });
    await refund({ ...oneMug(order), invoice_id: order.invoiceId });
    const memo = (await call(`/V1/invoice/${order.invoiceId}/refund`, {})).body;
    expect(memo).toEqual(expect.any(Number));
    const { body } = await api.call('GET', `/V1/creditmemo/${memo}`, { token: api.tokens.register });
    expect(body).toMatchObject({ grand_total: 54, invoice_id: order.invoiceId });
  });

  test('asked for online of an offline method is booked by hand, as on the platform', async () => {
    const order = await sale();
    const { status } = await refund({ ...oneMug(order), invoice_id: order.invoiceId }, {});
    expect(status).toBe(200);
    expect(await orderOf(order)).toMatchObject({ total_offline_refunded: 54, total_online_refunded: 0 });
  });

  test.each([2, 8])('%i at once of everything are one memo', async (count) => {
    const order = await sale();
    const answers = await atOnce(count, () => refund(bothMugs(order)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await orderOf(order)).toMatchObject({ total_refunded: 108 });
  });

  test('sent again under its key is answered with the first memo', async () => {
    const order = await sale();
    const key = { 'Idempotency-Key': `totals-${order.orderId}` };
    const first = await refund(oneMug(order), undefined, key);
    expect((await refund(oneMug(order), undefined, key)).body.entity_id).toBe(first.body.entity_id);
    expect(await orderOf(order)).toMatchObject({ total_refunded: 54 });
  });
});

test('after all of it the books hold', async () => {
  await booksHold();
});
