import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startGatewaySimulator, type GatewaySimulator } from '../../local/simulators/app.ts';
import { placeOf, readConfiguration, taxPercentOf } from '../../client/configuration.ts';
import { valueOf } from '../../client/results.ts';
import { cash, stepsOfSale } from '../../client/sale.ts';
import { fromJsonText, type Shape } from '../../client/shapes.ts';
import { sumOf } from '../../client/totals.ts';
import { toWire } from '../../domain/money.ts';
import { aStaffMember, aTerminal, quickHash } from '../support/builders/counter.ts';
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
    const { orderId, saleId } = valueOf(
      await register.sell({
        lines: [counter.mug],
        payment: { ...cash, tendered: 80 },
        credits: [{ credit_type: 'gift_card', code, amount: 30 }],
      }),
    );
    // 108 less 30 are 78: the paper shows the credit, and the change of what was paid in cash.
    const receipt = await counter.books.findOne('pos_receipt', { pos_order_id: saleId });
    expect(receipt).toMatchObject({ grand_total: '108.0000', amount_tendered: '80.0000', change_due: '2.0000' });
    expect(JSON.parse(String(receipt['applied_credits']))).toEqual([
      { type: 'gift_card', amount: 30, code: `****${code.slice(-4)}` },
    ]);
    expect(JSON.parse(String(receipt['split_payments']))).toEqual([
      { method: 'cash', amount: 78, amount_tendered: 80 },
    ]);
    const payment = await counter.books.findOne('sales_order_payment', { order_id: orderId }, 'amount_ordered');
    expect(payment).toEqual({ amount_ordered: '78.0000' });
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

  test('paid with a card and with cash has both parts on its receipt, and the card takes back no more than its part', async () => {
    const register = counter.registerFor();
    const card = { method: 'provider_a', label: 'card', transactionId: `pay_${crypto.randomUUID()}` };
    const payment = [
      { ...cash, amount: 40, tendered: 50 },
      { ...card, amount: 68 },
    ];
    const sold = valueOf(await register.sell({ lines: [counter.mug], payment }));
    const receipt = await counter.books.findOne('pos_receipt', { pos_order_id: sold.saleId });
    expect(receipt).toMatchObject({
      ...{ payment_method: 'split', grand_total: '108.0000', amount_tendered: '50.0000', change_due: '10.0000' },
      terminal_payment_id: card.transactionId,
    });
    expect(JSON.parse(String(receipt['split_payments']))).toEqual([
      { method: 'cash', amount: 40, amount_tendered: 50 },
      { method: 'card', amount: 68, transaction_id: card.transactionId },
    ]);
    const booked = await counter.books.findOne('sales_order_payment', { order_id: sold.orderId });
    expect(booked).toMatchObject({ method: 'provider_a', amount_ordered: '68.0000', base_amount_ordered: '68.0000' });
    const [order] = await ordersOf(sold.saleId);
    expect(order).toMatchObject({ status: 'complete', total_paid: '108.0000' });
    const lines = [{ itemId: sold.itemIds[0]!, qty: 2 }];
    const back = await register.takeBack({ orderId: sold.orderId, lines, method: 'original_payment' });
    expect(back).toMatchObject({ kind: 'refused', outcome: 'card_took_less', parameters: { card_left: '68' } });
    await counter.books.booksHold();
  });

  test('whose parts, credits or cash do not fit is a mistake of the program, told before anything is stored', async () => {
    const register = counter.registerFor();
    const sell = async (sale: object) => register.sell({ lines: [counter.mug], payment: cash, ...sale });
    const card = { method: 'provider_a', transactionId: 'pay_1' };
    await expect(sell({ payment: { ...cash, tendered: 107.99 } })).rejects.toThrow('gave less cash');
    await expect(
      sell({
        payment: [
          { ...cash, amount: 40 },
          { ...card, amount: 67 },
        ],
      }),
    ).rejects.toThrow('not what is to be');
    await expect(
      sell({
        payment: [
          { ...cash, amount: 108 },
          { ...card, amount: 0 },
        ],
      }),
    ).rejects.toThrow('not above zero');
    await expect(sell({ payment: [] })).rejects.toThrow('needs a way of paying');
    await expect(sell({ credits: [{ credit_type: 'gift_card', code: 'X', amount: 109 }] })).rejects.toThrow(
      'more than',
    );
    await expect(sell({ creditDue: 108.01 })).rejects.toThrow('more than');
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
    const [receipt] = await counter.books.find('pos_receipt', { rma_id: back.returnId });
    expect(receipt).toMatchObject({
      ...{ sale_type: 'refund', payment_method: 'cash', grand_total: '54.0000', currency: 'USD' },
      original_order_increment_id: expect.any(String),
      credit_memo_id: expect.anything(),
    });
    const items = await counter.books.find(
      'pos_receipt_item',
      { receipt_id: receipt!['receipt_id'] },
      'sku',
      'name',
      'qty',
    );
    expect(items).toEqual([{ sku: counter.mug.sku, name: counter.mug.name, qty: '1.0000' }]);
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
    expect(
      await counter.books.find(
        'pos_receipt',
        { rma_id: parameters.return_id },
        'sale_type',
        'payment_method',
        'grand_total',
      ),
    ).toEqual([{ sale_type: 'refund', payment_method: 'cash', grand_total: '20.5100' }]);
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
    expect(valueOf(await register.payLayaway({ orderId, amount: 60, tendered: 60 }))).toMatchObject({
      owed: 0,
      status: 'ready_to_settle',
    });
    expect(valueOf(await register.handOver(orderId))).toEqual({ shipmentId: expect.any(Number) });
    const number = (await counter.books.findOne('sales_order', { entity_id: orderId }, 'increment_id'))['increment_id'];
    const printed = await counter.books.find(
      ...(['pos_receipt', { order_increment_id: number }, 'layaway_kind', 'layaway_amount_captured'] as const),
      ...(['layaway_total_paid', 'layaway_balance_owed', 'grand_total', 'change_due'] as const),
    );
    const row = (kind: string, captured: string, paid: string, owed: string, more: object) => ({
      ...{
        layaway_kind: kind,
        layaway_amount_captured: captured,
        layaway_total_paid: paid,
        layaway_balance_owed: owed,
      },
      ...more,
    });
    expect(printed).toEqual([
      row('deposit', '20.0000', '20.0000', '88.0000', { grand_total: '108.0000', change_due: null }),
      row('top_up', '38.0000', '58.0000', '50.0000', { grand_total: '38.0000', change_due: null }),
      row('settlement', '50.0000', '108.0000', '0.0000', { grand_total: '50.0000', change_due: '10.0000' }),
    ]);
    expect(await counter.books.findOne('sales_order', { entity_id: orderId }, 'status', 'total_paid')).toEqual({
      status: 'complete',
      total_paid: '108.0000',
    });
    await counter.books.booksHold();
  });
});

