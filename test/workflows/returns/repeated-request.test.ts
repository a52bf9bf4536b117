import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aRegister } from '../../support/register.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow({ gatewayTimeoutSeconds: 2 });
});
afterAll(() => flow.close());

test('a register that repeats its request id after a new state asks anew, and gets a new outcome', async () => {
  const register = aRegister(flow);
  const sale = await register.sale('12.51');
  const parked = await register.returnOne(sale, { refundMethod: 'cash' });
  const settle = (method: string) =>
    flow.api.call('POST', `/V1/pos/rma/${parked.body.id}/settle`, {
      token: flow.api.tokens.register,
      headers: { 'x-request-id': 'the-same-again' },
      body: { method },
    });

  expect((await settle('original_payment')).body.parameters).toMatchObject({ outcome: 'gateway_refused' });
  expect((await settle('cash')).body).toMatchObject({ status: 'closed', refund_method: 'cash' });
});
