import { afterAll, beforeAll } from '@jest/globals';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aRegister, type Register } from '../../support/register.ts';

/** What a settle takes and answers, word for word (spec 4.8), over HTTP and through the workflow. */
export let flow: Flow;
export let register: Register;

/** A whole shop and one register of it. */
export function opensACounter(): void {
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2 });
    register = aRegister(flow);
  });
  afterAll(() => flow.close());
}

export async function parked(order: object = { method: 'checkmo' }) {
  const sale = await register.sale('10.00', order);
  const { body } = await register.returnOne(sale, { refundMethod: 'terminal' });
  return { ...sale, rmaId: body.id as number };
}
