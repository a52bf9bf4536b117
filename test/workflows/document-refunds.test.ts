import { randomUUID } from 'node:crypto';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentRefundId } from '../../workflows/refunds/messages.ts';
import { verify } from '../../books/verify/verify.ts';
import { readGatewayLedger } from '../../cli/support/read-gateway-ledger.ts';
import { aCustomerWithCredit } from '../support/builders/credit.ts';
import { booksOf } from '../support/books.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { minutesAgo } from '../support/moments.ts';
import { recordHistory } from '../support/record-history.ts';
import { atOnce } from '../support/rivals.ts';
import { aDocumentDesk, type DocumentDesk, type Sale } from './a-document-desk.ts';

/** Refunds that the platform's own routes have a gateway make: one workflow, one attempt, one call, one memo. */
let flow: Flow;
let desk: DocumentDesk;
beforeAll(async () => {
  flow = await aFlow({ gatewayTimeoutSeconds: 2, reconcileAfterSeconds: 0 });
  desk = aDocumentDesk(flow);
});
afterAll(async () => {
  await flow.close();
});

const { fork, shelf, change, findOne, find, memosOf } = booksOf(() => flow.api.orm);

/** All that went through Temporal, as text. */
const payloadsOf = (history: Parameters<typeof historyToJSON>[0]) =>
  [...historyToJSON(history).matchAll(/"data":\s*"([^"]*)"/g)]
    .map(([, data = '']) => Buffer.from(data, 'base64').toString())
    .join('\n');

test('with its caller’s totals: the gateway gives it back once, the memo is online, the goods are on the shelf', async () => {
  const sale = await desk.sale('12.00');
  const [before, mugs] = [desk.refunded(), await shelf()];
  const { status, body } = await desk.withTotals(sale, 12);

  expect(status).toBe(200);
  expect(body).toMatchObject({ grand_total: 12, state: 2, transaction_id: expect.any(String) });
  expect(desk.refunded() - before).toBe(1);
  expect(await shelf()).toBe(mugs + 1);
  expect(await desk.order(sale)).toMatchObject({ total_online_refunded: 12, total_offline_refunded: 0 });
  expect(await desk.invoice(sale)).toMatchObject({ is_used_for_refund: 1, base_total_refunded: 12 });
  const run = await desk.lastRun(sale);
  expect(await run.result()).toBe('booked');
  await recordHistory(flow.client, run.workflowId, 'document-refund-booked');
});

test('of an invoice: the same, and what was written about it stands in the books and not in Temporal', async () => {
  const sale = await desk.sale('12.00');
  const [before, mugs] = [desk.refunded(), await shelf()];
  const comment = { comment: 'Mrs Miller called', is_visible_on_front: 1 };
  const { status, body } = await desk.ofInvoice(sale, { appendComment: true, comment });

  expect({ status, body }).toEqual({ status: 200, body: expect.any(Number) });
  expect(desk.refunded() - before).toBe(1);
  expect(await shelf()).toBe(mugs + 1);
  expect(await desk.invoice(sale)).toMatchObject({ is_used_for_refund: 1, base_total_refunded: 12 });
  expect(await find('sales_document_comment', { parent_id: body }, 'comment')).toEqual([
    { comment: 'Mrs Miller called' },
  ]);
  const travelled = payloadsOf(await (await desk.lastRun(sale)).fetchHistory());
  expect(travelled).toContain('sealedComment');
  expect(travelled).not.toContain('Miller');
});

test.each([2, 8])('of %i at once of all that is left one asks the gateway', async (count) => {
  const sale = await desk.sale('12.00', { lines: [{ sku: 'MUG', qty: 1, price: '12.00' }] });
  const before = desk.refunded();
  const answers = await atOnce(count, () => desk.withTotals(sale, 12));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  // 503: it waited for its turn for too long, and never begins.
  for (const { status } of answers) expect([200, 400, 409, 503]).toContain(status);
  expect(desk.refunded() - before).toBe(1);
  expect(await desk.memosOf(sale.orderId)).toHaveLength(1);
});

test('sent again under its key it is the same refund', async () => {
  const sale = await desk.sale('12.00');
  const before = desk.refunded();
  const key = { 'Idempotency-Key': `memo-${sale.orderId}` };
  const [first, second] = [await desk.withTotals(sale, 12, key), await desk.withTotals(sale, 12, key)];

  expect(second.body.entity_id).toBe(first.body.entity_id);
  expect(desk.refunded() - before).toBe(1);
});

test('of an API that died before it answered, a repeat reads what was booked', async () => {
  const sale = await desk.sale('12.00');
  const key = { 'Idempotency-Key': `died-${sale.orderId}` };
  const first = await desk.withTotals(sale, 12, key);
  const noAnswer = { status: null, answer: null, answered_at: null };
  const unanswered = { state: 'open', owner: randomUUID(), lease_until: minutesAgo(1), ...noAnswer };
  await change('keyed_request', { operation_key: await desk.lastKey() }, unanswered);

  const again = await desk.withTotals(sale, 12, key);

  expect(again).toMatchObject({ status: 200, body: { entity_id: first.body.entity_id } });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await desk.memosOf(sale.orderId)).toHaveLength(1);
});

