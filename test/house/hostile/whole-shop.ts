import { randomUUID } from 'node:crypto';
import type { AnyRoute } from '../../../api/http/route.ts';
import type { TestApi } from '../../support/api.ts';
import { aShopper, aShopperWithMugs } from '../../support/builders/cart.ts';
import { aReceipt, aRole } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anAddress, aPostedSale } from '../../support/builders/posted-sale.ts';
import { InnerJson } from './sample-body.ts';
import { registerSessionSamples } from './register-session-samples.ts';
import { returnSamples } from './return-samples.ts';
import type { Wanted } from './wanted.ts';
import { furnishedShop, type FurnishedShop } from './furnished-shop.ts';

/** A call that a route would carry out, or nearly: hostile values then get as far as they can. */
export interface Sample {
  path: string;
  token: string;
  body: unknown;
}

/** A furnished shop, and for each route a call to it. */
export async function wholeShop(api: TestApi, place: { locationId: number }) {
  const shop = await furnishedShop(api, place);
  const { ids, shopper } = shop;
  const samples = samplesOf(shop);
  return {
    /** A call the route can work on; made anew each time, for routes that use it up. */
    async sampleOf(route: AnyRoute): Promise<Sample> {
      const wanted = (await samples[`${route.method} ${route.path}`]?.()) ?? {};
      const params: Record<string, string | number> = { ...ids, rmaId: 1, ...wanted.params };
      const path = route.path.replaceAll(/:(\w+)/g, (_variable, name: string) => String(params[name] ?? 1));
      const token = wanted.token ?? (route.acl === 'self' ? shopper.token : api.tokens.admin);
      return { path, token, body: wanted.body ?? {} };
    },
  };
}

export type WholeShop = Awaited<ReturnType<typeof wholeShop>>;

