import { beforeAll, describe, expect, test } from '@jest/globals';
import { english } from '../../../books/explain/english-story.ts';
import { explainOrder } from '../../../books/explain/explain-order.ts';
import { explainRefund, explainReturn } from '../../../books/explain/explain-refund.ts';
import { german } from '../../../books/explain/german-story.ts';
import {
  waysOnForAttempt,
  waysOnForReturn,
  type ProcessRow,
  type AttemptRow,
  type ReturnRow,
} from '../../../books/explain/sale-rows.ts';
import { attemptEvents } from '../../../books/explain/refund-events.ts';
import { wayText } from '../../../books/explain/story.ts';
import { renderStory } from '../../../books/explain/render-story.ts';
import { concludeCreditRefund, reserveCreditRefund } from '../../../db/credits/reserve-credit-refund.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { findDuePoints, settlePointsOfOrder } from '../../../db/reward-points/settle-points-of-order.ts';
import { money } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { refundAttemptStates } from '../../../domain/refunds/refund-finding.ts';
import { openStatuses, terminalStatuses } from '../../../domain/returns/return-status.ts';
import { booksOf } from '../../support/books.ts';
import { aCustomerWithCredit, aGiftCard } from '../../support/builders/credit.ts';
import { aDayOfSales } from '../../support/builders/day-of-sales.ts';
import { aLayaway, anOrderOnCredit } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCreditFromOutside, aSpendingOutside } from '../../support/builders/spending.ts';
import { firstId, idsBefore } from '../../support/first-id.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

describe('explain credits', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const { fork } = booksOf(() => orm);

  async function aReturnOnCredit(refundMethod: 'cash' | 'original_payment') {
    const customerId = await aCustomerWithCredit(orm, '40');
    const code = await aGiftCard(orm, '20');
    const credits = [
      { credit_type: 'store_credit', amount: 40 },
      { credit_type: 'gift_card', code, amount: 20 },
    ];
    const rma = await aReturn(orm, { locationId, refundMethod, order: { customerId, credits } });
    await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: () => true });
    return { ...rma, code };
  }

  test('an order and its return say what went back to which credit, and never show a card’s code', async () => {
    const { orderId, returnId, code } = await aReturnOnCredit('cash');
    await bookSettlement(orm.em, { returnId, method: 'cash', options: plainSettlement, requestId: 'r' });
    const [order, rma] = [
      renderStory(await explainOrder(fork(), String(orderId))),
      renderStory(await explainReturn(fork(), String(returnId))),
    ];
    for (const story of [order, rma]) {
      expect(story).toContain('40.00 USD was paid with store credit; 20.00 USD of it is back.');
      expect(story).toContain(`20.00 USD was paid with gift card ****${code.slice(-4)}; 10.00 USD of it is back.`);
      expect(story).toMatch(
        /Money went back to store credit with credit memo \d+\.\n +20\.00 USD · workflow return-\d+/,
      );
      expect(story).not.toContain(code);
    }
    expect(order).toContain('Paid with credit (store_credit)');
  });

  test('an order that was paid with credit kept outside names its keeper, and the number it has there', async () => {
    const { orderId } = await anOrder(fork(), {});
    const { spending_id: id, name_tail: tail } = await aSpendingOutside(orm, { order_id: orderId });
    const named = ['credit-spending', id, tail].filter((part) => part !== null);
    await aCreditFromOutside(orm, orderId, { spend_key: named.join('-') });
    const story = renderStory(await explainOrder(fork(), String(orderId)));
    expect(story).toContain(
      '30.00 USD was paid with gift card ****1234; nothing of it is back. credit_service took it as spend_7.',
    );
  });

  test('a refund under way says what goes back as credit beside it', async () => {
    const { orderId, returnId } = await aReturnOnCredit('original_payment');
    const story = renderStory(await explainReturn(fork(), String(returnId)));
    expect(story).toMatch(/Refund attempt \d+ was recorded.* In addition, 30\.00 USD goes back as credit\./);
    expect(story).toContain('nothing of it is back, 20.00 USD is promised to refunds under way.');
    expect(renderStory(await explainOrder(fork(), String(orderId)))).toContain('24.00 USD');
  });

  test('an order says which points it earned and lost, and what was refunded to which balance', async () => {
    await pointsOn(fork());
    const sweep = async () => {
      for (const orderId of await findDuePoints(fork())) await settlePointsOfOrder(fork(), orderId);
    };
    const sale = await anOrder(fork(), { customerId: await aCustomerWithCredit(orm, '1') });
    await sweep();
    await refundPieces(fork(), sale, 1);
    await sweep();
    const code = await aGiftCard(orm, '20');
    const reserve = (kind: 'store_credit' | 'gift_card' | 'reward_points') =>
      reserveCreditRefund(fork(), {
        orderId: sale.orderId,
        kind,
        providerCode: kind,
        baseCurrencyCode: 'USD',
        websiteId: 1,
        customerId: null,
        code: kind === 'gift_card' ? code : null,
        amount: money('10'),
        reason: 'Refund',
        requestKey: null,
      });
    const [given, refused, open] = [
      await reserve('gift_card'),
      await reserve('reward_points'),
      await reserve('store_credit'),
    ];
    await concludeCreditRefund(fork(), { refundId: given.refundId, state: 'booked' });
    await concludeCreditRefund(fork(), {
      refundId: refused.refundId,
      state: 'failed',
      message: 'No such account.',
    });

    const story = renderStory(await explainOrder(fork(), String(sale.orderId)));

    for (const text of [
      '100 reward points were earned.',
      '50 reward points were voided for what was refunded.',
      `Refund ${given.refundId} to gift card ****${code.slice(-4)} was given.`,
      `Refund ${refused.refundId} to reward points was not given: No such account.`,
      `Refund ${open.refundId} to store credit is reserved; its provider did not say whether it was given`,
    ])
      expect(story).toContain(text);
    expect(story).not.toContain(code);
  });
});

