import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { replayHeader } from '../../../api/http/within.ts';
import { verify } from '../../../books/verify/verify.ts';
import { readGatewayLedger } from '../../../cli/verify-books.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { attemptDetails, type AttemptView } from '../../../workflows/refunds.ts';
import { booksOf } from '../../support/books.ts';
import { aHalfMadeReturn, finishReturn } from '../../support/builders/half-made-return.ts';
import { aPostedLine, aPostedSale } from '../../support/builders/posted-sale.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { housekeeper, lookNow } from '../../support/housekeeping.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('attempt details', () => {
  const view: AttemptView = {
    attemptId: 7,
    orderId: 3,
    orderIncrementId: '000000003',
    returnId: 5,
    paymentMethod: 'provider_a',
    state: 'uncertain',
    amount: 10.8,
    currencyCode: 'USD',
    message: null,
    canLookUp: true,
    reconcileAfterSeconds: 5,
  };

  test.each([
    { amount: 10.8, currencyCode: 'USD', shown: '10.80 USD' },
    { amount: 1080, currencyCode: 'JPY', shown: '1080 JPY' },
    { amount: 1.25, currencyCode: 'KWD', shown: '1.250 KWD' },
  ])('an operator reads $shown where the gateway’s portal shows it so', ({ shown, ...given }) => {
    expect(attemptDetails({ ...view, ...given }, { tries: 1 })).toContain(
      `Did the customer get **${shown}** for order 000000003`,
    );
  });

  test('a gateway that keeps nothing is not offered to be asked again', () => {
    const page = attemptDetails({ ...view, canLookUp: false }, { tries: 0 });
    expect(page).toContain('a person must find out');
    expect(page).not.toContain('refunds reconcile');
  });

  test('the page leads to the operator’s page, where the shop says what its address is', () => {
    expect(attemptDetails({ ...view, opsPage: 'https://pos.example/ops' }, { tries: 0 })).toContain(
      "With a phone: [the operator's page](https://pos.example/ops).",
    );
    expect(attemptDetails(view, { tries: 0 })).not.toContain('With a phone');
  });

  test('where the gateway said yes and the books refused, the page says so and asks no question', () => {
    const message = 'The gateway refunded, but the credit memo was refused: the order is on hold.';
    const page = attemptDetails({ ...view, message, isUnbooked: true }, { tries: 1 });
    expect(page).toContain(
      'The gateway gave **10.80 USD** for order 000000003 (provider_a) back, and it is not booked',
    );
    expect(page).toContain(message);
    expect(page).not.toContain('has not said');
  });

  test('an answer that could not be read is shown, and how it is given', () => {
    const page = attemptDetails(view, { tries: 0, unread: '"Refunded"' });
    expect(page).toContain('Your answer was not understood, so nothing happened: "Refunded"');
    expect(page).toContain('*Send an Update* → `resolve` → `{"resolution":"refunded"');
    expect(attemptDetails(view, { tries: 0 })).not.toContain('not understood');
  });
});

describe('call once', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2 });
  });
  afterAll(() => flow.close());

  test('Temporal hands the gateway call out once, and gives it longer than the call itself may take', async () => {
    const register = aRegister(flow);
    const rmaId = await aHalfMadeReturn(flow, await register.sale('12.00'));
    expect(await finishReturn(flow, rmaId)).toEqual({ status: 'closed' });

    const { events } = await flow.client.workflow.getHandle(`return-${rmaId}`).fetchHistory();
    const calls = (events ?? [])
      .map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled)
      .filter((scheduled) => scheduled?.activityType?.name === 'refundThroughGateway');

    expect(calls.map((call) => call?.retryPolicy?.maximumAttempts)).toEqual([1]);
    expect(Number(calls[0]?.startToCloseTimeout?.seconds)).toBeGreaterThan(2);
  });
});

