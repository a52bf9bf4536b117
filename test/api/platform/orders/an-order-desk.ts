import { afterAll, beforeAll, expect } from '@jest/globals';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';

export let api: TestApi;

/** A shop whose orders come from a register. */
export function opensAnOrderDesk(): void {
  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
  });
  afterAll(() => api.close());
}

const { fork } = booksOf(() => api.orm);

export const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
export const place = async (over: Record<string, unknown> = {}) => {
  const answer = await call('POST', '/V1/orders', { entity: aPostedSale(over) });
  expect(answer.status).toBe(200);
  return answer.body;
};
export const refusalOf = async (entity: unknown) => {
  const { status, body } = await call('POST', '/V1/orders', { entity });
  return { status, ...body };
};
export const filter = (field: string, value: string, condition = 'eq', group = 0) =>
  Object.entries({ field, value, condition_type: condition })
    .map(([key, text]) => `searchCriteria[filter_groups][${group}][filters][0][${key}]=${encodeURIComponent(text)}`)
    .join('&');
