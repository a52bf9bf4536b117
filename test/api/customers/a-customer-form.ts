import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { Location } from '../../../db/locations/location.entity.ts';
import { Customer } from '../../../db/platform/customers/customer.entity.ts';
import { StoreView, Website } from '../../../db/platform/stores/store.entity.ts';
import { createSecretBox } from '../../../db/support/secret-box.ts';
import { createCustomerValidators, type CustomerValidator } from '../../../providers/customer-validators.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

const { fork } = booksOf(() => api.orm);

const secretBox = createSecretBox(Buffer.alloc(32).toString('base64'));
export const selection = 'vendor_pos_terminal/customers/validators';

/** A vendor's, as this test's vendor has it. */
export const vendor: Partial<CustomerValidator> = {};
const ofVendor: CustomerValidator = {
  key: 'vendor_check',
  label: 'Vendor check',
  field: 'company',
  validate: (...given) => (vendor.validate ? vendor.validate(...given) : []),
};
const pool = createCustomerValidators();

export let api: TestApi;
export let locations: { own: number; free: number; inherits: number; foreign: number };

/** Shops with validators of their own. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi({ providers: { customerValidators: { ...pool, optional: [...pool.optional, ofVendor] } } });
    const em = fork();
    await aShop(em);
    em.create(Website, { websiteId: 2, code: 'eu', name: 'Europe', baseCurrencyCode: 'EUR' });
    em.create(StoreView, { storeId: 3, websiteId: 2, code: 'eu_de', name: 'Deutsch', currencyCode: 'EUR' });
    const place = (code: string, websiteId: number, customerValidators: string | null) =>
      em.create(Location, { name: code, code, websiteId, customerValidators });
    const own = place('own', 1, 'vat_number');
    const free = place('free', 0, '');
    const inherits = place('inherits', 1, null);
    const foreign = place('foreign', 2, null);
    em.create(Customer, {
      email: 'Taken@Example.com',
      firstname: 'Ann',
      lastname: 'Lee',
      websiteId: 1,
      storeId: 1,
      groupId: 1,
      customAttributes: {},
      defaultBilling: null,
      defaultShipping: null,
    });
    await em.flush();
    locations = {
      own: own.locationId,
      free: free.locationId,
      inherits: inherits.locationId,
      foreign: foreign.locationId,
    };
  });
  afterAll(() => api.close());
  beforeEach(() => {
    delete vendor.validate;
  });
}

export const draft = { email: 'new@example.com', firstname: 'Ada', lastname: 'Lovelace', websiteId: 1 };
export const validate = (request: unknown, path = '/V1/pos/customer-validate') =>
  api.call('POST', path, { token: api.tokens.register, body: { request } });
export const rowsOf = async (more: object, path?: string) => {
  const { status, body } = await validate({ ...draft, ...more }, path);
  expect([status, body.valid]).toEqual([
    200,
    body.errors.every(({ severity }: { severity: string }) => severity !== 'error'),
  ]);
  return body.errors as { field: string; code: string; severity: string; message: string; suggested_value?: string }[];
};
export const codesOf = async (more: object, path?: string) => (await rowsOf(more, path)).map(({ code }) => code);
export const set = (path: string, value: string | null, websiteId?: number) =>
  setConfigValue(fork(), secretBox, {
    path,
    value,
    ...(websiteId === undefined ? {} : { scope: 'websites', scopeId: websiteId }),
  });
