import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aRegister } from '../../support/register.ts';

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
