import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../../../books/verify/verify.ts';
import { readGatewayLedger } from '../../../cli/support/read-gateway-ledger.ts';
import { findLimbo } from '../../../db/refunds/find-limbo.ts';
import { openMemoRefund } from '../../../db/refunds/open-memo-refund.ts';
import { fixedFigures } from '../../../db/platform/credit-memos/refund-with-totals.ts';
import { money } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import type { Answer } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { atOnce } from '../../support/rivals.ts';
import { minutesAgo } from '../../support/moments.ts';

/** Refunds that the platform's own routes have a gateway make: one attempt, one call, one memo. */
let flow: Flow;
let register: Register;
beforeAll(async () => {
  flow = await aFlow({ gatewayTimeoutSeconds: 2, reconcileAfterSeconds: 0 });
  register = aRegister(flow);
});
afterAll(async () => {
  await flow.close();
});

const { fork, shelf, change } = booksOf(() => flow.api.orm);

type Sale = { orderId: number; itemId: number };

const invoiceOf = async ({ orderId }: Sale) => {
  const { body } = await register.call(
    'GET',
    `/V1/invoices?searchCriteria[filter_groups][0][filters][0][field]=order_id&searchCriteria[filter_groups][0][filters][0][value]=${orderId}`,
  );
  return body.items[0];
};
const refunded = () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;
const orderOf = async ({ orderId }: Sale) => (await register.call('GET', `/V1/orders/${orderId}`)).body;

/** One piece with its caller's totals. */
const totals = async (sale: Sale, price: number, headers: Record<string, string> = {}) => {
  const { entity_id: invoice_id } = await invoiceOf(sale);
  const creditmemo = {
    order_id: sale.orderId,
    invoice_id,
    subtotal: price,
    grand_total: price,
    items: [{ order_item_id: sale.itemId, qty: 1, row_total: price }],
    extension_attributes: { return_to_stock_items: [sale.itemId] },
  };
  return flow.api.call('POST', '/V1/creditmemo/refund', {
    token: flow.api.tokens.register,
    body: { creditmemo },
    headers,
  });
};

const ofInvoice = async (sale: Sale) =>
  register.call('POST', `/V1/invoice/${(await invoiceOf(sale)).entity_id}/refund`, {
    isOnline: true,
    items: [{ order_item_id: sale.itemId, qty: 1 }],
    arguments: { extension_attributes: { return_to_stock_items: [sale.itemId] } },
  });

test('with its caller’s totals: the gateway gives it back once, the memo is online, the goods are on the shelf', async () => {
  const sale = await register.sale('12.00');
  const [before, mugs] = [refunded(), await shelf()];
  const { status, body } = await totals(sale, 12);

  expect(status).toBe(200);
  expect(body).toMatchObject({ grand_total: 12, state: 2, transaction_id: expect.any(String) });
  expect(refunded() - before).toBe(1);
  expect(await shelf()).toBe(mugs + 1);
  expect(await orderOf(sale)).toMatchObject({ total_online_refunded: 12, total_offline_refunded: 0 });
  expect(await invoiceOf(sale)).toMatchObject({ is_used_for_refund: 1, base_total_refunded: 12 });
});

test('of an invoice: the same', async () => {
  const sale = await register.sale('12.00');
  const [before, mugs] = [refunded(), await shelf()];
  const { status, body } = await ofInvoice(sale);

  expect({ status, body }).toEqual({ status: 200, body: expect.any(Number) });
  expect(refunded() - before).toBe(1);
  expect(await shelf()).toBe(mugs + 1);
  expect(await invoiceOf(sale)).toMatchObject({ is_used_for_refund: 1, base_total_refunded: 12 });
});

test.each([2, 8])('of %i at once of all that is left one asks the gateway', async (count) => {
  const sale = await register.sale('12.00', { lines: [{ sku: 'MUG', qty: 1, price: '12.00' }] });
  const before = refunded();
  const answers = await atOnce(count, () => totals(sale, 12));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status } of answers) expect([200, 400, 409]).toContain(status);
  expect(refunded() - before).toBe(1);
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
});

test('sent again under its key it is the same refund', async () => {
  const sale = await register.sale('12.00');
  const before = refunded();
  const key = { 'Idempotency-Key': `memo-${sale.orderId}` };
  const [first, second] = [await totals(sale, 12, key), await totals(sale, 12, key)];

  expect(second.body.entity_id).toBe(first.body.entity_id);
  expect(refunded() - before).toBe(1);
});

test('of a process that died before it answered, a repeat reads what was booked, without a workflow', async () => {
  const sale = await register.sale('12.00');
  const key = { 'Idempotency-Key': `died-${sale.orderId}` };
  const first = await totals(sale, 12, key);
  const made_id = (await register.memosOf(sale.orderId))[0]?.refund_attempt_id;
  const noAnswer = { status: null, answer: null, answered_at: null };
  const unanswered = { state: 'open', owner: randomUUID(), lease_until: minutesAgo(1), ...noAnswer };
  await change('keyed_request', { made_id, route: 'POST /V1/creditmemo/refund' }, unanswered);

  const again = await totals(sale, 12, key);

  expect(again).toMatchObject({ status: 200, body: { entity_id: first.body.entity_id } });
  await expect(flow.client.workflow.getHandle(`memo-refund-${made_id}`).describe()).rejects.toThrow();
});

