import { describe, expect, test } from 'vitest';
import { Customer } from '../../../db/platform/customers/customer.entity.ts';
import type { CustomerValidator } from '../../../providers/customer-validators/customer-validator.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  opensAShop,
  selection,
  vendor,
  api,
  locations,
  draft,
  validate,
  rowsOf,
  codesOf,
  set,
} from './a-customer-form.ts';

opensAShop();

const { fork } = booksOf(() => api.orm);

test('a customer with nothing wrong is valid', async () => {
  expect((await validate(draft)).body).toEqual({ valid: true, errors: [] });
});

test('each missing field is a row, not a refusal', async () => {
  const { status, body } = await validate({});
  expect(status).toBe(200);
  expect(body.valid).toBe(false);
  expect(body.errors.map(({ field, code, severity }: Record<string, string>) => [field, code, severity])).toEqual([
    ['email', 'email_required', 'error'],
    ['firstname', 'firstname_required', 'error'],
    ['lastname', 'lastname_required', 'error'],
  ]);
});

test.each<[string, object, string[]]>([
  ['what is no e-mail address', { email: 'nobody' }, ['email_invalid']],
  ['an e-mail in another case that has an account', { email: ' tAKEN@example.COM ' }, ['email_taken']],
  ['the same e-mail on another website', { email: 'taken@example.com', websiteId: 2 }, []],
  ['a name with signs no name has', { firstname: 'A<da>' }, ['firstname_invalid']],
  ['a city nobody can write', { city: 'x'.repeat(256) }, ['city_too_long']],
  ['an unknown country', { countryCode: 'ZZ' }, ['country_unknown']],
  ['an unknown website', { websiteId: 99 }, ['website_unknown']],
  ['a day of birth that is no day', { dob: '1990-02-30' }, ['dob_invalid']],
  ['a day of birth to come', { dob: '2999-01-01' }, ['dob_to_come']],
])('%s', async (_, more, codes) => {
  expect(await codesOf(more)).toEqual(codes);
});

test('a value that can be written better comes with it, and is good once it is taken', async () => {
  const found = await rowsOf({
    countryCode: 'GB',
    phone: '020 7946 0018',
    postcode: 'sw1a1aa',
    taxvat: 'gb 980 7806 84',
  });
  expect(found.map(({ field, severity, suggested_value: value }) => [field, severity, value])).toEqual([
    ['phone', 'normalize', '+442079460018'],
    ['postcode', 'normalize', 'SW1A 1AA'],
    ['taxvat', 'normalize', 'GB980780684'],
  ]);
  const taken = Object.fromEntries(found.map(({ field, suggested_value: value }) => [field, value]));
  expect(await rowsOf({ countryCode: 'GB', ...taken })).toEqual([]);
});

test('on an edit the customer’s own e-mail does not count as taken', async () => {
  const { id } = await fork().findOneOrFail(Customer, { email: 'Taken@Example.com' });
  expect(await codesOf({ email: 'taken@example.com', customerId: id })).toEqual([]);
  expect(await codesOf({ email: 'taken@example.com', customerId: id + 1 })).toEqual(['email_taken']);
});

describe('the website 0', () => {
  test('is that of the call’s store, where uniqueness is asked', async () => {
    const taken = { email: 'taken@example.com', websiteId: 0 };
    expect(await codesOf(taken)).toEqual(['email_taken']);
    expect(await codesOf(taken, '/rest/eu_de/V1/pos/customer-validate')).toEqual([]);
    expect(await codesOf(taken, '/rest/all/V1/pos/customer-validate')).toEqual(['email_taken']);
    const { websiteId: _left, ...without } = { ...draft, ...taken };
    expect((await validate(without)).body.errors).toHaveLength(1);
  });

  test('has the settings of the default scope, not of the resolved website', async () => {
    await set(selection, 'vat_number', 1);
    const wrong = { phone: '12', taxvat: 'DE136695978' };
    expect(await codesOf({ ...wrong, websiteId: 1 })).toEqual(['vat_invalid']);
    expect(await codesOf({ ...wrong, websiteId: 0 })).toEqual(['phone_invalid', 'vat_invalid']);
    await set(selection, null, 1);
  });
});

