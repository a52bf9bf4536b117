import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { joinDay } from '../../../db/movements/join-day.ts';
import { money } from '../../../domain/money.ts';
import { aPostedLine, aPostedSale } from '../../support/builders/posted-sale.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { setGatewayMode } from '../../support/gateway-mode.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let flow: Flow;
let register: Register;

beforeAll(async () => {
  flow = await aFlow({ gatewayTimeoutSeconds: 2 });
  register = aRegister(flow);
  await setGatewayMode(flow.gateway, { slow_ms: 100, silence_ms: 4_000 });
});
afterAll(() => flow.close());

const { booksHold, find, wordsOf } = booksOf(() => flow.api.orm);

const admin = (method: string, path: string, body?: unknown) =>
  flow.api.call(method, path, { token: flow.api.tokens.admin, ...(body === undefined ? {} : { body }) });

interface Tender {
  method: string;
  amount: number;
  payment_id?: string;
}

/** One piece at 250 without tax, paid by these tenders, and returned: its refund is 250. */
async function aParkedReturn(tenders: readonly Tender[]) {
  const total = tenders.reduce((sum, { amount }) => sum + amount, 0);
  const money = (...names: string[]) =>
    Object.fromEntries(
      names.flatMap((name) => [
        [name, total],
        [`base_${name}`, total],
      ]),
    );
  const none = (...names: string[]) =>
    Object.fromEntries(
      names.flatMap((name) => [
        [name, 0],
        [`base_${name}`, 0],
      ]),
    );
  const entity = aPostedSale({
    ...money('subtotal', 'subtotal_incl_tax', 'grand_total'),
    ...none('tax_amount'),
    total_qty_ordered: 1,
    items: [
      aPostedLine({
        qty_ordered: 1,
        ...money('price', 'original_price', 'row_total', 'price_incl_tax', 'row_total_incl_tax'),
        ...none('tax_amount'),
        tax_percent: 0,
      }),
    ],
    payment: { method: 'provider_a', last_trans_id: `pay_${randomUUID()}` },
    extension_attributes: { pos_sale_id: randomUUID(), pos_tenders: tenders },
  });
  const { body: order } = await admin('POST', '/V1/orders', { entity });
  await admin('POST', `/V1/order/${order.entity_id}/invoice`, { capture: true });
  await admin('POST', `/V1/order/${order.entity_id}/ship`, {});
  const sale = { orderId: order.entity_id as number, itemId: order.items[0].item_id as number };
  const { body: rma } = await register.returnOne(sale, { refundMethod: 'terminal' });
  return { ...sale, rmaId: rma.id as number };
}

const card = (amount: number) => ({ method: 'provider_a', amount, payment_id: `pay_${randomUUID()}` });
const cash = (amount: number) => ({ method: 'cash', amount });

const settle = (rmaId: number, ...tenders: object[]) => register.settle(rmaId, { tenders });
const statesOf = (body: { tender_lines?: { state: string }[] }) => body.tender_lines?.map(({ state }) => state);
const calls = () => flow.gateway.ledger.calls.length;
const movementsOf = (orderId: number) =>
  find('pos_movement', { order_id: orderId, kind: 'refund' }, 'line', 'tender', 'amount');