test('paid with credit alone: the memo is booked and the credit is back, and no gateway is asked', async () => {
  const customerId = await aCustomerWithCredit(flow.api.orm, '24');
  const credits = [{ credit_type: 'store_credit', amount: 24 }];
  const sale = await desk.sale('12.00', { customerId, credits });
  const before = desk.refunded();
  const key = { 'Idempotency-Key': `credit-${sale.orderId}` };
  const { status, body } = await desk.withTotals(sale, 12, key);

  expect({ status, total: body.grand_total }).toEqual({ status: 200, total: 12 });
  expect(desk.refunded()).toBe(before);
  const [memo] = await memosOf(sale.orderId, 'entity_id', 'operation_key', 'is_online');
  expect(memo).toMatchObject({ entity_id: body.entity_id, is_online: false });
  const run = flow.client.workflow.getHandle(documentRefundId(sale.orderId, memo?.operation_key));
  expect(await run.result()).toBe('booked');
  await recordHistory(flow.client, run.workflowId, 'document-refund-credit');
});

test('a gateway’s no books nothing, and leaves everything to be refunded', async () => {
  const sale = await desk.sale('12.51');
  expect(await desk.withTotals(sale, 12.51)).toMatchObject({
    status: 400,
    body: { parameters: { outcome: 'gateway_refused', refund_attempt_state: 'failed' } },
  });
  expect(await desk.memosOf(sale.orderId)).toEqual([]);
  const run = await desk.lastRun(sale);
  expect(await run.result()).toBe('failed');
  await recordHistory(flow.client, run.workflowId, 'document-refund-declined');
  expect((await desk.call('POST', `/V1/order/${sale.orderId}/refund`, {})).status).toBe(200);
  expect(await desk.order(sale)).toMatchObject({ state: 'closed' });
});

test('a doubt keeps its goods and its money; an operator’s word books the memo as it was sent', async () => {
  const sale = await desk.sale('12.73');
  const { status, body } = await desk.withTotals(sale, 12.73);
  expect(status).toBe(409);
  expect(body.parameters).toMatchObject({ outcome: 'gateway_uncertain', refund_attempt_state: 'uncertain' });
  const run = await desk.lastRun(sale);
  expect(await run.result()).toBe('uncertain');
  await recordHistory(flow.client, run.workflowId, 'document-refund-uncertain');
  expect((await desk.withTotals(sale, 12.73)).status).toBe(409);
  const goods = { items: [{ order_item_id: sale.itemId, qty: 2 }] };
  expect((await desk.call('POST', `/V1/order/${sale.orderId}/refund`, goods)).status).toBe(400);

  await desk.call('POST', `/V1/pos/rma/refund-attempts/${body.parameters.refund_attempt_id}/resolve`, {
    resolution: 'refunded',
    staffName: 'Olga',
    note: 'seen in the portal',
  });
  expect(await desk.memosOf(sale.orderId)).toMatchObject([{ grand_total: '12.7300' }]);
  expect(await desk.order(sale)).toMatchObject({ total_online_refunded: 12.73 });
});

test('of a card without a gateway and of a payment without a reference: told in the platform’s words', async () => {
  const unknown = await desk.sale('12.00', { method: 'somebody_elses_card' });
  const unreferenced = await desk.sale('12.00', { lastTransId: '' });
  for (const refund of [desk.ofInvoice, (sale: Sale) => desk.withTotals(sale, 12)]) {
    expect((await refund(unknown)).body).toEqual({ message: 'The refund action is not available.' });
    expect((await refund(unreferenced)).body).toEqual({
      message: 'If the invoice was created offline, try creating an offline credit memo.',
    });
  }
  expect(await find('refund_attempt', { order_id: unknown.orderId })).toEqual([]);
});

test('a refusal and a doubt are told alike for an invoice', async () => {
  const outcomeOf = async (price: string) => (await desk.ofInvoice(await desk.sale(price))).body.parameters.outcome;
  expect(await outcomeOf('12.51')).toBe('gateway_refused');
  expect(await outcomeOf('12.73')).toBe('gateway_uncertain');
});

test('what does not fit is refused by reading: no workflow starts', async () => {
  const sale = await desk.sale('12.00');
  const { status } = await desk.withTotals(sale, 999, { 'Idempotency-Key': `too-much-${sale.orderId}` });
  expect(status).toBe(400);
  await expect((await desk.runOfRequest(sale)).describe()).rejects.toThrow();
});

test('its page is found by the order and tells who asked, how much, and how it ended', async () => {
  const sale = await desk.sale('12.00');
  await desk.withTotals(sale, 12);
  const run = await desk.lastRun(sale);
  const { orderId } = sale;
  const [{ increment_id: order }, { increment_id: invoice }] = [
    await findOne('sales_order', { entity_id: orderId }, 'increment_id'),
    await findOne('sales_invoice', { entity_id: sale.invoiceId }, 'increment_id'),
  ];
  const { staticSummary, typedSearchAttributes } = await run.describe().then(async (seen) => ({
    staticSummary: await seen.staticSummary(),
    typedSearchAttributes: seen.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
  }));
  expect(staticSummary).toBe(`Refund of invoice ${invoice} · order ${order}`);
  expect(typedSearchAttributes).toEqual(
    expect.arrayContaining([
      ['PosOrderId', orderId],
      ['PosMethod', 'provider_a'],
    ]),
  );
  const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toMatch(
    new RegExp(
      `^The gateway gave \\*\\*12.00 USD\\*\\* of order ${order} by provider_a back, and the credit memo is booked. Asked for by .+ \\(request .+\\).$`,
    ),
  );
});

test('after all of it the books hold, beside the gateway’s own', async () => {
  const readLedger = () => readGatewayLedger(flow.gateway.url);
  expect(await verify(fork(), { lookAgainAfterMs: 1, readLedger })).toEqual([]);
});
