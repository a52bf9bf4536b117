import { afterAll, beforeAll } from '@jest/globals';
import { StoreView, Website } from '../../../../db/platform/stores/store.entity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

export let api: TestApi;

/** A shop with customers. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi();
    const em = api.orm.em.fork();
    await aShop(em);
    em.create(Website, { websiteId: 2, code: 'eu', name: 'Europe', baseCurrencyCode: 'EUR' });
    em.create(StoreView, { storeId: 3, websiteId: 2, code: 'eu_de', name: 'Deutsch', currencyCode: 'EUR' });
    await em.flush();
  });
  afterAll(() => api.close());
}

export const get = (path: string) => api.call('GET', path, { token: api.tokens.register });
export const put = (id: number, customer: unknown) =>
  api.call('PUT', `/V1/customers/${id}`, { token: api.tokens.register, body: { customer } });
export const create = (customer: unknown, password?: string, path = '/V1/customers') =>
  api.call('POST', path, { token: api.tokens.register, body: { customer, password } });

let customers = 0;
export const someone = (more: object = {}) => ({
  email: `someone${++customers}@example.com`,
  firstname: 'Ann',
  lastname: 'Lee',
  ...more,
});
export const home = {
  firstname: 'Ann',
  lastname: 'Lee',
  street: ['1 Main St', 'Flat 2'],
  city: 'Troy',
  region: { region_id: 43 },
  postcode: '12180',
  country_id: 'US',
  telephone: '555-0100',
};
