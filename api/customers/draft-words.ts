import type { Outcome } from '../http/route.ts';
import { invalidField } from '../wire/outcomes.ts';

export const badLocation: Outcome = invalidField(
  'the location is not there, or belongs to another website than the one that is named',
  'Pull the locations again, and send the terminal’s own.',
);

/** A business customer of Berlin; the last digit of the VAT number is wrong. */
export const draftExample = {
  email: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Lovelace',
  websiteId: 1,
  company: 'Analytical Engines GmbH',
  taxvat: 'DE136695978',
  phone: '030 901820',
  street: 'Unter den Linden 1',
  city: 'Berlin',
  postcode: '10117',
  countryCode: 'DE',
  locationId: 1,
};
