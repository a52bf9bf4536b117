import { anyAccess, guestAccess, ownAccess, type CartAccess } from '../../../api/platform/carts/cart-access.ts';
import type { Answer, TestApi } from '../api.ts';
import { aShopper, troy } from './cart.ts';

/** A cart behind one of the three doors, called by what follows the door's path. */
export interface CartBehind {
  call: (method: string, path?: string, body?: unknown) => Promise<Answer>;
  put: (sku: string, qty?: unknown) => Promise<Answer>;
  /** By the flat rate, to Troy. */
  ship: (more?: object) => Promise<Answer>;
}

export interface ToCarts {
  door: CartAccess;
  /** An empty cart of its own. */
  open: (api: TestApi) => Promise<CartBehind>;
  /** The same calls, without a cart. */
  nowhere: (api: TestApi) => Promise<CartBehind>;
}

export const shippedToTroy = (more: object = {}) => ({
  addressInformation: {
    ...{ shippingAddress: troy, billingAddress: troy, shippingCarrierCode: 'flatrate', shippingMethodCode: 'flatrate' },
    ...more,
  },
});

const behind = (call: CartBehind['call']): CartBehind => ({
  call,
  put: (sku, qty = 1) => call('POST', '/items', { cartItem: { sku, qty } }),
  ship: (more = {}) => call('POST', '/shipping-information', shippedToTroy(more)),
});

const calls = (api: TestApi, base: string, token?: string) =>
  behind((method, path = '', body) =>
    api.call(method, base + path, {
      ...(token === undefined ? {} : { token }),
      ...(body === undefined ? {} : { body }),
    }),
  );

/** The customer's, the guest's and the administrator's way to a cart. */
export const waysToCarts: readonly ToCarts[] = [
  {
    door: ownAccess,
    async open(api) {
      const shopper = await aShopper(api);
      await shopper.open();
      return behind(shopper.call);
    },
    nowhere: async (api) => behind((await aShopper(api)).call),
  },
  {
    door: guestAccess,
    open: async (api) => calls(api, `/V1/guest-carts/${(await api.call('POST', '/V1/guest-carts')).body}`),
    nowhere: async (api) => calls(api, `/V1/guest-carts/${'f'.repeat(32)}`),
  },
  {
    door: anyAccess,
    async open(api) {
      const { admin } = api.tokens;
      const { body: cartId } = await api.call('POST', '/V1/carts', { token: admin });
      return calls(api, `/V1/carts/${cartId}`, admin);
    },
    nowhere: async (api) => calls(api, '/V1/carts/999999', api.tokens.admin),
  },
];
