import { type Shopper } from '../../support/builders/cart.ts';
import { api } from '../../support/cart-shop.ts';

export { api, opensACartShop as opensAShop } from '../../support/cart-shop.ts';

export const admin = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
export const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;
export const apply = ({ call }: Shopper) => call('POST', '/store-credit/apply');
export const remove = ({ call }: Shopper) => call('POST', '/store-credit/remove');
export const creditOf = async ({ call }: Shopper) => (await call('GET', '/store-credit')).body;