describe('no look up', () => {
  let flow: Flow;
  let register: Register;
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2, reconcileAfterSeconds: 1 });
    register = aRegister(flow);
  });
  afterAll(() => flow.close());

  const { booksHold } = booksOf(() => flow.api.orm);
  const lookUps = () => flow.gateway.ledger.refunds.reduce((sum, refund) => sum + refund.lookUps, 0);

  test('a refund that a gateway cannot look up waits for a person, and the gateway is not asked', async () => {
    const sale = await register.sale('12.61', { method: 'provider_c' });

    const unsaid = await register.returnOne(sale, { refundMethod: 'original_payment' });

    expect(unsaid).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
    const { refund_attempt_id: attemptId, return_id: rmaId } = unsaid.body.parameters;
    const path = `/V1/pos/rma/refund-attempts/${attemptId}`;
    // The answer of the call itself is the last word, not that a look-up was impossible.
    const lastWord = { gateway_outcome: 'connection_lost', message: expect.stringContaining('connection') };
    expect(await register.attempt(attemptId)).toMatchObject({ state: 'uncertain', ...lastWord });
    expect((await register.call('POST', `${path}/reconcile`)).body).toMatchObject({ state: 'uncertain', ...lastWord });

    const resolved = await register.call('POST', `${path}/resolve`, {
      resolution: 'refunded',
      staffName: 'Ada',
      note: 'in the portal',
    });

    expect(resolved.body).toMatchObject({ state: 'booked', resolved_by: 'Ada' });
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'closed' });
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    expect(lookUps()).toBe(0);
    await flow.client.workflow.getHandle(`refund-attempt-${attemptId}`).result();
    await recordHistory(flow.client, `refund-attempt-${attemptId}`, 'attempt-without-look-up');
  });

  test('a tip stays, and the memo says so, where a refund by hand takes the last goods of a refund under way', async () => {
    const sale = await aSaleWithTip({ piece: 10.73, tip: 2 });
    const unsaid = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect(unsaid.body.parameters).toMatchObject({ outcome: 'gateway_uncertain' });
    const attempt = `/V1/pos/rma/refund-attempts/${unsaid.body.parameters.refund_attempt_id}`;

    await register.call('POST', `/V1/order/${sale.orderId}/refund`, {
      items: [{ order_item_id: sale.itemId, qty: 1 }],
    });
    const resolved = await register.call('POST', `${attempt}/resolve`, {
      resolution: 'refunded',
      staffName: 'Ada',
      note: 'in the portal',
    });

    const order = async () => (await register.call('GET', `/V1/orders/${sale.orderId}`)).body;
    expect(await order()).toMatchObject({ state: 'complete', total_paid: 23.46, total_refunded: 21.46 });
    const { body: said } = await register.call('GET', `/V1/creditmemo/${resolved.body.credit_memo_id}/comments`);
    expect(said.items.map(({ comment }: { comment: string }) => comment)).toContainEqual(
      expect.stringMatching(/^\$2\.00 of what was paid stay: the gateway was asked/),
    );
    await booksHold();

    await register.call('POST', `/V1/order/${sale.orderId}/refund`, { arguments: { adjustment_positive: 2 } });
    expect(await order()).toMatchObject({ state: 'closed', total_refunded: 23.46 });
    await booksHold();
  });

  /** Two mugs and a tip that stands on no line, by card, handed over. */
  async function aSaleWithTip({ piece, tip }: { piece: number; tip: number }) {
    const both = (name: string, value: number) => ({ [name]: value, [`base_${name}`]: value });
    const goods = Number((piece * 2).toFixed(2));
    const total = Number((goods + tip).toFixed(2));
    const line = { ...both('price', piece), ...both('original_price', piece), ...both('price_incl_tax', piece) };
    const row = { ...both('row_total', goods), ...both('row_total_incl_tax', goods), ...both('tax_amount', 0) };
    const entity = aPostedSale({
      ...both('subtotal', goods),
      ...both('subtotal_incl_tax', goods),
      ...both('tax_amount', 0),
      ...both('grand_total', total),
      items: [aPostedLine({ ...line, ...row, tax_percent: 0 })],
      payment: { method: 'provider_a', ...both('amount_ordered', total), last_trans_id: `pay_${randomUUID()}` },
      ...{ customer_id: null, customer_is_guest: 1 },
    });
    const { body } = await register.call('POST', '/V1/orders', { entity });
    await register.call('POST', `/V1/order/${body.entity_id}/invoice`, { capture: true });
    await register.call('POST', `/V1/order/${body.entity_id}/ship`, {});
    return { orderId: body.entity_id as number, itemId: body.items[0].item_id as number };
  }

  test('what was taken through an order-based interface is refunded from the admin: no attempt, no call', async () => {
    const sale = await register.sale('12.00', { lastTransId: 'ord_8ba1' });
    const before = flow.gateway.ledger.calls.length;

    const refused = await register.returnOne(sale, { refundMethod: 'original_payment' });

    expect(refused).toMatchObject({ status: 400, body: { parameters: { outcome: 'refund_from_admin' } } });
    expect(refused.body.message).toContain('Refund the order from the admin');
    expect(flow.gateway.ledger.calls.length).toBe(before);
    const rmaId: number = refused.body.parameters.return_id;
    expect(await register.returnOf(rmaId)).not.toHaveProperty('refund_attempt_id', expect.any(Number));
    expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({ status: 'closed' });
  });
});

