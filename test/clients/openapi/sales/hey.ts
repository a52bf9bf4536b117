// A sale by the client of @hey-api/openapi-ts.
import { client } from './hey/client.gen.js';
import { getOrder, invoiceOrder, placeOrder, shipOrder } from './hey/sdk.gen.js';
import type { SettleReturnErrors } from './hey/types.gen.js';
import { aSale, mustBeComplete, token, url } from './what-is-sold.mjs';

client.setConfig({ baseUrl: url, auth: () => token });
const { data: order } = await placeOrder({ body: aSale(), throwOnError: true });
const path = { orderId: order.entity_id ?? 0 };
await invoiceOrder({ path, body: { capture: true }, throwOnError: true });
await shipOrder({ path, body: {}, throwOnError: true });
const { data: sold } = await getOrder({ path: { id: path.orderId }, throwOnError: true });
mustBeComplete('@hey-api/openapi-ts', sold);

/** Compiles only where the codes of a refusal are a union, and each says what comes with it. */
export function openAttempt({ parameters }: SettleReturnErrors[409]): number | null {
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