describe('explain', () => {
  const orm = useDatabase();
  let day: Awaited<ReturnType<typeof aDayOfSales>>;

  beforeAll(async () => {
    day = await aDayOfSales(orm.em.fork());
  });

  const em = () => orm.em.fork();
  const third = firstId + 2;
  /** With the ids of a shop that has just opened. */
  const shown = (story: Parameters<typeof renderStory>[0]) =>
    renderStory(story).replaceAll(/\b50{6,8}(\d+)\b/g, (id) => String(Number(id) - idsBefore));

  test('a return refunded at the second try', async () => {
    expect(shown(await explainReturn(em(), `${firstId}`))).toMatchInlineSnapshot(`
"Return 000000001: Closed
  Of order 000000001: 2 × Mug (MUG).
  Paid by provider_a, payment pay-1.
  Register sale sale-1.
  The money goes back by original_payment.

2026-11-20 (UTC)
  09:06:00  Return 000000001 was made: 1 × Mug (MUG), because "Too small"; register sale return-of-000000001.
            by High Street · workflow return-1
  09:07:00  1 × MUG, pristine, came in and went to source "floor".
            workflow return-1
  09:08:00  Said: "Handed in by the buyer."
            by Ada · workflow return-1
  09:09:00  Refund attempt 1 was recorded before the gateway was called: through "provider_a", key return-1-1.
            54.00 USD · workflow return-1
  09:09:00  The gateway was asked, once, to answer by 09:09:20.
            workflow return-1
  09:09:00  No money moved (declined: The card was declined.). Attempt 1 failed.
            workflow return-1
  09:10:00  Refund attempt 2 was recorded before the gateway was called: through "provider_a", key return-1-2.
            54.00 USD · workflow return-1
  09:10:00  The gateway was asked, once, to answer by 09:10:20.
            workflow return-1
  09:11:00  The gateway refunded, its reference gw-1. Attempt 2 is booked.
            workflow return-1
  09:11:00  Credit memo 000000001 was booked for 1 × MUG (goods 50.00 USD, tax 4.00 USD), through the gateway.
            54.00 USD · workflow return-1
  09:11:00  status changed from "awaiting_refund" to "closed".
            by Ada · workflow return-1

total 108.00 USD · paid 108.00 USD · still due 0.00 USD · refunded 54.00 USD

What can be done next
  - Nothing: this return is over."
`);
  });

  test('a return that waits for its refund at the register', async () => {
    expect(shown(await explainReturn(em(), '000000002'))).toMatchInlineSnapshot(`
"Return 000000002: Awaiting Refund
  Of order 000000002: 2 × Mug (MUG).
  Paid by cash.
  Register sale sale-2.
  The money goes back by cash.

2026-11-20 (UTC)
  09:15:00  Return 000000002 was made: 1 × Mug (MUG), because "Too small"; register sale return-of-000000002.
            by High Street · workflow return-2
  09:16:00  1 × MUG, pristine, came in and went to source "floor".
            workflow return-2
  09:17:00  Said: "Handed in by the buyer."
            by Ada · workflow return-2

total 108.00 USD · paid 108.00 USD · still due 0.00 USD · refunded 0.00 USD

What can be done next
  - Give the money back: POST /V1/pos/rma/2/settle with a method (cash, terminal, original_payment …).
  - Keep the goods and cancel the refund: POST /V1/pos/rma/2/cancel-refund.
  - Hand the goods back without a refund: POST /V1/pos/rma/2/close."
`);
  });

  test('a refund whose answer was lost', async () => {
    expect(shown(await explainRefund(em(), `refund-attempt-${day.uncertain.attemptId}`))).toMatchInlineSnapshot(`
"Refund attempt 3: uncertain
  Of order 000000003: 2 × Mug (MUG).
  Paid by provider_b, payment pay-3.
  Register sale sale-3.
  For return 000000003, now Awaiting Refund.

2026-11-20 (UTC)
  09:24:00  Refund attempt 3 was recorded before the gateway was called: through "provider_b", key return-3-1.
            54.00 USD · workflow return-3
  09:24:00  The gateway was asked, once, to answer by 09:24:20.
            workflow return-3
  09:24:00  It is not known whether the money went back (timeout: No answer within 20 s.). Attempt 3 is uncertain.
            workflow refund-attempt-3

total 108.00 USD · paid 108.00 USD · still due 0.00 USD · refunded 0.00 USD · promised to refunds under way 54.00 USD

What can be done next
  - Ask the gateway again: npm run pos -- refunds reconcile 3
  - Look at the gateway's own page or statement; if the money went back: npm run pos -- refunds resolve 3 refunded --staff NAME --note TEXT
  - If it did not: npm run pos -- refunds resolve 3 not_refunded --staff NAME --note TEXT
  - Until then nothing else of this return is refunded. The service asks the gateway again automatically: soon, then hourly, then daily."
`);
  });

  test('in German each part of a story is told in German, sums with it', async () => {
    const inGerman = { w: german };
    const [order, rma, refund] = [
      await explainOrder(em(), '000000001', inGerman),
      await explainReturn(em(), '000000002', inGerman),
      await explainRefund(em(), `refund-attempt-${day.uncertain.attemptId}`, inGerman),
    ];
    expect([order.title, rma.title, refund.title]).toEqual([
      'Bestellung 000000001: fertig',
      'Rückgabe 000000002: Wartet auf die Erstattung',
      `Erstattung ${third}: im Zweifel`,
    ]);
    const told = [order, rma, refund].flatMap(({ facts, events, totals, next }) => [
      ...facts,
      ...events.map(({ what }) => what),
      ...totals.map(({ what, amount }) => `${what} ${amount}`),
      ...next,
    ]);
    for (const sentence of [
      'Bestellung 000000001 wurde aufgegeben: 2 × Mug (MUG).',
      'Summe 108,00 USD',
      `Es ist nicht bekannt, ob das Geld zurückging (timeout: No answer within 20 s.). Erstattung ${third} ist im Zweifel.`,
    ])
      expect(told).toContain(sentence);
    // What people and processors said stays as they said it, and a route has one name.
    const ours = told.map((text) => text.replaceAll(/„[^“]*“|\([^)]*\)|npm run.*|return-of-\d+|(?:POST|PUT) \S+/g, ''));
    for (const text of ours) expect(text).not.toMatch(/\b(?:the|was|with|of|and|is|it|to)\b/i);
  });

  test('a whole order', async () => {
    expect(shown(await explainOrder(em(), '000000001'))).toMatchInlineSnapshot(`
"Order 000000001: complete
  Paid by provider_a, payment pay-1.
  Register sale sale-1.

2026-11-20 (UTC)
  09:03:00  Order 000000001 was placed: 2 × Mug (MUG).
            108.00 USD
  09:03:00  Receipt 1 was stored.
  09:03:00  The order's history says: "Sale at High Street."
  09:04:00  Invoice 000000001 was made.
            108.00 USD
  09:04:00  Paid, reference invoice-000000001.
            108.00 USD
  09:05:00  2 × MUG left source "floor" (shipment 000000001).
  09:06:00  Return 000000001 was made: 1 × Mug (MUG), because "Too small"; register sale return-of-000000001.
            by High Street · workflow return-1
  09:07:00  1 × MUG, pristine, came in and went to source "floor".
            workflow return-1
  09:08:00  Said: "Handed in by the buyer."
            by Ada · workflow return-1
  09:09:00  Refund attempt 1 was recorded before the gateway was called: through "provider_a", key return-1-1.
            54.00 USD · workflow return-1
  09:09:00  The gateway was asked, once, to answer by 09:09:20.
            workflow return-1
  09:09:00  No money moved (declined: The card was declined.). Attempt 1 failed.
            workflow return-1
  09:10:00  Refund attempt 2 was recorded before the gateway was called: through "provider_a", key return-1-2.
            54.00 USD · workflow return-1
  09:10:00  The gateway was asked, once, to answer by 09:10:20.
            workflow return-1
  09:11:00  The order's history says: "We refunded $54.00 online. Transaction ID: "gw-1""
  09:11:00  The gateway refunded, its reference gw-1. Attempt 2 is booked.
            workflow return-1
  09:11:00  Credit memo 000000001 was booked for 1 × MUG (goods 50.00 USD, tax 4.00 USD), through the gateway.
            54.00 USD · workflow return-1
  09:11:00  status changed from "awaiting_refund" to "closed".
            by Ada · workflow return-1

total 108.00 USD · paid 108.00 USD · still due 0.00 USD · refunded 54.00 USD

What can be done next
  - Nothing needs to be done."
`);
  });

  test('a story is told in order of time, each thing with who and where', async () => {
    const { events } = await explainOrder(em(), `${firstId}`);

    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted());
    expect(events.find(({ who }) => who === 'Ada')).toEqual({
      at: '2026-11-20T09:08:00.000Z',
      who: 'Ada',
      what: 'Said: "Handed in by the buyer."',
      amount: null,
      workflow: `return-${firstId}`,
    });
  });

  test('ids, numbers and workflow ids name the same thing', async () => {
    const story = await explainReturn(em(), `${third}`);

    for (const name of ['000000003', `return-${third}`, ` ${third} `])
      expect(await explainReturn(em(), name)).toEqual(story);
    expect(await explainOrder(em(), `layaway-${firstId}`)).toEqual(await explainOrder(em(), `${firstId}`));
    expect((await explainRefund(em(), '000000001')).title).toBe(`Refund attempt ${firstId + 1}: booked`);
  });

  test('the workflow id of one thing is never told as another with its number', async () => {
    await expect(explainOrder(em(), `return-${firstId}`)).rejects.toMatchObject({ status: 404 });
    await expect(explainReturn(em(), `refund-attempt-${firstId}`)).rejects.toMatchObject({ status: 404 });
    await expect(explainRefund(em(), `return-${firstId}`)).rejects.toMatchObject({ status: 404 });
  });

  test('an unknown order, return or refund is refused', async () => {
    await expect(explainOrder(em(), '999')).rejects.toMatchObject({ status: 404, parameters: ['999'] });
    await expect(explainReturn(em(), 'return-')).rejects.toMatchObject({ status: 404 });
    await expect(explainRefund(em(), '99999999999999999999')).rejects.toMatchObject({ status: 404 });
  });
});