/** As the route leaves it when Temporal is away: the intent is written down, and the gateway was not asked. */
async function anUnaskedRefund() {
  const sale = await register.sale('12.00');
  const { entity_id: invoiceId } = await invoiceOf(sale);
  const goods = { orderItemId: sale.itemId, qty: pieces(1), money: {} };
  const opened = await openMemoRefund(fork(), {
    orderId: sale.orderId,
    invoiceId,
    fix: (_tx, order) =>
      fixedFigures(order, {
        lines: [goods],
        totals: { grandTotal: { order: money('12') }, subtotal: { order: money('12') } },
      }),
    returnToStockItemIds: [],
    requestKey: 'of a process that died',
    canRefundThrough: () => true,
    noted: async () => undefined,
  });
  return { sale, attemptId: opened.attempt?.attemptId ?? 0 };
}

test('what a crash left unasked is found by the sweep, and taken to its end', async () => {
  const { sale, attemptId } = await anUnaskedRefund();
  const { orderId } = sale;
  const em = fork();
  expect((await findLimbo(em)).memoRefunds).toEqual([]);
  await change('refund_attempt', { attempt_id: attemptId }, { created_at: minutesAgo(60) });
  expect((await findLimbo(em)).memoRefunds).toEqual([{ attemptId, orderId }]);

  const before = refunded();
  await lookNow(flow);
  expect(await flow.client.workflow.getHandle(`memo-refund-${attemptId}`).result()).toBe('booked');
  expect(refunded() - before).toBe(1);
  expect(await register.memosOf(orderId)).toHaveLength(1);
  await recordHistory(flow.client, `memo-refund-${attemptId}`, 'memo-refund-booked');
});

test('a gateway’s no books nothing, and leaves everything to be refunded', async () => {
  const sale = await register.sale('12.51');
  expect(await totals(sale, 12.51)).toMatchObject({
    status: 400,
    body: { parameters: { outcome: 'gateway_refused', refund_attempt_state: 'failed' } },
  });
  expect(await register.memosOf(sale.orderId)).toEqual([]);
  expect((await register.call('POST', `/V1/order/${sale.orderId}/refund`, {})).status).toBe(200);
  expect(await orderOf(sale)).toMatchObject({ state: 'closed' });
});

test('a doubt keeps its goods and its money; an operator’s word books the memo as it was sent', async () => {
  const sale = await register.sale('12.73');
  const { status, body } = await totals(sale, 12.73);
  expect(status).toBe(409);
  expect(body.parameters).toMatchObject({ outcome: 'gateway_uncertain', refund_attempt_state: 'uncertain' });
  expect((await totals(sale, 12.73)).status).toBe(409);
  expect(
    (
      await register.call('POST', `/V1/order/${sale.orderId}/refund`, {
        items: [{ order_item_id: sale.itemId, qty: 2 }],
      })
    ).status,
  ).toBe(400);

  await register.call('POST', `/V1/pos/rma/refund-attempts/${body.parameters.refund_attempt_id}/resolve`, {
    resolution: 'refunded',
    staffName: 'Olga',
    note: 'seen in the portal',
  });
  expect(await register.memosOf(sale.orderId)).toMatchObject([{ grand_total: '12.7300' }]);
  expect(await orderOf(sale)).toMatchObject({ total_online_refunded: 12.73 });
});

test('of an offline method, a card without a gateway, a payment without a reference: told in the platform’s words', async () => {
  const offline = await register.sale('12.00', { method: 'checkmo' });
  expect((await ofInvoice(offline)).body.message).toContain("We can't create creditmemo for the invoice.");
  const unknown = await register.sale('12.00', { method: 'somebody_elses_card' });
  expect((await ofInvoice(unknown)).body).toEqual({ message: 'The refund action is not available.' });
  const order = await register.sale('12.00', { lastTransId: '' });
  expect((await ofInvoice(order)).body).toEqual({
    message: 'If the invoice was created offline, try creating an offline credit memo.',
  });
});

test('with a caller’s totals and of an invoice each of these is told alike', async () => {
  const [unknown, unreferenced] = [{ method: 'somebody_elses_card' }, { lastTransId: '' }];
  const outcomeOf = async (answer: Promise<Answer>) => {
    const { message, parameters } = (await answer).body;
    return parameters?.outcome ?? message;
  };
  expect(await outcomeOf(totals(await register.sale('12.00', unknown), 12))).toBe(
    'The refund action is not available.',
  );
  expect(await outcomeOf(totals(await register.sale('12.00', unreferenced), 12))).toBe(
    'If the invoice was created offline, try creating an offline credit memo.',
  );
  expect(await outcomeOf(ofInvoice(await register.sale('12.51')))).toBe('gateway_refused');
  expect(await outcomeOf(ofInvoice(await register.sale('12.73')))).toBe('gateway_uncertain');
});

test('after all of it the books hold, beside the gateway’s own', async () => {
  const readLedger = () => readGatewayLedger(flow.gateway.url);
  expect(await verify(fork(), { lookAgainAfterMs: 1, readLedger })).toEqual([]);
});
