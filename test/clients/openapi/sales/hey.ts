// A sale by the client of @hey-api/openapi-ts.
import { client } from './hey/client.gen.js';
import { getOrder, invoiceOrder, placeOrder, shipOrder } from './hey/sdk.gen.js';
import { aSale, mustBeComplete, token, url } from './what-is-sold.mjs';

client.setConfig({ baseUrl: url, auth: () => token });
const { data: order } = await placeOrder({ body: aSale(), throwOnError: true });
const path = { orderId: order.entity_id ?? 0 };
await invoiceOrder({ path, body: { capture: true }, throwOnError: true });
await shipOrder({ path, body: {}, throwOnError: true });
const { data: sold } = await getOrder({ path: { id: path.orderId }, throwOnError: true });
mustBeComplete('@hey-api/openapi-ts', sold);
