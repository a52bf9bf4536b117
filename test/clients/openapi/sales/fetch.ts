// A sale by openapi-fetch, with the types of openapi-typescript.
import createClient from 'openapi-fetch';
import type { paths } from './types.js';
import { aSale, mustBeComplete, token, url } from './what-is-sold.mjs';

const client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });

/** What was answered; throws what was refused. */
function answered<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const order = answered(await client.POST('/rest/V1/orders', { body: aSale() }));
const path = { orderId: order.entity_id ?? 0 };
answered(await client.POST('/rest/V1/order/{orderId}/invoice', { params: { path }, body: { capture: true } }));
answered(await client.POST('/rest/V1/order/{orderId}/ship', { params: { path }, body: {} }));
const sold = answered(await client.GET('/rest/V1/orders/{id}', { params: { path: { id: path.orderId } } }));
mustBeComplete('openapi-typescript and openapi-fetch', sold);

type Refused = paths['/rest/V1/pos/rma/{rmaId}/settle']['post']['responses']['409']['content']['application/json'];

/** Compiles only where the codes of a refusal are a union, and each says what comes with it. */
export function openAttempt({ parameters }: Refused): number | null {
  switch (parameters.outcome) {
    case 'gateway_uncertain':
      return parameters.refund_attempt_id;
    case 'return_not_ready':
      return parameters.return_id;
    case 'idempotency_key_in_use':
    case 'idempotency_answer_not_kept':
      return null;
  }
}