describe('a decision that takes effect later', () => {
  let flow: Flow;
  let register: Register;
  beforeAll(async () => {
    flow = await aFlow({ reconcileAfterSeconds: 0 });
    register = aRegister(flow);
  });
  afterAll(async () => {
    await housekeeper(flow).terminate('the test is over');
    await flow.close();
  });

  const { booksHold } = booksOf(() => flow.api.orm);
  const decision = { resolution: 'not_refunded', staffName: 'Ada', note: 'not in the portal' };
  const path = (attemptId: number) => `/V1/pos/rma/refund-attempts/${attemptId}/resolve`;

  /** Its call may be on its way for eight more seconds. */
  const aFreshQuestion = () =>
    aRefundAttempt(flow.api.orm, { locationId: flow.shop.locationId, claimedSecondsAgo: 17 });

  test('"not refunded" is recorded at once with its time; until then nothing else is refunded, then the return is free', async () => {
    const { attemptId, returnId } = await aFreshQuestion();
    const [first, ...others] = await eightAtOnce((at) =>
      register.call('POST', path(attemptId), { ...decision, note: `not in the portal ${at}` }),
    );
    expect(first).toMatchObject({
      status: 200,
      body: {
        state: 'uncertain',
        resolved_by: 'Ada',
        decided_at: expect.any(String),
        effective_at: expect.any(String),
      },
    });
    for (const { status, body } of others) expect([status, body]).toEqual([200, first!.body]);
    const { effective_at: effectiveAt } = first!.body;
    const repeat = await register.call('POST', path(attemptId), { ...decision, staffName: 'Bob' });
    expect([repeat.status, repeat.body, repeat.headers.get(replayHeader)]).toEqual([200, first!.body, 'true']);
    expect(await register.call('POST', path(attemptId), { ...decision, resolution: 'refunded' })).toMatchObject({
      status: 409,
      body: {
        parameters: { outcome: 'refund_decided', refund_attempt_id: attemptId, effective_at: effectiveAt },
      },
    });
    for (const method of ['cash', 'original_payment'])
      expect(await register.settle(returnId, { method })).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining(`${effectiveAt} UTC`), parameters: { outcome: 'gateway_uncertain' } },
      });

    await waitUntil('the decision takes effect', async () => (await register.attempt(attemptId)).state === 'failed');
    expect(await register.attempt(attemptId)).toMatchObject({
      ...first!.body,
      state: 'failed',
      updated_at: expect.any(String),
      message: null,
    });
    expect(Date.parse(`${effectiveAt}Z`)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect((await register.settle(returnId, { method: 'cash' })).body).toMatchObject({ status: 'closed' });
    await booksHold();
  });

  test('a workflow that starts again carries the recorded decision out', async () => {
    const { attemptId } = await aFreshQuestion();
    const first = await register.call('POST', path(attemptId), decision);
    await flow.client.workflow.getHandle(`refund-attempt-${attemptId}`).terminate('lost');
    await lookNow(flow);
    await waitUntil('it takes effect', async () => (await register.attempt(attemptId)).state === 'failed');
    const { decided_at, effective_at, resolution_note } = await register.attempt(attemptId);
    expect({ decided_at, effective_at, resolution_note }).toEqual({
      decided_at: first.body.decided_at,
      effective_at: first.body.effective_at,
      resolution_note: decision.note,
    });
  });

  test('the processor’s own yes overrules a decision that has not taken effect', async () => {
    const { attemptId } = await aFreshQuestion();
    await register.call('POST', path(attemptId), decision);
    await recordFinding(flow.api.orm.em, { attemptId, finding: { evidence: 'refunded' }, now: new Date() });
    expect(await register.attempt(attemptId)).toMatchObject({
      ...{ state: 'booked', resolved_by: null, resolution_note: null, decided_at: null, effective_at: null },
    });
  });

  test('a decision that takes effect at once says so', async () => {
    const { attemptId } = await aRefundAttempt(flow.api.orm, { locationId: flow.shop.locationId });
    const { body } = await register.call('POST', path(attemptId), decision);
    expect(body).toMatchObject({ state: 'failed', decided_at: body.effective_at });
  });
});

