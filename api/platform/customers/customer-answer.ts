import type { z } from 'zod';
import { noSuchEntityOfTwo, severalInputErrors } from '../../../domain/refusals/platform.ts';
import type { Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import type { addressAnswer, customerAnswer } from './customer-payload.ts';

type CustomerAnswer = z.input<typeof customerAnswer>;
type AddressAnswer = z.input<typeof addressAnswer>;

export const unknownCustomer: Outcome = unknownEntity('There is no customer of this id.');

export const unknownAddress: Outcome = unknownEntity('There is no address of this id.');

export const exampleAddress: AddressAnswer = {
  ...{ id: 1, customer_id: 1, region: { region_code: 'NY', region: 'New York', region_id: 43 }, region_id: 43 },
  ...{ country_id: 'US', street: ['1 Main St'], telephone: '555-0100', postcode: '12180', city: 'Troy' },
  ...{ firstname: 'Ann', lastname: 'Lee', default_billing: true },
};

export const exampleCustomer: CustomerAnswer = {
  ...{ id: 1, group_id: 1, default_billing: '1', created_at: '2026-11-21 09:00:00', updated_at: '2026-11-21 09:00:00' },
  ...{ created_in: 'Default Store View', email: 'ann@example.com', firstname: 'Ann', lastname: 'Lee', store_id: 1 },
  ...{ website_id: 1, addresses: [exampleAddress], disable_auto_group_change: 0 },
  extension_attributes: { is_subscribed: false },
};

export const emailTaken: Outcome = {
  status: 400,
  message: 'A customer with the same email address already exists in an associated website.',
  when: 'Another account of the website has the e-mail.',
};

export const faultyCustomer: Outcome = severalInputErrors.because(
  'Names or the e-mail are missing or wrong; `errors` has each of them. One fault alone is the sentence itself.',
);

export const weakPassword: Outcome = {
  status: 400,
  message: 'The password needs at least %1 characters. Create a new password and try again.',
  when: 'The password is weak; other sentences say what else it lacks.',
};

export const unknownAccount: Outcome = noSuchEntityOfTwo.because('No account of the website has the e-mail.');

/** 404 of the platform for an e-mail without an account (platform facts 2.3). */
export const noSuchAccount = (email: string, websiteId: number) =>
  noSuchEntityOfTwo({ fieldName: 'email', fieldValue: email, field2Name: 'websiteId', field2Value: websiteId });
