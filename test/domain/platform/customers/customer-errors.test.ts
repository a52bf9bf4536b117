import { expect, test } from '@jest/globals';
import { addressErrors, customerErrors, isEmailAddress } from '../../../../domain/platform/customers.ts';

test.each(['a@b.co', 'first.last+tag@sub.example.com', 'zoë@münchen.example', 'o’neill@example.com'])(
  '%s is an e-mail address',
  (text) => expect(isEmailAddress(text)).toBe(true),
);

test.each([
  '',
  'a@b',
  '@b.co',
  'a@.co',
  'a b@c.de',
  'a@b.co\n',
  'a@b.co,c@d.co',
  'a@-b.co',
  '"a"@b.co',
  '<a@b.co>',
  `${'a'.repeat(65)}@b.co`,
  `a@${'b.'.repeat(130)}co`,
])('%j is none', (text) => expect(isEmailAddress(text)).toBe(false));

const ann = { email: 'ann@example.com', firstname: 'Ann', lastname: 'Lee' };
const home = { ...ann, street: ['1 Main St'], city: 'Troy', telephone: '5', postcode: '12180', countryId: 'US' };

test('a customer with an e-mail and two names is complete', () => {
  expect(customerErrors(ann)).toEqual([]);
});

test.each(['1990-02-30', '1990-13-01', '30.12.1990', '12/30/1990', '0000-01-01'])('%s is no day of birth', (dob) => {
  expect(customerErrors({ ...ann, dob })).toMatchObject([{ parameters: { fieldName: 'dob', value: dob } }]);
  expect(customerErrors({ ...ann, dob: '1992-02-29' })).toEqual([]);
});

test.each([
  ['a region of the country', { regionId: 43 }, []],
  ['no region where one is needed', {}, ['regionId']],
  ['a region of another country', { regionId: 74 }, ['regionId']],
  ['no region where none is needed', { countryId: 'DE' }, []],
  ['no postcode where there are none', { countryId: 'IE', postcode: undefined }, []],
  ['no postcode where there are some', { regionId: 43, postcode: ' ' }, ['postcode']],
  ['what is no country', { countryId: 'XX' }, ['countryId']],
  ['a blank first line of the street', { regionId: 43, street: ['  ', 'Flat 2'] }, ['street']],
])('an address with %s', (_what, change, fields) => {
  const errors = addressErrors({ ...home, ...change });

  expect(errors.map(({ parameters }) => (parameters as { fieldName: string }).fieldName)).toEqual(fields);
});
