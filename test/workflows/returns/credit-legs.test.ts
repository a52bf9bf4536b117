import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGatewayLedger } from '../../../cli/support/read-gateway-ledger.ts';
import { verify } from '../../../books/verify/verify.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aRegister, type Register } from '../../support/register.ts';

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
