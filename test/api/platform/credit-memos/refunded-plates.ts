import { afterAll, beforeAll } from '@jest/globals';
import { testApi, type TestApi } from '../../../support/api.ts';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';

export let api: TestApi;

/** A shop that sells plates. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
  });
  afterAll(() => api.close());
}

const { fork } = booksOf(() => api.orm);

export const sale = (wanted: WantedOrder = {}) => anOrder(fork(), wanted);
export const refund = (orderId: number, body: object = {}) =>
  api.call('POST', `/V1/order/${orderId}/refund`, { token: api.tokens.register, body });
export const get = (path: string) => api.call('GET', path, { token: api.tokens.register });
export const list = (filters: Record<string, string>) => {
  const query = Object.entries(filters).map(
    ([field, value], index) =>
      `searchCriteria[filter_groups][${index}][filters][0][field]=${field}&searchCriteria[filter_groups][${index}][filters][0][value]=${value}`,
  );
  return get(`/V1/creditmemos?${query.join('&')}`);
};

/** 3 at 33.33 with 10 tax, and 5 shipping: 114.99 in all. */
export const plates: WantedOrder = { lines: [{ sku: 'PLATE', qty: 3, price: '33.33', tax: '10' }], shipping: '5' };
