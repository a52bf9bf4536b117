import { z } from 'zod';
import type { CustomerAddress } from '../../../db/platform/customers/customer.entity.ts';
import type { CustomerRow } from '../../../db/platform/customers/read-customers.ts';
import { isErasedAddress } from '../../../domain/customers.ts';
import { noSuchEntityOfTwo, severalInputErrors } from '../../../domain/refusals/platform.ts';
import type { Outcome } from '../../http/route.ts';
import { toStockDate } from '../../wire/criteria.ts';
import { unknownEntity } from '../../wire/outcomes.ts';

const optionalText = z.string().optional();

/** An address as answers have it (platform facts 8); what is null is left out, and a flag is there only when true. */
export const addressAnswer = z
  .object({
    id: z.int(),
    customer_id: z.int(),
    region: z.object({ region_code: z.string().nullable(), region: z.string().nullable(), region_id: z.int() }),
    region_id: z.int(),
    country_id: z.string(),
    street: z.array(z.string()),
    company: optionalText,
    telephone: optionalText,
    fax: optionalText,
    postcode: optionalText,
    city: z.string(),
    firstname: z.string(),
    lastname: z.string(),
    middlename: optionalText,
    prefix: optionalText,
    suffix: optionalText,
    vat_id: optionalText,
    default_shipping: z.literal(true).optional(),
    default_billing: z.literal(true).optional(),
  })
  .meta({ id: 'CustomerAddress' });

export const customerAnswer = z
  .object({
    id: z.int(),
    group_id: z.int(),
    default_billing: optionalText,
    default_shipping: optionalText,
    confirmation: optionalText,
    created_at: z.string(),
    updated_at: z.string(),
    created_in: optionalText,
    dob: optionalText,
    email: z.string(),
    firstname: z.string(),
    lastname: z.string(),
    middlename: optionalText,
    prefix: optionalText,
    suffix: optionalText,
    gender: z.int().optional(),
    store_id: z.int(),
    taxvat: optionalText,
    website_id: z.int(),
    addresses: z.array(addressAnswer),
    disable_auto_group_change: z.int(),
    extension_attributes: z.object({
      is_subscribed: z.boolean(),
      is_erased: z.literal(true).optional().meta({
        description:
          'The person was erased, or the account deleted: delete every copy. Only lists by `updated_at` have deleted ones.',
      }),
    }),
    custom_attributes: z.array(z.object({ attribute_code: z.string(), value: z.unknown() })).optional(),
  })
  .meta({ id: 'Customer' });

type CustomerAnswer = z.input<typeof customerAnswer>;
type AddressAnswer = z.input<typeof addressAnswer>;

/** A customer with addresses; defaults are texts with the address's id (platform facts 8). */
export function renderCustomer(row: CustomerRow, addresses: readonly CustomerAddress[]): CustomerAnswer {
  const attributes = Object.entries(row.customAttributes);
  return {
    id: row.id,
    group_id: row.groupId,
    ...(typeof row.defaultBilling === 'number' ? { default_billing: String(row.defaultBilling) } : {}),
    ...(typeof row.defaultShipping === 'number' ? { default_shipping: String(row.defaultShipping) } : {}),
    ...texts({ confirmation: row.confirmation }),
    created_at: toStockDate(row.createdAt),
    updated_at: toStockDate(row.updatedAt),
    ...texts({ created_in: row.createdIn, dob: row.dob }),
    email: row.email,
    firstname: row.firstname,
    lastname: row.lastname,
    ...texts({ middlename: row.middlename, prefix: row.prefix, suffix: row.suffix }),
    ...(typeof row.gender === 'number' ? { gender: row.gender } : {}),
    store_id: row.storeId,
    ...texts({ taxvat: row.taxvat }),
    website_id: row.websiteId,
    addresses: addresses.map((address) => renderAddress(address, row)),
    disable_auto_group_change: row.disableAutoGroupChange,
    extension_attributes: {
      is_subscribed: row.isSubscribed,
      ...(isErasedAddress(row.email) ? { is_erased: true as const } : {}),
    },
    ...(attributes.length === 0
      ? {}
      : { custom_attributes: attributes.map(([attribute_code, value]) => ({ attribute_code, value })) }),
  };
}

/** One of its addresses. */
export function renderAddress(address: CustomerAddress, customer: CustomerRow): AddressAnswer {
  const regionId = address.regionId ?? 0;
  return {
    id: address.id,
    customer_id: address.customer.id,
    region: { region_code: address.regionCode ?? null, region: address.region ?? null, region_id: regionId },
    region_id: regionId,
    country_id: address.countryId,
    street: address.street,
    ...texts({ company: address.company, telephone: address.telephone, fax: address.fax, postcode: address.postcode }),
    city: address.city,
    firstname: address.firstname,
    lastname: address.lastname,
    ...texts({ middlename: address.middlename, prefix: address.prefix, suffix: address.suffix }),
    ...texts({ vat_id: address.vatId }),
    ...(customer.defaultShipping === address.id ? { default_shipping: true } : {}),
    ...(customer.defaultBilling === address.id ? { default_billing: true } : {}),
  };
}

/** The texts that are not null: the platform leaves the others out. */
function texts<Name extends string>(input: Record<Name, string | null | undefined>): { [Key in Name]?: string } {
  const stored: { [Key in Name]?: string } = {};
  for (const name in input) {
    const text = input[name];
    if (text !== null && text !== undefined) stored[name] = text;
  }
  return stored;
}

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
