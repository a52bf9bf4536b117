import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startGatewaySimulator, type GatewaySimulator } from '../../local/simulators/app.ts';
import { valueOf } from '../../client/results.ts';
import { cash } from '../../client/sale.ts';
import type { Made } from '../../client/register.ts';
import { aGiftCard } from '../support/builders/gift-card.ts';
import { nameGatewayKeys } from '../support/flow.ts';
import { aCounter, type Counter } from './a-counter.ts';

let counter: Counter;
let gateway: GatewaySimulator;
beforeAll(async () => {
  gateway = await startGatewaySimulator({ port: 0 });
  counter = await aCounter({ settings: { GATEWAY_SIMULATOR_URL: gateway.url, GATEWAY_TIMEOUT_SECONDS: '2' } });
  await nameGatewayKeys(counter.api);
});
afterEach(() => {
  counter.line.plan([]);
  counter.line.up();
});
afterAll(async () => {
  await counter.close();
  await gateway.stop();
});

const ordersOf = (saleId: string) =>
  counter.books.find('sales_order', { pos_sale_id: saleId }, 'entity_id', 'status', 'grand_total', 'total_paid');

describe('a sale', () => {
  test('is a receipt, an order, its invoice and its shipment, in this order, with every figure worked out', async () => {
    const before = counter.line.exchanges.length;
    const sold = valueOf(
      await counter.registerFor().sell({ lines: [counter.mug], payment: { ...cash, tendered: 110 } }),
    );
    expect(counter.line.exchanges.slice(before).map(({ path }) => path.split('?')[0])).toEqual([
      '/V1/pos/receipts',
      '/V1/orders',
      `/V1/order/${sold.orderId}/invoice`,
      `/V1/order/${sold.orderId}/ship`,
    ]);
    expect(sold).toMatchObject({ grandTotal: 108, number: expect.any(String), itemIds: [expect.any(Number)] });
    const [order] = await ordersOf(sold.saleId);
    expect(order).toMatchObject({ status: 'complete', grand_total: '108.0000', total_paid: '108.0000' });
    const receipt = await counter.books.findOne('pos_receipt', { pos_order_id: sold.saleId });
    expect(receipt).toMatchObject({ order_increment_id: sold.number, change_due: '2.0000', grand_total: '108.0000' });
    await counter.books.booksHold();
  });

  test('in another currency has base amounts by the rate, and tax is rounded once for each row in each', async () => {
    const place = { storeId: 2, money: { currency: 'CAD', baseCurrency: 'USD', rate: '1.36' } };
    const lines = [
      { ...counter.mug, qty: 3, price: 0.35, discount: 0.1 },
      { sku: 'PLATE', name: 'Plate', qty: 1, price: 33.33, taxPercent: 19 },
    ];
    const { saleId } = valueOf(await counter.registerFor({ place }).sell({ lines, payment: cash }));
    const order = await counter.books.findOne('sales_order', { pos_sale_id: saleId });
    // 1.05 less 0.10 and 33.33, with 0.08 and 6.33 tax; in CAD 1.44 less 0.14 and 45.33, with 0.10 and 8.61 tax.
    expect(order).toMatchObject({
      ...{
        base_subtotal: '34.3800',
        base_discount_amount: '-0.1000',
        base_tax_amount: '6.4100',
        base_grand_total: '40.6900',
      },
      ...{ subtotal: '46.7700', discount_amount: '-0.1400', tax_amount: '8.7100', grand_total: '55.3400' },
      ...{ total_paid: '55.3400', status: 'complete' },
    });
    await counter.books.booksHold();
  });

  test('whose goods go out later has no shipment yet', async () => {
    const { orderId } = valueOf(
      await counter.registerFor().sell({ lines: [counter.mug], payment: cash, isHandedOverLater: true }),
    );
    expect(await counter.books.howMany('sales_shipment', { order_id: orderId })).toBe(0);
    expect(await counter.books.findOne('sales_order', { entity_id: orderId }, 'status')).toEqual({
      status: 'processing',
    });
  });

  test('is partly paid by a gift card, as far as the service said that it may', async () => {
    const code = await aGiftCard(counter.books.fork(), { amount: '30' });
    const register = counter.registerFor();
    const { max_amount: most } = valueOf(await register.credit({ type: 'gift_card', code }, [counter.mug]));
    expect(most).toBe(30);
    const { orderId } = valueOf(
      await register.sell({
        lines: [counter.mug],
        payment: cash,
        credits: [{ credit_type: 'gift_card', code, amount: 30 }],
      }),
    );
    expect(await counter.books.findOne('gift_card', { code }, 'balance')).toEqual({ balance: '0.0000' });
    expect(await counter.books.findOne('sales_order', { entity_id: orderId }, 'status')).toEqual({
      status: 'complete',
    });
  });

  test('that the service refuses is told with its sentence, and waits for a person', async () => {
    const told: string[] = [];
    const register = counter.registerFor({ onConflict: ({ conflict }) => told.push(conflict.sentence) });
    const made = await register.sell({
      lines: [counter.mug],
      payment: cash,
      credits: [{ credit_type: 'gift_card', code: 'NO-SUCH-CARD', amount: 5 }],
    });
    expect(made).toMatchObject({ kind: 'refused', status: 400 });
    expect(told).toEqual([expect.stringContaining('Not paid with')]);
    const [job] = await register.outbox.jobs();
    await register.outbox.drop(job!.seq);
    expect(await register.outbox.jobs()).toEqual([]);
  });

  test('of what is no amount or no quantity is a mistake of the program, told before anything is stored', () => {
    const { totals } = counter.registerFor();
    expect(() => totals([{ ...counter.mug, price: 1.23456 }])).toThrow('1.23456 is no amount');
    expect(() => totals([{ ...counter.mug, qty: 0 }])).toThrow('0 is no quantity');
    expect(() => totals([{ ...counter.mug, taxPercent: Number.NaN }])).toThrow('NaN is not a percentage');
  });
});