describe('ways on order', () => {
  opensAShop();

  const { invoicesOf, fork, change, insert } = booksOf(() => orm);
  const invoiceOf = async (orderId: number) => (await invoicesOf(orderId, 'entity_id'))[0]!.entity_id;
  const story = (orderId: number) => explainOrder(fork(), String(orderId));
  const waysOn = async (orderId: number) => (await story(orderId)).next;

  const theWrap = { sku: 'WRAP', qty: 1, price: '5', isVirtual: true };

  test('what is left to be paid and handed over is told with the requests that do it', async () => {
    const { orderId } = await anOrder(fork(), { paid: false, shipped: false });

    expect(await waysOn(orderId)).toEqual([
      `Take the 108.00 USD still to be paid: POST /V1/order/${orderId}/invoice.`,
      `Hand over 2 × MUG: POST /V1/order/${orderId}/ship.`,
    ]);
  });

  test('virtual goods are never handed over', async () => {
    const wrapped = await anOrder(fork(), {
      lines: [theWrap, { sku: 'MUG', qty: 1.5, price: '50', isQtyDecimal: true }],
      shipped: false,
    });
    const { orderId } = await anOrder(fork(), { lines: [theWrap], shipped: false });

    expect(await waysOn(wrapped.orderId)).toEqual([`Hand over 1.5 × MUG: POST /V1/order/${wrapped.orderId}/ship.`]);
    expect(await waysOn(orderId)).toEqual(['Nothing needs to be done.']);
  });

  test.each([
    ['holded', 'POST /V1/orders/'],
    ['payment_review', 'under review'],
  ])('no step says to pay or to hand over an order that is %s: both would be refused', async (state, why) => {
    const { orderId } = await anOrder(fork(), { paid: false, shipped: false });
    await change('sales_order', { entity_id: orderId }, { state, status: state });

    expect(await waysOn(orderId)).toEqual([expect.stringContaining(why)]);
  });

  test('an open invoice is paid, no second one is made', async () => {
    const { orderId } = await anOrderOnCredit(fork(), '108');
    await change('sales_order', { entity_id: orderId }, { pos_credit_due: null });
    await change('sales_invoice', { order_id: orderId }, { state: 1 });
    const invoiceId = await invoiceOf(orderId);

    const ways = await waysOn(orderId);

    expect(ways).toContainEqual(expect.stringMatching(`108.00 USD.*: POST /V1/invoices/${invoiceId}/capture`));
    expect(ways.join()).not.toContain(`/V1/order/${orderId}/invoice`);
  });

  test('what no invoice can take is not asked for', async () => {
    const { orderId } = await anOrder(fork());
    await change('sales_order', { entity_id: orderId }, { total_paid: 100, base_total_paid: 100 });

    expect(await waysOn(orderId)).toEqual(['Nothing needs to be done.']);
  });

  test('an uncertain refund without a return waits for an operator', async () => {
    const { orderId } = await anOrder(fork());
    const { attempt_id: id } = await insert('refund_attempt', {
      ...{ order_id: orderId, payment_method: 'provider_a', channel: 'original', state: 'uncertain' },
      ...{ base_amount: 54, amount: 54, base_credited: 0, credited: 0, currency_code: 'USD' },
      ...{ idempotency_key: 'process-1-54', plan: '{}', created_at: new Date(), updated_at: new Date() },
    });

    const ways = (await waysOn(orderId)).join('\n');

    expect(ways).toContain(`Refund attempt ${id}: Ask the gateway again: npm run pos -- refunds reconcile ${id}`);
    expect(ways).not.toMatch(/Nothing waits|of this return/);
  });

  test('a run that was refused says why, with what it was refused for', async () => {
    const { orderId } = await anOrder(fork());
    await insert('return_process', {
      order_id: orderId,
      request_key: 'sale-7',
      resolution: 'refund',
      is_online: false,
      state: 'refused',
      refusal: '{"status":400,"message":"No customer has the id %1.","parameters":[77]}',
    });

    expect((await story(orderId)).events.map(({ what }) => what)).toContainEqual(
      expect.stringContaining('ended refused: "No customer has the id 77."'),
    );
  });

  test('a layaway that owes nothing asks for no payment and no cancellation, whatever its status says', async () => {
    const { orderId } = await aLayaway(fork(), { expiresAt: new Date('2027-01-31T00:00:00Z') });
    await change('sales_order', { entity_id: orderId }, { total_paid: 108, base_total_paid: 108 });
    const invoiceId = await invoiceOf(orderId);

    const { facts, next } = await story(orderId);

    expect(facts).toContain('A layaway, open: paid in full.');
    expect(next).toEqual([
      `Settle it: pay its open invoice: POST /V1/invoices/${invoiceId}/capture.`,
      expect.stringContaining('Hand over'),
    ]);
  });
});