describe('which validators run', () => {
  const wrong = { phone: '12', taxvat: 'DE136695978', email: 'nobody' };

  test.each<[string, string, string[]]>([
    [
      'an empty selection runs all, in the order of registration',
      '',
      ['email_invalid', 'phone_invalid', 'vat_invalid'],
    ],
    [
      'a selection runs what it names, whatever its order',
      ' vat_number, phone_format ',
      ['email_invalid', 'phone_invalid', 'vat_invalid'],
    ],
    ['an unregistered key is ignored', 'gone,vat_number', ['email_invalid', 'vat_invalid']],
    ['only unregistered keys run no optional one', 'gone,away', ['email_invalid']],
  ])('%s', async (_, value, codes) => {
    await set(selection, value);
    expect(await codesOf(wrong)).toEqual(codes);
    await set(selection, null);
  });

  test('a location’s own selection counts before the website’s; without one it inherits', async () => {
    await set(selection, 'phone_format', 1);
    expect(await codesOf({ ...wrong, locationId: locations.own })).toEqual(['email_invalid', 'vat_invalid']);
    expect(await codesOf({ ...wrong, locationId: locations.inherits })).toEqual(['email_invalid', 'phone_invalid']);
    expect(await codesOf({ ...wrong, locationId: locations.free })).toEqual([
      ...['email_invalid', 'phone_invalid', 'vat_invalid'],
    ]);
    expect(await codesOf({ ...wrong, locationId: 0 })).toEqual(['email_invalid', 'phone_invalid']);
    await set(selection, null, 1);
  });

  test('a location that is not there, or is another website’s, is refused by the name of its field', async () => {
    for (const locationId of [99, -1, locations.foreign]) {
      const { status, body } = await validate({ ...draft, locationId });
      expect([status, body.parameters]).toEqual([400, { fieldName: 'locationId', value: locationId }]);
    }
    expect(await codesOf({ locationId: locations.foreign, websiteId: 0 })).toEqual([]);
    expect(await codesOf({ locationId: locations.free, websiteId: 2 })).toEqual([]);
  });
});

test('a shop with a minimum age refuses younger customers, and asks for a missing date of birth', async () => {
  await set('vendor_pos_advanced/customers/minimum_age', '18', 1);
  const today = new Date().toISOString().slice(5, 10);
  const year = new Date().getUTCFullYear();
  expect(await rowsOf({ dob: `${year - 17}-${today}` })).toMatchObject([{ code: 'too_young', severity: 'error' }]);
  expect(await codesOf({ dob: `${year - 19}-${today}` })).toEqual([]);
  expect(await rowsOf({})).toMatchObject([{ code: 'age_unknown', severity: 'warning' }]);
  expect(await codesOf({ customerId: 1 })).toEqual([]);
  await set('vendor_pos_advanced/customers/minimum_age', null, 1);
});

describe('a vendor’s validator', () => {
  test('has every severity, and its rows come last', async () => {
    const said = [
      { field: 'company', code: 'a', severity: 'error', message: 'A' },
      { field: 'company', code: 'b', severity: 'warning', message: 'B' },
      { field: 'company', code: 'c', severity: 'info', message: 'C' },
      { field: 'company', code: 'd', severity: 'normalize', message: 'D', suggestedValue: 'Lee Ltd' },
    ] as const;
    vendor.validate = () => said;
    const found = await rowsOf({ email: 'nobody' });
    const { suggestedValue, ...normalize } = said[3];
    expect(found.slice(1)).toEqual([...said.slice(0, 3), { ...normalize, suggested_value: suggestedValue }]);
  });

  test.each<[string, CustomerValidator['validate']]>([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['fails later', () => Promise.reject(new TypeError('boom'))],
    ['answers nothing', () => undefined as never],
    ['answers rows that are none', () => [{ field: 'email' }] as never],
    ['answers an unknown severity', () => [{ field: 'a', code: 'b', message: 'c', severity: 'fatal' }] as never],
    ['suggests nothing', () => [{ field: 'a', code: 'b', message: 'c', severity: 'normalize' }]],
    [
      'answers too much',
      () => Array.from({ length: 51 }, () => ({ field: 'a', code: 'b', message: 'c', severity: 'error' as const })),
    ],
    ['hangs', () => new Promise(() => undefined)],
  ])('that %s is a warning beside its field, and never a fault', async (_, behaves) => {
    vendor.validate = behaves;
    expect(await rowsOf({})).toEqual([
      {
        field: 'company',
        code: 'validator_failed',
        severity: 'warning',
        message: '"Vendor check" could not be checked.',
      },
    ]);
    expect(api.faults).toEqual([]);
  });
});

test('an unreadable field is refused, null counts as absent, and an unknown key is dropped', async () => {
  expect((await validate(undefined)).status).toBe(400);
  expect((await validate({ ...draft, websiteId: 'one' })).status).toBe(400);
  expect((await validate({ ...draft, phone: null, favouriteColour: 'blue' })).body).toEqual({
    valid: true,
    errors: [],
  });
});

test('nothing is written, however often it is asked', async () => {
  const before = await fork().count(Customer);
  await eightAtOnce(() => validate({ ...draft, email: 'nobody-yet@example.com' }));
  expect(await fork().count(Customer)).toBe(before);
});