describe('goods that come back', () => {
  test('for cash are one return that is settled, and the cashier hears what to hand out', async () => {
    const register = counter.registerFor();
    const { orderId, itemIds } = valueOf(await register.sell({ lines: [counter.mug], payment: cash }));
    const back = valueOf(
      await register.takeBack({ orderId, lines: [{ itemId: itemIds[0]!, qty: 1 }], method: 'cash' }),
    );
    expect(back).toMatchObject({ status: 'closed', baseHandback: 54 });
    expect(await counter.books.howMany('sales_creditmemo', { order_id: orderId })).toBe(1);
    await counter.books.booksHold();
  });

  test('to a card whose answer is lost are a doubt, and the same job ends when somebody knows', async () => {
    const doubts: number[] = [];
    const register = counter.registerFor({ onDoubt: ({ doubt }) => doubts.push(Number(doubt.refundAttemptId)) });
    // The cents 73 are a refund whose answer is lost, and that cannot be looked up.
    const lines = [{ ...counter.mug, qty: 1, price: 20.73, taxPercent: 0 }];
    const payment = { method: 'provider_a', transactionId: `pay_${crypto.randomUUID()}` };
    const { orderId, itemIds } = valueOf(await register.sell({ lines, payment }));
    const made = await register.takeBack({
      ...{ orderId, lines: [{ itemId: itemIds[0]!, qty: 1 }], method: 'original_payment' },
    });
    expect(made).toMatchObject({
      kind: 'uncertain',
      returnId: expect.any(Number),
      refundAttemptId: expect.any(Number),
    });
    expect(whatToDo(made)).toBe('Hand nothing out.');

    await register.outbox.send();
    expect(await register.outbox.jobs()).toMatchObject([{ doubt: { kind: 'uncertain' } }]);
    expect(new Set(doubts).size).toBe(1);
    const { status } = await counter.api.call('POST', `/V1/pos/rma/refund-attempts/${doubts[0]}/resolve`, {
      token: counter.api.tokens.admin,
      body: { resolution: 'refunded', staffName: 'Olga', note: 'seen in the portal' },
    });
    expect(status).toBe(200);
    await register.outbox.send();
    expect(await register.outbox.jobs()).toEqual([]);
    expect(await counter.books.howMany('sales_creditmemo', { order_id: orderId })).toBe(1);
    expect(gateway.ledger.refunds.filter(({ state }) => state === 'refunded')).toHaveLength(1);
  });

  test('to a card that says no are parked, and settled in cash by the id that the refusal names', async () => {
    const register = counter.registerFor();
    const lines = [{ ...counter.mug, qty: 1, price: 20.51, taxPercent: 0 }];
    const payment = { method: 'provider_a', transactionId: `pay_${crypto.randomUUID()}` };
    const { orderId, itemIds } = valueOf(await register.sell({ lines, payment }));
    const made = await register.takeBack({
      ...{ orderId, lines: [{ itemId: itemIds[0]!, qty: 1 }], method: 'original_payment' },
    });
    expect(made).toMatchObject({ kind: 'refused', outcome: 'gateway_refused' });
    const parameters = made.kind === 'refused' ? Object(made.parameters) : {};
    const settled = valueOf(await register.settle(parameters.return_id, { method: 'cash' }));
    expect(settled).toMatchObject({ returnId: parameters.return_id, status: 'closed', baseHandback: 20.51 });
  });
});

/** The compiler asks for every case: without the one of the doubt this would not be a text. */
function whatToDo(made: Made<unknown>): string {
  switch (made.kind) {
    case 'done':
      return 'Hand the cash out.';
    case 'waiting':
      return 'Wait.';
    case 'uncertain':
      return 'Hand nothing out.';
    case 'answer_not_kept':
      return 'It is done. Read what it told in the record.';
    case 'refused':
    case 'dropped':
    case 'signed_out':
      return made.sentence;
  }
}

describe('a layaway', () => {
  test('is placed with its deposit, paid off and handed over; a payment that is sent twice counts once', async () => {
    const register = counter.registerFor();
    counter.line.plan([{ path: /payments$/, times: 1, fault: { kind: 'answer_lost' } }]);
    const { orderId } = valueOf(await register.layaway({ lines: [counter.mug], payment: cash, deposit: 20 }));
    const first = { orderId, amount: 38, reference: crypto.randomUUID() };
    expect(valueOf(await register.payLayaway(first))).toEqual({ captured: 58, owed: 50, status: 'open' });
    expect(valueOf(await register.payLayaway(first))).toEqual({ captured: 58, owed: 50, status: 'open' });
    // Too early is refused, and nothing waits behind it.
    expect(await register.handOver(orderId)).toMatchObject({ kind: 'refused', status: 400 });
    expect(valueOf(await register.payLayaway({ orderId, amount: 50 }))).toMatchObject({
      owed: 0,
      status: 'ready_to_settle',
    });
    expect(valueOf(await register.handOver(orderId))).toEqual({ shipmentId: expect.any(Number) });
    expect(await counter.books.findOne('sales_order', { entity_id: orderId }, 'status', 'total_paid')).toEqual({
      status: 'complete',
      total_paid: '108.0000',
    });
    await counter.books.booksHold();
  });
});