describe('a settle by several tenders', () => {
  test('a card of 150 and 100 in cash go back by one settle, with one credit memo', async () => {
    const rma = await aParkedReturn([card(150), cash(100)]);
    const settled = await settle(rma.rmaId, { lineId: 1, amount: 150 }, { lineId: 2, amount: 100 });
    expect(settled).toMatchObject({
      status: 200,
      body: { status: 'closed', refund_method: 'original_payment', base_handback: 250, refund_attempt_state: 'booked' },
    });
    expect(statesOf(settled.body)).toEqual(['booked', 'booked']);
    expect(settled.body.tender_lines).toMatchObject([
      { line_id: 1, method: 'original_payment', paid: 150, refunded: 150, available: 0, proposed: 150 },
      { line_id: 2, method: 'cash', paid: 100, refunded: 100, available: 0, proposed: 100 },
    ]);
    expect(await register.memosOf(rma.orderId)).toHaveLength(1);
    expect(await movementsOf(rma.orderId)).toEqual([
      { line: 1, tender: 'card', amount: '-150.0000' },
      { line: 2, tender: 'cash', amount: '-100.0000' },
    ]);
    expect(await register.returnOf(rma.rmaId)).toEqual(settled.body);
    await booksHold();
  });

  test('the day counts the memo of several tenders once, and each tender by itself', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const joined = async () =>
      Object.fromEntries(
        (await joinDay(flow.api.orm.em.fork(), { day, locationIds: null })).map(({ term, amount }) => [term, amount]),
      );
    const rma = await aParkedReturn([card(50), cash(40)]);
    const before = await joined();
    await settle(rma.rmaId, { lineId: 1, amount: 50 }, { lineId: 2, amount: 40 });
    const after = await joined();
    expect((before['net_sales'] ?? 0) - (after['net_sales'] ?? 0)).toBe(money('90'));
    expect((before['payments'] ?? 0) - (after['payments'] ?? 0)).toBe(money('90'));
  });

  test('terminals with references, a card by hand and cash are one memo, and no gateway is called', async () => {
    const rma = await aParkedReturn([{ method: 'terminal', amount: 120 }, cash(130)]);
    const before = calls();
    const settled = await settle(
      rma.rmaId,
      { method: 'terminal', amount: 120, reference: 'T-1' },
      { method: 'manual_card', amount: 30, reference: 'M-1' },
      { method: 'cash', amount: 100 },
    );
    expect(settled).toMatchObject({ status: 200, body: { status: 'closed', refund_method: 'terminal' } });
    expect(calls()).toBe(before);
    expect((await movementsOf(rma.orderId)).map(({ amount }) => amount)).toEqual([
      '-120.0000',
      '-100.0000',
      '-30.0000',
    ]);
    await booksHold();
  });

  test.each([
    ['another sum', [{ lineId: 1, amount: 150 }], 'tenders_differ'],
    ['a line that is not there', [{ lineId: 7, amount: 250 }], 'tender_unknown'],
    [
      'more than the card took',
      [
        { lineId: 1, amount: 200 },
        { lineId: 2, amount: 50 },
      ],
      'tender_took_less',
    ],
    [
      'a line twice',
      [
        { lineId: 2, amount: 100 },
        { lineId: 2, amount: 150 },
      ],
      'tender_named_twice',
    ],
    [
      'cash through a gateway',
      [
        { lineId: 1, amount: 150 },
        { lineId: 2, method: 'original_payment', amount: 100 },
      ],
      'tender_without_gateway',
    ],
    [
      'a reference twice',
      [
        { method: 'terminal', amount: 100, reference: 'X' },
        { method: 'manual_card', amount: 150, reference: 'X' },
      ],
      'reference_twice',
    ],
  ])('%s is refused, and nothing is called', async (_case, tenders, outcome) => {
    const rma = await aParkedReturn([card(150), cash(100)]);
    const before = calls();
    const refused = await settle(rma.rmaId, ...tenders);
    expect(refused).toMatchObject({ status: 400, body: { parameters: { outcome } } });
    expect(calls()).toBe(before);
    expect((await register.returnOf(rma.rmaId)).status).toBe('awaiting_refund');
    await booksHold();
  });

  test('two cards of equal amounts each get their own back', async () => {
    const rma = await aParkedReturn([card(50), card(50)]);
    const unclear = await settle(rma.rmaId, { method: 'original_payment', amount: 100 });
    expect(unclear.body.parameters.outcome).toBe('tender_unclear');
    const settled = await settle(rma.rmaId, { lineId: 1, amount: 50 }, { lineId: 2, amount: 50 });
    expect(settled).toMatchObject({ status: 200, body: { status: 'closed' } });
    const keys = await find('refund_attempt', { order_id: rma.orderId }, 'idempotency_key', 'state', 'amount');
    expect(new Set(keys.map(({ idempotency_key: key }) => key)).size).toBe(2);
    expect(keys.every(({ idempotency_key: key }) => String(key).length <= 45)).toBe(true);
    await booksHold();
  });

  test('a decline ends the run; the lines that went back stay, and the rest may go back another way', async () => {
    const rma = await aParkedReturn([card(50), card(60), cash(40)]);
    flow.gateway.ledger.plan('approved', 1);
    flow.gateway.ledger.plan('declined', 1);
    const declined = await settle(
      rma.rmaId,
      { lineId: 1, amount: 50 },
      { lineId: 2, amount: 60 },
      { lineId: 3, amount: 40 },
    );
    expect(declined).toMatchObject({
      status: 400,
      body: { parameters: { outcome: 'tender_declined', return_id: rma.rmaId } },
    });
    expect(statesOf(declined.body.parameters)).toEqual(['refunded', 'declined', 'open']);
    await booksHold();

    for (const verb of ['close', 'cancel-refund'])
      expect(await register.call('POST', `/V1/pos/rma/${rma.rmaId}/${verb}`, {})).toMatchObject({
        status: 400,
        body: { parameters: { outcome: 'tender_line_refunded', line_id: 1 } },
      });
    expect(await register.settle(rma.rmaId, { method: 'cash' })).toMatchObject({
      status: 400,
      body: { parameters: { outcome: 'tender_line_refunded' } },
    });
    const other = await settle(rma.rmaId, { lineId: 2, amount: 60 }, { method: 'cash', amount: 90 });
    expect(other.body.parameters.outcome).toBe('settlement_fixed');
    const before = calls();
    const settled = await settle(rma.rmaId, { lineId: 1, amount: 50 }, { method: 'cash', amount: 100 });
    expect(settled).toMatchObject({ status: 200, body: { status: 'closed', refund_method: 'cash' } });
    expect(calls()).toBe(before);
    await booksHold();
  });

  test('a line whose answer is lost holds everything; found later, the next settle books without a call', async () => {
    const rma = await aParkedReturn([card(50), cash(40)]);
    flow.gateway.ledger.plan('lookup_unavailable', 1);
    const lines = [
      { lineId: 1, amount: 50 },
      { lineId: 2, amount: 40 },
    ];
    const uncertain = await settle(rma.rmaId, ...lines);
    expect(uncertain).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
    expect(statesOf(uncertain.body.parameters)).toEqual(['uncertain', 'open']);
    expect((await register.call('POST', `/V1/pos/rma/${rma.rmaId}/close`, {})).status).toBe(409);
    await booksHold();
    const attemptId: number = uncertain.body.parameters.refund_attempt_id;
    await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, {
      ...{ resolution: 'refunded', staffName: 'Ann', note: 'seen' },
    });
    expect((await register.returnOf(rma.rmaId)).status).toBe('awaiting_refund');
    expect(statesOf(await register.returnOf(rma.rmaId))).toEqual(['refunded', 'open']);
    await booksHold();
    const before = calls();
    expect(await settle(rma.rmaId, ...lines)).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect(calls()).toBe(before);
    await booksHold();
  });

  test('slow cards: cash is left out once no register waits, and the same settle books it without a call', async () => {
    const rma = await aParkedReturn([card(50.81), card(60.81), cash(40)]);
    await setGatewayMode(flow.gateway, { slow_ms: 1_750 });
    const lines = [
      { lineId: 1, amount: 50.81 },
      { lineId: 2, amount: 60.81 },
      { lineId: 3, amount: 40 },
    ];
    const before = calls();
    const late = await settle(rma.rmaId, ...lines);
    await setGatewayMode(flow.gateway, { slow_ms: 100 });
    expect(late).toMatchObject({
      status: 503,
      body: { parameters: { outcome: 'tenders_unfinished', return_id: rma.rmaId } },
    });
    expect(statesOf(late.body.parameters)?.at(-1)).toBe('open');
    expect((await register.returnOf(rma.rmaId)).status).toBe('awaiting_refund');
    await booksHold();
    expect(await settle(rma.rmaId, ...lines)).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect(calls() - before).toBe(2);
    await booksHold();
  });

  test('eight equal settles at once call each card once and book one memo', async () => {
    const rma = await aParkedReturn([card(50), card(60), cash(40)]);
    const before = calls();
    const lines = [
      { lineId: 1, amount: 50 },
      { lineId: 2, amount: 60 },
      { lineId: 3, amount: 40 },
    ];
    const answers = await eightAtOnce(() => settle(rma.rmaId, ...lines));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(calls() - before).toBe(2);
    expect(await register.memosOf(rma.orderId)).toHaveLength(1);
    await booksHold();
  });

  test('of two registers with different lines one wins, and the other is answered who settled it, and how', async () => {
    const rma = await aParkedReturn([card(50), cash(40)]);
    const answers = await Promise.all([
      settle(rma.rmaId, { lineId: 1, amount: 50 }, { lineId: 2, amount: 40 }),
      settle(rma.rmaId, { method: 'cash', amount: 90 }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const loser = answers.find(({ status }) => status === 409);
    expect(loser?.body).toMatchObject({ parameters: { outcome: 'settled_otherwise', return_id: rma.rmaId } });
    expect(await settle(rma.rmaId, { method: 'cash', amount: 91 })).toMatchObject({ status: 409 });
    expect(await wordsOf(rma.rmaId, 'comment')).not.toEqual([]);
    await booksHold();
  });

  test('one method asks no card for more than its tender took: the sentence names tenders', async () => {
    const rma = await aParkedReturn([card(150), cash(100)]);
    const before = calls();
    expect(await register.settle(rma.rmaId, { method: 'original_payment' })).toMatchObject({
      status: 400,
      body: {
        message: expect.stringContaining('Settle with tenders'),
        parameters: { outcome: 'card_took_less', card_took: '150', card_left: '150' },
      },
    });
    expect(calls()).toBe(before);
    const whole = await aParkedReturn([card(80)]);
    expect(await register.settle(whole.rmaId, { method: 'original_payment' })).toMatchObject({ status: 200 });
    await booksHold();
  });

  test('every new request checks its form: method or tenders, never both that differ', async () => {
    const rma = await aParkedReturn([card(50), cash(40)]);
    const lines = [
      { lineId: 1, amount: 50 },
      { lineId: 2, amount: 40 },
    ];
    expect((await register.settle(rma.rmaId, {})).status).toBe(400);
    expect(await register.settle(rma.rmaId, { method: 'cash', tenders: lines })).toMatchObject({
      status: 400,
      body: { parameters: { outcome: 'method_beside_tenders' } },
    });
    expect((await register.settle(rma.rmaId, { method: 'original_payment', tenders: lines })).status).toBe(200);
  });
});
