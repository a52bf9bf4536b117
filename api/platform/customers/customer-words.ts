import type { Outcome } from '../../http/route.ts';
import type { AddressAnswer, CustomerAnswer } from './customer-answer.ts';
import { unknownEntity } from '../../wire/outcomes.ts';

/** Texts that routes of customers share. */

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