test('what is due later is collected with a receipt; the same payment again is one receipt', async () => {
  const register = counter.registerFor();
  const { orderId, number } = valueOf(
    await register.sell({ lines: [counter.mug], payment: { method: 'purchaseorder' }, creditDue: 108 }),
  );
  const payment = { orderId, amount: 60, tendered: 100, reference: crypto.randomUUID() };
  expect(valueOf(await register.payDue(payment))).toEqual({ amount: 60, remainingDue: 48 });
  expect(valueOf(await register.payDue(payment))).toEqual({ amount: 60, remainingDue: 48 });
  const query = { order_increment_id: number, layaway_kind: 'credit_due' };
  expect(await counter.books.find('pos_receipt', query)).toMatchObject([
    { layaway_amount_captured: '60.0000', layaway_balance_owed: '48.0000', change_due: '40.0000' },
  ]);
  expect(await register.payDue({ orderId, amount: 49 })).toMatchObject({ kind: 'refused', status: 400 });
  expect(await counter.books.find('pos_receipt', query)).toHaveLength(1);
  await counter.books.booksHold();
});

test('receipt and order of one sale have the same figures, however it is paid', () => {
  const body = (steps: readonly { name: string; body: string | null }[], name: string) =>
    JSON.parse(steps.find((one) => one.name === name)?.body ?? '{}');
  const prices = [0.01, 0.35, 7.77, 19.99, 33.33, 250];
  for (const [at, price] of prices.entries())
    for (const taxPercent of [0, 7, 8, 19])
      for (const paid of ['cash', 'split', 'credit', 'due'] as const) {
        const lines = [
          { ...counter.mug, qty: 3, price, taxPercent },
          { ...counter.mug, qty: 1, price: 5 + at, taxPercent, discount: 0.5 },
        ];
        const total = toWire(counter.registerFor().totals(lines).order.grandTotal);
        const part = Math.floor(total * 50) / 100;
        const steps = stepsOfSale(counter.place, {
          ...{ saleId: 'a-sale', lines },
          payment:
            paid === 'split'
              ? [
                  { ...cash, amount: part },
                  { method: 'card', transactionId: 'pay_1', amount: sumOf(total, -part) },
                ]
              : { ...cash, tendered: 2_000 },
          ...(paid === 'credit' ? { credits: [{ credit_type: 'gift_card', code: 'GIFT-1234', amount: part }] } : {}),
          ...(paid === 'due' ? { creditDue: part } : {}),
        });
        const { receipt } = body(steps, 'receipt');
        const { entity } = body(steps, 'order');
        for (const key of ['subtotal', 'tax_amount', 'grand_total']) expect(receipt[key]).toBe(entity[key]);
        expect(receipt.discount_amount).toBe(-entity.discount_amount);
        const taken: { amount: number }[] = receipt.split_payments ? JSON.parse(receipt.split_payments) : [];
        const credits: { amount: number }[] = receipt.applied_credits ? JSON.parse(receipt.applied_credits) : [];
        const other = paid === 'due' || paid === 'credit' ? part : 0;
        const paidNow = paid === 'split' ? total : sumOf(total, -other);
        if (taken.length > 0) expect(sumOf(...taken.map(({ amount }) => amount))).toBe(paidNow);
        expect(sumOf(...credits.map(({ amount }) => amount))).toBe(paid === 'credit' ? part : 0);
        if (paid !== 'split') expect(receipt.change_due).toBe(sumOf(2_000, -paidNow));
        expect(entity.payment.amount_ordered).toBe(paid === 'split' ? sumOf(total, -part) : paidNow);
      }
});

