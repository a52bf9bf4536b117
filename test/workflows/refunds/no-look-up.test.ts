import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';

let flow: Flow;
let register: Register;
beforeAll(async () => {
  flow = await aFlow({ gatewayTimeoutSeconds: 2, reconcileAfterSeconds: 1 });
  register = aRegister(flow);
});
afterAll(() => flow.close());

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