function samplesOf(shop: FurnishedShop): Record<string, () => Wanted | Promise<Wanted>> {
  const { api, locationId, em, sale, unpaid, customerId, bought, terminal, member, code, aHeldCart } = shop;
  const { aMove } = shop;
  return {
    'POST /V1/integration/admin/token': () => ({ body: { username: 'nobody', password: 'wrong' } }),
    'POST /V1/integration/customer/token': () => ({ body: { username: 'nobody@shop.test', password: 'wrong' } }),
    'POST /V1/integration/customer/revoke-customer-token': async () => ({
      token: await api.customerToken(customerId),
    }),
    'POST /V1/products': () => ({ body: { product: { sku: 'NEW', name: 'New', price: 1, attributeSetId: 4 } } }),
    'PUT /V1/products/:sku': () => ({ body: { product: { price: 2 } }, params: { sku: 'PLATE' } }),
    'PUT /V1/products/:sku/stockItems/:itemId': () => ({ body: { stockItem: { qty: 90 } }, params: { sku: 'PLATE' } }),
    'POST /V1/inventory/source-items': () => ({
      body: { sourceItems: [{ sku: 'PLATE', sourceCode: 'floor', quantity: 5, status: 1 }] },
    }),
    'POST /V1/customers': () => ({
      body: { customer: { email: `${randomUUID()}@x.test`, firstname: 'A', lastname: 'B', websiteId: 1 } },
    }),
    'PUT /V1/customers/:customerId': () => ({
      body: { customer: { id: customerId, email: 'again@x.test', firstname: 'A', lastname: 'B', websiteId: 1 } },
    }),
    'POST /V1/carts/mine/items': () => ({ body: { cartItem: { sku: 'MUG', qty: 1 } } }),
    'PUT /V1/carts/mine/items/:itemId': () => ({ body: { cartItem: { qty: 1 } } }),
    'POST /V1/carts/mine/billing-address': () => ({ body: { address: anAddress() } }),
    'POST /V1/carts/mine/estimate-shipping-methods': () => ({ body: { address: { countryId: 'US', regionId: 43 } } }),
    'POST /V1/carts/mine/shipping-information': () => ({
      body: {
        addressInformation: {
          shippingAddress: anAddress(),
          billingAddress: anAddress(),
          shippingCarrierCode: 'flatrate',
          shippingMethodCode: 'flatrate',
        },
      },
    }),
    'POST /V1/carts/mine/set-payment-information': () => ({ body: { paymentMethod: { method: 'checkmo' } } }),
    'POST /V1/carts/mine/payment-information': async () => ({
      token: (await aShopperWithMugs(api)).token,
      body: { paymentMethod: { method: 'checkmo' } },
    }),
    'PUT /V1/carts/mine/order': async () => ({
      token: (await aShopperWithMugs(api)).token,
      body: { paymentMethod: { method: 'checkmo' } },
    }),
    'POST /V1/carts/mine': async () => ({ token: (await aShopper(api)).token }),
    'POST /V1/orders': () => ({ body: { entity: aPostedSale({ customer_id: null, customer_is_guest: 1 }) } }),
    'PUT /V1/orders/create': () => ({ body: { entity: aPostedSale({ customer_id: null, customer_is_guest: 1 }) } }),
    'POST /V1/orders/:id/comments': async () => ({
      params: { id: bought.orderId },
      body: { statusHistory: { comment: 'x', isCustomerNotified: 0, isVisibleOnFront: 0 } },
    }),
    'POST /V1/orders/:id/cancel': async () => ({ params: { id: (await unpaid()).orderId } }),
    'POST /V1/order/:orderId/invoice': async () => ({ params: { orderId: (await unpaid()).orderId }, body: {} }),
    'POST /V1/order/:orderId/ship': async () => ({
      params: { orderId: (await anOrder(em(), { shipped: false })).orderId },
      body: {},
    }),
    'POST /V1/order/:orderId/refund': async () => {
      const { orderId, itemIds } = await sale();
      return { params: { orderId }, body: { items: [{ orderItemId: itemIds[0], qty: 1 }], arguments: {} } };
    },
    'POST /V1/invoices': async () => ({ body: { entity: { orderId: (await unpaid()).orderId } } }),
    'POST /V1/invoices/:id/capture': async () => ({ params: { id: bought.invoiceId ?? 0 } }),
    'POST /V1/pos/locations': () => ({
      body: { location: { name: 'New', code: randomUUID().slice(0, 8), websiteId: 1 } },
    }),
    'PUT /V1/pos/locations/:locationId': () => ({ body: { location: { name: 'High Street' } } }),
    'POST /V1/pos/terminals': () => ({ body: { terminal: { name: 'Till', locationId } } }),
    'PUT /V1/pos/terminals/:terminalId': () => ({ body: { terminal: { name: 'Till' } } }),
    'POST /V1/pos/terminals/activate': () => ({ body: { activationCode: 'ABCD1234', deviceIdentifier: 'ipad-1' } }),
    'POST /V1/pos/terminals/deactivate': () => ({
      body: { terminalId: terminal.terminalId, deviceIdentifier: 'other' },
    }),
    'POST /V1/pos/terminals/:terminalId/heartbeat': () => ({ body: { deviceIdentifier: terminal.deviceIdentifier } }),
    'POST /V1/pos/terminals/:terminalId/license/refresh': () => ({
      body: { deviceIdentifier: terminal.deviceIdentifier },
    }),
    'POST /V1/pos/staff/authenticate': () => ({ body: { email: member.email, passcode: '1234' } }),
    'POST /V1/pos/staff/session/validate': () => ({ body: { token: 'a'.repeat(64) } }),
    'POST /V1/pos/staff': () => ({
      body: {
        staff: {
          first_name: 'A',
          last_name: 'B',
          email: `${randomUUID()}@x.test`,
          passcode: '4321',
          role_id: member.roleId,
        },
      },
    }),
    'PUT /V1/pos/staff/:staffId': () => ({ body: { staff: { first_name: 'A' } } }),
    'POST /V1/pos/staff/:staffId/locations': () => ({ body: { locationId } }),
    'POST /V1/pos/roles': () => ({ body: { role: { name: 'R', permissions: '{"place_orders":true}' } } }),
    'PUT /V1/pos/roles/:roleId': async () => ({
      params: { roleId: await aRole(em(), { name: 'R', permissions: '{}' }) },
      body: { role: { permissions: '{"place_orders":true}' } },
    }),
    'POST /V1/pos/held-carts': () => ({ body: { heldCart: { ...aHeldCart, cartUuid: randomUUID() } } }),
    'POST /V1/pos/audit-log': () => ({
      body: { entries: [{ entityType: 'location', entityId: '1', fieldName: 'name', oldValue: 'a', newValue: 'b' }] },
    }),
    'POST /V1/pos/telemetry': () => ({
      body: {
        payload: {
          location_id: locationId,
          terminal_id: terminal.terminalId,
          device_id: 'ipad-1',
          app_version: '1',
          events: [
            { event_type: 'counter', event_name: 'x', event_data: { a: 1 }, value: 1, recorded_at: '2026-11-21' },
          ],
        },
      },
    }),
    'POST /V1/pos/receipts': () => ({
      body: {
        receipt: aReceipt(terminal.terminalId, {
          rawPayload: new InnerJson({ a: 1 }),
          receiptModel: new InnerJson({ schema_version: 1 }),
          splitPayments: new InnerJson([{ method: 'cash', amount: 1 }]),
        }),
      },
    }),
    'POST /V1/pos/layaways/:orderId/payments': async () => ({
      params: { orderId: (await anOrder(em(), { layaway: true })).orderId },
      body: { amount: 10, paymentMethod: 'cash', reference: randomUUID() },
    }),
    'POST /V1/pos/layaways/:orderId/cancel': async () => ({
      params: { orderId: (await anOrder(em(), { layaway: true })).orderId },
      body: { feePercent: 10, reason: 'x' },
    }),
    'POST /V1/pos/orders/:orderId/due-payments': () => ({ body: { reference: randomUUID(), amount: 1 } }),
    ...registerSessionSamples(shop),
    ...returnSamples(shop),
    'POST /V1/pos/refunds/preview': () => ({
      body: { orderId: bought.orderId, items: new InnerJson([{ order_item_id: bought.itemIds[0], qty: 1 }]) },
    }),
    'POST /V1/pos/credits/applicable': () => ({
      body: {
        credit_type: 'gift_card',
        customer_id: customerId,
        code,
        store_id: 1,
        subtotal: 10,
        grand_total: 10,
        lines: [{ sku: 'MUG', qty: 1, row_total: 10, row_total_incl_tax: 10, discount_amount: 0 }],
        applied_credits: [{ credit_type: 'store_credit', amount: 1, code: 'x', points: 1, applies_as: 'tender' }],
      },
    }),
    'POST /V1/pos/credits/refund': () => ({
      body: {
        orderId: String(bought.orderId),
        creditType: 'gift_card',
        provider: '',
        amount: 0.01,
        code,
        customerId,
        reason: 'x',
      },
    }),
    'POST /V1/vendor-store-credit/credit': () => ({ body: aMove({ amount: 1 }) }),
    'POST /V1/vendor-store-credit/debit': () => ({ body: aMove({ amount: 0.01 }) }),
    'POST /V1/vendor-store-credit/adjust': () => ({ body: aMove({ delta: 1 }) }),
  };
}