describe('the place of a register', () => {
  test('has the currency, the store view and the taxes of its location, whichever cashier signed in', async () => {
    const { api, books } = counter;
    const em = books.fork();
    const call = async (method: string, path: string, body?: object) => {
      const answer = await api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.body;
    };
    const rate = async (taxRate: object) => (await call('POST', '/V1/taxRates', { taxRate })).id;
    const ids = [
      await rate({ tax_country_id: 'CA', tax_region_id: 74, tax_postcode: '*', rate: 13, code: 'CA-ON' }),
      await rate({ tax_country_id: 'US', tax_region_id: 43, tax_postcode: '*', rate: 8, code: 'US-NY' }),
      await rate({ tax_country_id: 'US', tax_region_id: 0, tax_postcode: '*', rate: 1, code: 'US' }),
    ];
    await call('POST', '/V1/taxRules', {
      rule: {
        ...{ code: 'Goods', priority: 0, position: 0, customer_tax_class_ids: [3] },
        ...{ product_tax_class_ids: [2], tax_rate_ids: ids },
      },
    });
    const location = async (of: object) =>
      (await call('POST', '/V1/pos/locations', { location: { is_active: true, website_id: 1, ...of } })).location_id;
    const ontario = await location({
      ...{
        name: 'Riverside',
        code: 'riverside',
        street: '4 Riverside Walk',
        city: 'Niagara Falls',
        postcode: 'L2E 3K6',
      },
      ...{ country_id: 'CA', region_id: 74, store_view_id: 2 },
    });
    const newYork = await location({
      ...{ name: 'High Street', code: 'high', street: '12 High Street', city: 'Troy', postcode: '12180' },
      ...{ country_id: 'US', region_id: 43 },
    });
    const session = async (terminalId: number) => {
      const { email } = await aStaffMember(em, { passcodeHash: quickHash('135790') });
      const body = { email, passcode: '135790', terminalId };
      return valueOf(await counter.clientFor().post('/V1/pos/staff/authenticate', { body }));
    };
    const placeAt = async (locationId: number) => {
      const { terminalId } = await aTerminal(books.fork(), { locationId });
      const configuration = valueOf(await readConfiguration(counter.clientFor(), terminalId));
      return placeOf(configuration, await session(terminalId));
    };

    const there = await placeAt(ontario);
    expect(there).toMatchObject({
      ...{ locationId: ontario, storeId: 2, money: { currency: 'CAD', baseCurrency: 'USD', rate: '1.36' } },
      address: { city: 'Niagara Falls', countryId: 'CA' },
    });
    expect([taxPercentOf(there, 2), taxPercentOf(there, 9)]).toEqual([13, 0]);
    const here = await placeAt(newYork);
    expect(here).toMatchObject({ storeId: 1, money: { currency: 'USD' } });
    expect(taxPercentOf(here, 2)).toBe(8);

    const lines = [{ ...counter.mug, taxPercent: taxPercentOf(there, 2) }];
    const { saleId } = valueOf(await counter.registerFor({ place: there }).sell({ lines, payment: cash }));
    expect(await books.findOne('sales_order', { pos_sale_id: saleId })).toMatchObject({
      ...{ store_id: 2, order_currency_code: 'CAD', base_grand_total: '113.0000', grand_total: '153.6800' },
    });
    expect(await books.findOne('pos_receipt', { pos_order_id: saleId })).toMatchObject({
      ...{ currency: 'CAD', grand_total: '153.6800', location_id: ontario, order_increment_id: expect.any(String) },
    });
  });

  test('is not there for a terminal without a location: it must not sell', async () => {
    const { terminalId } = await aTerminal(counter.books.fork(), {});
    const terminal = fromJsonText(
      valueOf(await counter.clientFor().get('/V1/pos/terminals/{terminalId}/config', { path: { terminalId } })),
    );
    const rest = { storeId: 1, currency: { currency: 'USD', baseCurrency: 'USD', rate: '1' }, taxes: [] };
    const session = { staff_id: 1, staff: { first_name: 'Ada', last_name: 'Lovelace' } } as Shape<'StaffSession'>;
    expect(() => placeOf({ ...rest, terminal: { ...terminal, location: null } }, session)).toThrow('no location');
  });
});

test('the report of a session is sent once, and one that contradicts it leaves no job in the queue', async () => {
  const register = counter.registerFor();
  const times = { opened_at: '2026-11-28T08:00:00Z', closed_at: '2026-11-28T18:00:00Z' };
  const document = { tenders: [{ tender: 'cash', counted: 190.5, expected: 190.5 }] };
  const report = { session_id: crypto.randomUUID(), number: 1, ...times, document };
  const sent = valueOf(await register.sendReport(report));
  expect(sent.documentHash).toMatch(/^[0-9a-f]{64}$/);
  expect(valueOf(await register.sendReport(report))).toEqual(sent);
  expect(await register.sendReport({ ...report, document: {} })).toMatchObject({
    kind: 'refused',
    status: 409,
    parameters: { outcome: 'register_report_conflict' },
  });
  expect(await register.outbox.jobs()).toEqual([]);
});
