import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aShop } from '../../support/builders/shop.ts';

export let api: TestApi;
export let locationId: number;

/** A shop whose registers park carts. */
export function opensACartRack(): void {
  beforeAll(async () => {
    api = await testApi();
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });
}

const { fork, insert, findOne } = booksOf(() => api.orm);
export const aCart = (more: Record<string, unknown> = {}) => ({
  location_id: locationId,
  cart_uuid: randomUUID(),
  cart_data: '{"lines":[{"sku":"MUG","qty":2}]}',
  customer_name: 'Grace Hopper',
  item_count: 2,
  grand_total: 108.5,
  currency_code: 'USD',
  ...more,
});
export const call = (method: string, path: string, body?: unknown) =>
  api.call(method, `/V1/pos/held-carts${path}`, {
    token: api.tokens.register,
    ...(body === undefined ? {} : { body }),
  });
export const hold = (heldCart: unknown) => call('POST', '', { heldCart });
export const recall = (id: number, staffId: unknown = 1) => call('POST', `/${id}/recall`, { staffId });
export const list = (query = '', at = locationId, etag?: string) =>
  api.call('GET', `/V1/pos/held-carts/location/${at}${query}`, {
    token: api.tokens.register,
    ...(etag === undefined ? {} : { headers: { 'if-none-match': etag } }),
  });
export const idsOf = async (query?: string, at?: number) =>
  (await list(query, at)).body.map((cart: { held_cart_id: number }) => cart.held_cart_id);
export const aLocation = async (code: string): Promise<number> => {
  await insert('pos_location', { name: code, code });
  return (await findOne('pos_location', { code }, 'location_id')).location_id;
};