describe('ways on', () => {
  const aReturn = (wanted: Partial<ReturnRow>): ReturnRow => ({
    returnId: 42,
    incrementId: '000000042',
    status: 'pending',
    isReady: true,
    isAutoApproved: false,
    posSaleId: null,
    refundMethod: null,
    creditMemoId: null,
    refundDifference: null,
    locationName: null,
    lines: [],
    movements: [],
    comments: [],
    at: '2026-11-20T09:00:00.000Z',
    updatedAt: '2026-11-20T09:00:00.000Z',
    ...wanted,
  });

  const anAttempt = (wanted: Partial<AttemptRow>): AttemptRow => ({
    attemptId: 7,
    returnId: 42,
    state: 'uncertain',
    paymentMethod: 'provider_a',
    amount: '54.0000',
    credited: '0.0000',
    currency: 'USD',
    idempotencyKey: 'return-42-1',
    nameTail: 'tail',
    gatewayOutcome: null,
    gatewayReference: null,
    message: null,
    resolvedBy: null,
    resolutionNote: null,
    callStartedAt: null,
    callDeadline: null,
    at: '2026-11-20T09:00:00.000Z',
    updatedAt: '2026-11-20T09:00:00.000Z',
    ...wanted,
  });

  const aRun = (wanted: Partial<ProcessRow>): ProcessRow => ({
    processId: 3,
    orderId: 9,
    requestKey: 'sale-7',
    returnId: null,
    attemptId: 7,
    isFastTrack: false,
    resolution: 'refund',
    isOnline: true,
    state: 'open',
    stage: 'asking',
    providerCode: null,
    storeCredit: '0.0000',
    exchangeCredit: '0.0000',
    refusal: null,
    author: null,
    at: '2026-11-20T09:00:00.000Z',
    updatedAt: '2026-11-20T09:00:00.000Z',
    ...wanted,
  });

  const beside = (attempts: AttemptRow[] = [], processes: ProcessRow[] = []) => ({
    attempts,
    cases: [],
    processes,
    w: english,
  });

  const forReturn = (...parts: Parameters<typeof waysOnForReturn>) => waysOnForReturn(...parts).map(wayText);
  const forAttempt = (...parts: Parameters<typeof waysOnForAttempt>) => waysOnForAttempt(...parts).map(wayText);

  test.each(openStatuses)('a return that is %s can always be ended', (status) => {
    expect(forReturn(aReturn({ status }), beside()).at(-1)).toContain('POST /V1/pos/rma/42/close');
  });

  test.each(terminalStatuses)('a return that is %s asks for nothing', (status) => {
    expect(forReturn(aReturn({ status }), beside())).toEqual(['Nothing: this return is over.']);
  });

  test('money first: an uncertain refund comes before everything else about its return', () => {
    const ways = forReturn(aReturn({ status: 'awaiting_refund' }), beside([anAttempt({})]));

    expect(ways.slice(0, 3).join('\n')).toMatch(/refunds reconcile 7[^]*resolve 7 refunded[^]*resolve 7 not_refunded/);
    expect(ways.join('\n')).not.toContain('/settle');
  });

  test('where the gateway cannot be asked, no step says to ask it', () => {
    const ways = forAttempt(anAttempt({ cannotBeAsked: true }), beside()).join('\n');

    expect(ways).toMatch(/^This gateway cannot be asked[^]*resolve 7 refunded[^]*resolve 7 not_refunded/);
    expect(ways).not.toMatch(/reconcile|by itself/);
  });

  test('an uncertain refund of another return is not counted for this one', () => {
    const ways = forReturn(aReturn({ status: 'awaiting_refund' }), beside([anAttempt({ returnId: 43 })]));

    expect(ways[0]).toContain('/V1/pos/rma/42/settle');
  });

  test('a beginning that has not come to its end points to its history, and the return can be closed', () => {
    expect(forReturn(aReturn({ isReady: false }), beside())).toEqual([
      expect.stringMatching(/retried every minute.*if its history says why it is held/),
      expect.stringContaining('POST /V1/pos/rma/42/close'),
    ]);
  });

  test('a refund without a return is the work of its run, and only a question has a workflow of its own', () => {
    const attempt = anAttempt({ returnId: null, state: 'started' });

    expect(forAttempt(attempt, beside([], [aRun({})]))[1]).toContain('workflow process-9-sale-7 in');
    const fastTrack = beside([], [aRun({ returnId: 42, isFastTrack: true })]);
    expect(forAttempt({ ...attempt, returnId: 42 }, fastTrack)[1]).toContain('workflow return-42 in');
    expect(
      attemptEvents({ ...attempt, state: 'uncertain' }, beside([], [aRun({})])).map((wanted) => wanted.workflow),
    ).toEqual(['process-9-sale-7', 'refund-attempt-7']);
  });

  test('an uncertain refund without a return speaks of no return', () => {
    expect(forAttempt(anAttempt({ returnId: null }), beside()).at(-1)).toMatch(
      /^Until then no other refund of this order without a return goes through its gateway\./,
    );
  });

  test.each(refundAttemptStates)('an attempt that is %s says what to do', (state) => {
    expect(forAttempt(anAttempt({ state }), beside()).length).toBeGreaterThan(0);
  });
});
