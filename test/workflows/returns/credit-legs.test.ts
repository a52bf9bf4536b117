import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verify } from '../../../books/verify/verify.ts';
import { readGatewayLedger } from '../../../cli/verify-books.ts';
import { booksOf } from '../../support/books.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { aHalfMadeReturn, finishReturn } from '../../support/builders/half-made-return.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { setGatewayMode } from '../../support/gateway-mode.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('credit legs', () => {
  let flow: Flow;
  let register: Register;
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2 });
    register = aRegister(flow);
  });
  afterAll(async () => {
    const readLedger = () => readGatewayLedger(flow.gateway.url);
    expect(await verify(flow.api.orm.em.fork(), { readLedger })).toEqual([]);
    await flow.close();
  });

  const asked = () => flow.gateway.ledger.refunds.map((refund) => refund.amount / 10_000);

  /** Two mugs, partly paid with store credit, the rest by card. */
  async function aSaleOnCredit(price: string, credit: number) {
    const customerId = await aCustomerWithCredit(flow.api.orm, credit.toFixed(2));
    const credits = [{ credit_type: 'store_credit', amount: credit }];
    return { customerId, ...(await register.sale(price, { customerId, credits })) };
  }

  const leg = (amount: number) => ({
    kind: 'store_credit',
    provider_code: 'store_credit',
    applies_as: 'tender',
    direction: 'returned',
    base_amount: amount,
    amount,
  });

  test('a card gets back what the card paid, the wallet what the wallet paid', async () => {
    const sale = await aSaleOnCredit('50.00', 40);
    const before = asked().length;
    const { status, body } = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'closed',
      base_refund_total: 50,
      base_handback: 30,
      refund_legs: [leg(20)],
      refund_attempt_state: 'booked',
    });
    expect(asked().slice(before)).toEqual([30]);
    expect(await register.attempt(body.refund_attempt_id)).toMatchObject({ base_amount: 30 });
    expect(await walletOf(flow.api.orm, sale.customerId)).toBe('20.0000');
  });

  test('a return of goods that credit paid whole is settled without a gateway', async () => {
    const sale = await aSaleOnCredit('50.00', 100);
    const before = asked().length;
    const parked = await register.returnOne(sale, { refundMethod: 'cash' });
    const settled = await register.settle(parked.body.id, {
      method: 'original_payment',
      expectedLegs: [leg(50)],
    });
    expect(settled.body).toMatchObject({
      status: 'closed',
      refund_method: 'original_payment',
      base_handback: 0,
      refund_legs: [leg(50)],
      refund_difference: null,
    });
    expect(settled.body).not.toHaveProperty('refund_attempt_id');
    expect(asked()).toHaveLength(before);
    expect(await walletOf(flow.api.orm, sale.customerId)).toBe('50.0000');
  });

  test('so is its creation, in one call', async () => {
    const sale = await aSaleOnCredit('50.00', 100);
    const { body } = await register.returnOne(sale, {
      refundMethod: 'original_payment',
      posSaleId: `all-${sale.orderId}`,
    });
    expect(body).toMatchObject({ status: 'closed', ready: true, base_handback: 0, refund_legs: [leg(50)] });
    expect(await walletOf(flow.api.orm, sale.customerId)).toBe('50.0000');
  });

  test('while the card’s part is uncertain, the credit waits, too', async () => {
    const sale = await aSaleOnCredit('50.73', 40);
    const { status, body } = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect({ status, body }).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
    expect(await walletOf(flow.api.orm, sale.customerId)).toBe('0.0000');

    const attemptId = body.parameters.refund_attempt_id;
    const resolved = await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, {
      resolution: 'refunded',
      staffName: 'Olga',
      note: 'seen in the portal',
    });
    expect(resolved.body).toMatchObject({ state: 'booked', base_amount: 30.73 });
    expect(await walletOf(flow.api.orm, sale.customerId)).toBe('20.0000');
    expect(await register.returnOf(body.parameters.return_id)).toMatchObject({
      status: 'closed',
      base_refund_total: 50.73,
      base_handback: 30.73,
      refund_legs: [leg(20)],
    });
  });

  test('what the register was shown is compared with what came back through the gateway', async () => {
    const sale = await aSaleOnCredit('50.00', 40);
    const parked = await register.returnOne(sale, { refundMethod: 'cash' });
    const settled = await register.settle(parked.body.id, { method: 'original_payment', expectedLegs: [leg(19)] });
    expect(settled.body).toMatchObject({
      status: 'closed',
      refund_difference: 'The credit given back differs from the preview (store_credit: expected 19, booked 20).',
    });
  });

  test('a gateway that declines leaves the credit where it was, free for the next try', async () => {
    const sale = await aSaleOnCredit('50.51', 40);
    const declined = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect(declined.status).toBe(400);
    const returnId = declined.body.parameters.return_id;
    expect(await walletOf(flow.api.orm, sale.customerId)).toBe('0.0000');
    const settled = await register.settle(returnId, { method: 'cash' });
    expect(settled.body).toMatchObject({ status: 'closed', base_handback: 30.51, refund_legs: [leg(20)] });
    expect(await walletOf(flow.api.orm, sale.customerId)).toBe('20.0000');
  });
});