describe('a second look', () => {
  let flow: Flow;
  let register: Register;
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2, reconcileAfterSeconds: 0 });
    register = aRegister(flow);
  });
  afterAll(() => flow.close());

  /** The gateway refunded, first said that it did not, and a person believed it. */
  async function decidedWrong() {
    const sale = await register.sale('12.72');
    const unsaid = await register.returnOne(sale, { refundMethod: 'original_payment' });
    const { refund_attempt_id: attemptId, return_id: rmaId } = unsaid.body.parameters;
    const decision = { resolution: 'not_refunded', staffName: 'Ada', note: 'not in the portal' };
    await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, decision);
    await waitUntil('it counts', async () => (await register.attempt(attemptId)).state === 'failed');
    return { sale, attemptId: attemptId as number, rmaId: rmaId as number };
  }

  test('finds the first refund at the gateway and books it; nothing is sent', async () => {
    const { sale, attemptId, rmaId } = await decidedWrong();
    const sent = flow.gateway.ledger.calls.length;
    const id = `second-look-${attemptId}`;
    const start = { workflowId: id, taskQueue: flow.taskQueue, args: [{ attemptId }] };
    expect(await flow.client.workflow.execute('secondLookWorkflow', start)).toMatchObject({ state: 'booked' });
    expect(flow.gateway.ledger.calls.length).toBe(sent);
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    await recordHistory(flow.client, id, 'second-look-booked');
  });

  test('begins after a settle by hand, whose memo takes the attempt over', async () => {
    const { sale, attemptId, rmaId } = await decidedWrong();
    expect((await register.settle(rmaId, { method: 'manual_card', reference: 'M-7' })).body).toMatchObject({
      status: 'closed',
    });
    await waitUntil('the memo is its own', async () => (await register.attempt(attemptId)).state === 'booked');
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  });

  test('comes with housekeeping where the register that settled by hand went away', async () => {
    const { sale, attemptId, rmaId } = await decidedWrong();
    const settle = { returnId: rmaId, method: 'manual_card', options: plainSettlement, operationKey: 'gone' } as const;
    await bookSettlement(flow.api.orm.em.fork(), settle);
    await lookNow(flow);
    await waitUntil('the memo is its own', async () => (await register.attempt(attemptId)).state === 'booked');
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  });

  test('leaves ledgers that agree with the processor', async () => {
    const readLedger = () => readGatewayLedger(flow.gateway.url);
    expect(await verify(flow.api.orm.em.fork(), { lookAgainAfterMs: 1, readLedger })).toEqual([]);
  });
});

describe('unread answer', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await aFlow({ reconcileAfterSeconds: 0 });
  });
  afterAll(async () => {
    await housekeeper(flow).terminate('the test is over');
    await flow.close();
  });

  const { theAttempt } = booksOf(() => flow.api.orm);

  /** A question whose workflow is open, as an operator finds it. */
  async function aQuestion() {
    const { attemptId } = await aRefundAttempt(flow.api.orm, { locationId: flow.shop.locationId });
    await lookNow(flow);
    const run = flow.client.workflow.getHandle(`refund-attempt-${attemptId}`);
    const page = async () => {
      const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      return currentDetails;
    };
    await waitUntil('the page asks', async () => (await page()).includes('Did the customer get'));
    return { attemptId, run, page };
  }

  /** As the Temporal page sends what a person typed: the bytes as they are. */
  const signalBytes = (workflowId: string, data: string, encoding = 'json/plain') =>
    flow.client.workflowService.signalWorkflowExecution({
      namespace: 'pos',
      workflowExecution: { workflowId },
      signalName: 'resolve',
      input: { payloads: [{ metadata: { encoding: Buffer.from(encoding) }, data: Buffer.from(data) }] },
    });

  test.each([
    ['a word', '"Refunded"', '"Refunded"'],
    ['a wrong resolution', '{"resolution":"Refunded","staffName":"Olga"}', 'Refunded'],
    ['no name', '{"resolution":"refunded"}', 'refunded'],
    ['nothing', 'null', 'null'],
    ['a text that is no JSON', 'Refunded', 'Refunded'],
  ])('a signal with %s: the page says that it was not understood, and how to answer', async (_case, sent, shown) => {
    const { attemptId, run, page } = await aQuestion();
    await signalBytes(run.workflowId, sent);

    await waitUntil('the page says so', async () => (await page()).includes('not understood'));
    expect(await page()).toContain(shown);
    expect(await theAttempt(attemptId, 'state')).toEqual({ state: 'uncertain' });

    await run.signal('resolve', { resolution: 'refunded', staffName: 'Olga', note: '' });
    expect(await run.result()).toBe('booked');
  });

  test('an update that cannot be read is refused at once', async () => {
    const { run, page } = await aQuestion();
    const update = run.executeUpdate('resolve', { args: ['Refunded'] });

    await expect(update).rejects.toThrow(WorkflowUpdateFailedError);
    expect(await page()).not.toContain('not understood');
    await run.terminate('the test is over');
  });
});
