import { afterAll, beforeAll, expect } from '@jest/globals';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { setGatewayMode } from '../../support/gateway-mode.ts';

/** The verbs a shop works a return with, over HTTP; where a gateway has to be waited for, through the workflow. */
export let flow: Flow;
export let register: Register;

/** A whole shop and one register of it. */
export function opensACounter(): void {
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2 });
    register = aRegister(flow);
    await setGatewayMode(flow.gateway, { slow_ms: 100, silence_ms: 4_000 });
  });
  afterAll(() => flow.close());
}

export const put = (rmaId: number, status: string, more: object = {}) =>
  register.call('PUT', `/V1/pos/rma/${rmaId}/status`, { status, ...more });
export const post = (rmaId: number, verb: string, body: object = {}) =>
  register.call('POST', `/V1/pos/rma/${rmaId}/${verb}`, body);
export const receive = (rmaId: number, items: object[], more: object = {}) =>
  post(rmaId, 'receive', { itemsJson: JSON.stringify(items), locationId: flow.shop.locationId, ...more });
export const resolve = (rmaId: number, resolutions: object[]) =>
  post(rmaId, 'resolve', { resolutionsJson: JSON.stringify(resolutions) });

/** A requested return of two mugs that waits for the shop. */
export async function requested(price = '10.00', order: object = { method: 'checkmo' }) {
  const sale = await register.sale(price, order);
  const { body } = await register.returnOne(sale, { autoApprove: false }, { qty_requested: 2 });
  return { sale, rmaId: body.id as number, itemId: body.items[0].entity_id as number };
}

export async function approved(price?: string, order?: object) {
  const asked = await requested(price, order);
  expect((await put(asked.rmaId, 'approved')).body).toMatchObject({ status: 'approved' });
  return asked;
}
