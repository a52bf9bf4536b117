// A sale by the client of openapi-generator, typescript-fetch.
import { Configuration, PlaceOrderRequestFromJSON, SellApi } from './typescript-fetch/index.js';
import { aSale, mustBeComplete, token, url } from './what-is-sold.mjs';

const api = new SellApi(new Configuration({ basePath: url, accessToken: token }));
const order = await api.placeOrder({ placeOrderRequest: PlaceOrderRequestFromJSON(aSale()) });
const orderId = order.entityId ?? 0;
await api.invoiceOrder({ orderId, invoiceOrderRequest: { capture: true } });
await api.shipOrder({ orderId, shipOrderRequest: {} });
mustBeComplete('openapi-generator, typescript-fetch', await api.getOrder({ id: orderId }));