describe('half made return', () => {
  /** What the workflow of a card return finishes after a crash, and what others hear who ask meanwhile. */
  let flow: Flow;
  let register: Register;
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2 });
    register = aRegister(flow);
  });
  afterAll(() => flow.close());

  const { find } = booksOf(() => flow.api.orm);
  const attemptsOf = (orderId: number) =>
    find('refund_attempt', { order_id: orderId }, 'return_id', 'state', 'first_not_found_at', 'call_ended_at');

  const control = (mode: object) => setGatewayMode(flow.gateway, mode);

  const refunded = () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded');
  const isClosed = (workflowId: string) => async () =>
    (await flow.client.workflow.getHandle(workflowId).describe()).status.name !== 'RUNNING';

  test('a card return that a crash left half-made is finished by its workflow, in at most 14 events', async () => {
    const sale = await register.sale('12.00');
    const before = refunded().length;
    const rmaId = await aHalfMadeReturn(flow, sale);

    expect(await finishReturn(flow, rmaId)).toEqual({ status: 'closed' });

    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
    expect(refunded().length - before).toBe(1);
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    await waitUntil('the workflow has ended', isClosed(`return-${rmaId}`));
    expect(await recordHistory(flow.client, `return-${rmaId}`, 'return-half-made-card')).toBeLessThanOrEqual(14);
  });

  test('a refund that is declined while a half-made return is finished leaves it parked', async () => {
    const rmaId = await aHalfMadeReturn(flow, await register.sale('12.51'));
    expect(await finishReturn(flow, rmaId)).toMatchObject({ refused: { parameters: { outcome: 'gateway_refused' } } });
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'awaiting_refund', refund_attempt_state: 'failed' });
  });

  test('whoever asks while the gateway is waited for gets its answer; nothing is in doubt meanwhile', async () => {
    const sale = await register.sale('12.81');
    const before = refunded().length;
    await control({ slow_ms: 1_000 });

    const first = register.returnOne(sale, { refundMethod: 'original_payment', posSaleId: `slow-${sale.orderId}` });
    await waitUntil('the gateway is asked', async () => (await attemptsOf(sale.orderId)).length === 1);
    const rmaId = Number((await attemptsOf(sale.orderId))[0]?.return_id);
    const others = await Promise.all([
      register.returnOne(sale, { refundMethod: 'original_payment', posSaleId: `slow-${sale.orderId}` }),
      register.settle(rmaId, { method: 'cash' }),
      register.settle(rmaId, { method: 'original_payment' }),
      register.call('POST', `/V1/pos/rma/${rmaId}/cancel-refund`),
    ]);

    expect((await first).body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
    expect(others.map(({ status, body }) => body.status ?? status)).toEqual(['closed', 'closed', 'closed', 400]);
    expect(refunded().length - before).toBe(1);
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    expect(await attemptsOf(sale.orderId)).toEqual([
      { return_id: rmaId, state: 'booked', first_not_found_at: null, call_ended_at: null },
    ]);
    await waitUntil('the workflow has ended', isClosed(`return-${rmaId}`));
    await recordHistory(flow.client, `return-${rmaId}`, 'return-asked-while-the-gateway-works');
  });

  test('a settle that was declined, its answer lost, is refused and not tried again', async () => {
    const sale = await register.sale('12.52');
    const parked = await register.returnOne(sale, { refundMethod: 'cash' });

    const answer = await register.settle(parked.body.id, { method: 'original_payment' });

    expect(answer).toMatchObject({ status: 400, body: { parameters: { outcome: 'gateway_refused' } } });
    expect((await attemptsOf(sale.orderId)).map(({ state }) => state)).toEqual(['failed']);
  });

  test.each([
    ['.52', 400, 'gateway_refused', 'failed'],
    ['.73', 409, 'gateway_uncertain', 'uncertain'],
  ])('whoever waits for a refund of %s hears what became of it: %s %s', async (cents, status, outcome, state) => {
    const sale = await register.sale(`12${cents}`);
    const parked = await register.returnOne(sale, { refundMethod: 'cash' });
    const line: number = parked.body.items[0].entity_id;
    const resolutions = [{ rma_item_id: line, resolution_mode: 'refund', refund_method: 'original_payment' }];
    const resolve = () =>
      register.call('POST', `/V1/pos/rma/${parked.body.id}/resolve`, { resolutionsJson: JSON.stringify(resolutions) });
    const settle = () => register.settle(parked.body.id, { method: 'original_payment' });
    await control({ slow_ms: 0 });

    const answers = await Promise.all([resolve(), resolve(), resolve(), settle(), settle()]);

    const told = answers.map(({ status: of, body }) => ({ status: of, outcome: body.parameters?.outcome }));
    expect(told).toEqual(answers.map(() => ({ status, outcome })));
    expect((await attemptsOf(sale.orderId)).map((attempt) => attempt.state)).toContain(state);
  });

  test('of two registers that create the return of one sale, neither takes a declined refund for a return of its own', async () => {
    const sale = await register.sale('12.52');
    const create = () =>
      register.returnOne(sale, { refundMethod: 'original_payment', posSaleId: `declined-${sale.orderId}` });

    const answers = await Promise.all([create(), create(), create()]);

    // One that comes when all is over is answered with the return that there is.
    const told = answers.filter(({ body }) => body.reused !== true);
    expect(told.length).toBeGreaterThan(0);
    expect(told.map(({ status, body }) => [status, body.parameters?.outcome])).toEqual(
      told.map(() => [400, 'gateway_refused']),
    );
  });
});

describe('repeated request', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2 });
  });
  afterAll(() => flow.close());

  test('a register that uses its request id again for another question is answered anew', async () => {
    const register = aRegister(flow);
    const unsaid = await register.returnOne(await register.sale('12.73'), { refundMethod: 'original_payment' });
    const { refund_attempt_id: attemptId } = unsaid.body.parameters;
    const ask = (verb: string, body: object = {}) =>
      flow.api.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/${verb}`, {
        token: flow.api.tokens.register,
        headers: { 'x-request-id': 'the-same-again' },
        body,
      });

    expect((await ask('reconcile')).body).toMatchObject({ state: 'uncertain' });
    const said = { resolution: 'refunded', staffName: 'Ada', note: 'on the statement' };
    expect((await ask('resolve', said)).body).toMatchObject({ state: 'booked', resolved_by: 'Ada' });
  });
});
