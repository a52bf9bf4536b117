import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from '../../../db/platform/customers/customer.entity.ts';
import type { CustomerValidator } from '../../../providers/customer-validators/customer-validator.ts';
import { createCustomerValidators } from '../../../providers/customer-validators/customer-validators.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { loseAnswer } from '../../support/books/lost-answer.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { eightAtOnce } from '../../support/rivals.ts';

/** Holds every create until all of them have been validated. */
let barrier: (() => Promise<void>) | undefined;
const books = booksOf(() => api.orm);
const { fork } = books;

const late: CustomerValidator = {
  key: 'late',
  label: 'Late',
  field: 'email',
  validate: async () => {
    await barrier?.();
    return [];
  },
};

let api: TestApi;
beforeAll(async () => {
  const pool = createCustomerValidators();
  api = await testApi({ providers: { customerValidators: { ...pool, optional: [...pool.optional, late] } } });
  await aShop(fork());
});
afterAll(() => api.close());

let people = 0;
const someone = (more: object = {}) => ({
  email: `someone${++people}@example.com`,
  firstname: 'Ada',
  lastname: 'Lovelace',
  websiteId: 1,
  ...more,
});
const create = (request: unknown, headers: Record<string, string> = {}) =>
  api.call('POST', '/V1/pos/customers', { token: api.tokens.register, body: { request }, headers });
const read = async (id: number) => (await api.call('GET', `/V1/customers/${id}`, { token: api.tokens.register })).body;
const count = (email: string) => fork().count(Customer, { email });

test('a customer is opened with an address as the cashier typed it, the company on it, without a region', async () => {
  const { body } = await create(
    someone({
      company: 'Lee Ltd',
      taxvat: 'DE136695976',
      phone: '+15185550100',
      street: '1 Main St\nFlat 2',
      city: 'Troy',
      postcode: '12180',
      countryCode: 'us',
      dob: '1990-02-28',
    }),
  );

  expect(body).toMatchObject({ success: true, errors: [{ field: 'countryCode', severity: 'normalize' }] });
  const customer = await read(body.customer_id);
  expect(customer).toMatchObject({
    firstname: 'Ada',
    taxvat: 'DE136695976',
    dob: '1990-02-28',
    group_id: 1,
    website_id: 1,
    store_id: 1,
    addresses: [
      {
        company: 'Lee Ltd',
        telephone: '+15185550100',
        street: ['1 Main St', 'Flat 2'],
        city: 'Troy',
        postcode: '12180',
        country_id: 'US',
        region_id: 0,
        default_billing: true,
        default_shipping: true,
      },
    ],
  });
  expect(customer.default_billing).toBe(String(customer.addresses[0].id));
});

test('no account is opened at a location that is not there', async () => {
  const draft = someone({ locationId: 999_999 });
  const said = 'Invalid value of "%value" provided for the %fieldName field.';
  await expectRefused({ send: () => create(draft), status: 400, said });
  expect(await count(draft.email)).toBe(0);
});

test('an account has an address only when a field of it is sent', async () => {
  const bare = await create(someone({ countryCode: 'US' }));
  expect((await read(bare.body.customer_id)).addresses).toEqual([]);
  const phoned = await create(someone({ phone: '+15185550100' }));
  expect((await read(phoned.body.customer_id)).addresses).toMatchObject([{ telephone: '+15185550100', street: [] }]);
});

test('only an error blocks; warnings come back with the success', async () => {
  const warned = await create(someone({ countryCode: 'US', postcode: 'ABC' }));
  expect(warned.body).toMatchObject({
    success: true,
    errors: [{ field: 'postcode', code: 'postcode_unusual', severity: 'warning' }],
  });
  const refused = someone({ taxvat: 'DE136695978' });
  expect((await create(refused)).body).toMatchObject({
    success: false,
    customer_id: null,
    errors: [{ code: 'vat_invalid', severity: 'error' }],
  });
  expect(await count(refused.email)).toBe(0);
});

test('the website 0 is never saved: the account is on that of the call’s store', async () => {
  const { body } = await create(someone({ websiteId: 0 }));
  expect(await read(body.customer_id)).toMatchObject({ website_id: 1, store_id: 1 });
  const inAll = await api.call('POST', '/rest/all/V1/pos/customers', {
    token: api.tokens.register,
    body: { request: someone({ websiteId: 0 }) },
  });
  expect(await read(inAll.body.customer_id)).toMatchObject({ website_id: 1, store_id: 1 });
});

test('an e-mail that has an account is a row, and no second account', async () => {
  const draft = someone();
  expect((await create(draft)).body.success).toBe(true);
  expect((await create({ ...draft, email: draft.email.toUpperCase() })).body).toMatchObject({
    success: false,
    customer_id: null,
    errors: [{ field: 'email', code: 'email_taken', severity: 'error' }],
  });
  expect(await count(draft.email)).toBe(1);
});

test('eight creates at once with one e-mail are one customer and seven rows', async () => {
  const draft = someone({ phone: '+15185550100' });
  let waiting = 0;
  let release: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  // All eight have looked for the e-mail, and found it free, before the first saves.
  barrier = () => {
    if (++waiting === 8) release();
    return all;
  };
  const answers = await eightAtOnce(() => create(draft));
  barrier = undefined;

  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
  const refused = answers.filter(({ body }) => !body.success);
  expect(refused.map(({ body }) => body.errors.map(({ code }: { code: string }) => code))).toEqual(
    Array.from({ length: 7 }, () => ['email_taken']),
  );
  expect(await count(draft.email)).toBe(1);
  expect(api.faults).toEqual([]);
});

test('the same request again under its key is the first answer', async () => {
  const draft = someone();
  const key = { 'idempotency-key': randomUUID() };
  const atOnce = await eightAtOnce(() => create(draft, key));
  const again = await create(draft, key);

  expect(again.body).toMatchObject({ success: true, errors: [] });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  // A create that comes meanwhile is told to come again; all answers are the same.
  for (const { status, body } of atOnce) if (status !== 409) expect(body).toEqual(again.body);
  expect(atOnce.some(({ status }) => status === 200)).toBe(true);
  expect(await count(draft.email)).toBe(1);
});

test('a run that takes over from one that died finds the account, and opens no second one', async () => {
  const draft = someone();
  const key = { 'idempotency-key': randomUUID() };
  const first = await create(draft, key);
  await loseAnswer(books, { made_id: first.body.customer_id });
  const second = await create(draft, key);

  expect(second.body).toEqual(first.body);
  expect(await count(draft.email)).toBe(1);
});

test('a create that names an account opens no second one', async () => {
  const { body } = await create(someone({ customerId: 1 }));
  expect(body).toMatchObject({ success: false, errors: [{ field: 'customerId', code: 'customer_exists' }] });
});
