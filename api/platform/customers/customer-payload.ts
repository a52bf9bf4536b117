import { z } from 'zod';
import type { CustomerAddress } from '../../../db/platform/customers/customer.entity.ts';
import type { CustomerRow } from '../../../db/platform/customers/read-customers.ts';
import { isErasedAddress } from '../../../domain/customers.ts';
import type { AddressDraft, CustomerDraft } from '../../../domain/platform/customers.ts';
import { maxStreetLines, place, regionOf } from '../../wire/address-words.ts';
import {
  derived,
  fieldsOf,
  integer,
  keptAs,
  moment,
  named,
  onlySent,
  orAbsent,
  perhaps,
  reference,
  text,
} from '../../wire/fields.ts';
import { flag as sentFlag, growing, payload, recordId, text as sentText } from '../../wire/schemas.ts';

const maxAddresses = 100;
const maxAttributes = 200;

const short = orAbsent(text());
/** Longer than a name may be: the platform has its own refusal for that. */
const name = text(1_000);

/** Sent of the address, and kept by its customer. */
const isDefault = (kept: 'defaultBilling' | 'defaultShipping') => ({
  ...perhaps(
    derived(
      ({ id }: CustomerAddress, customer: CustomerRow) => (customer[kept] === id ? true : undefined),
      z.literal(true),
    ),
  ),
  sent: sentFlag,
});

/** An address (platform facts 8); what is null is left out, and a flag is there only when true. */
const address = fieldsOf(
  {
    id: reference(),
    customer_id: derived(({ customer }: CustomerAddress) => customer.id, z.int()),
    region: {
      ...derived(
        ({ regionCode = null, region = null, regionId }: CustomerAddress) => ({
          ...{ region_code: regionCode, region, region_id: regionId ?? 0 },
        }),
        z.object({ region_code: z.string().nullable(), region: z.string().nullable(), region_id: z.int() }),
      ),
      sent: place.region,
    },
    region_id: { ...derived(({ regionId }: CustomerAddress) => regionId ?? 0, z.int()), sent: place.regionId },
    region_code: onlySent(place.regionCode),
    country_id: text(),
    street: { sent: z.array(sentText(255)).max(maxStreetLines), answer: z.array(z.string()) },
    company: short,
    telephone: short,
    fax: short,
    postcode: short,
    city: text(),
    firstname: name,
    lastname: name,
    middlename: orAbsent(name),
    prefix: short,
    suffix: short,
    vat_id: short,
    default_shipping: named('isDefaultShipping', isDefault('defaultShipping')),
    default_billing: named('isDefaultBilling', isDefault('defaultBilling')),
    extension_attributes: {},
    custom_attributes: {},
  },
  'CustomerAddress',
);

export const { answer: addressAnswer, render: renderAddress } = address;

/** The id of a default address, which is answered as text. */
const defaultId = perhaps({ sent: recordId.nullable(), answer: z.string(), show: String });

const attribute = z.object({ attribute_code: z.string(), value: z.unknown() });

const customer = fieldsOf(
  {
    id: reference(),
    group_id: reference(),
    default_billing: defaultId,
    default_shipping: defaultId,
    confirmation: short,
    created_at: moment(),
    updated_at: moment(),
    created_in: perhaps(z.string()),
    dob: short,
    email: keptAs(text(1_000), (sent) => sent.trim()),
    firstname: name,
    lastname: name,
    middlename: orAbsent(name),
    prefix: short,
    suffix: short,
    gender: orAbsent(integer()),
    store_id: reference(),
    taxvat: short,
    website_id: reference(),
    addresses: {
      ...derived(
        (row: CustomerRow, addresses: readonly CustomerAddress[]) => addresses.map((one) => renderAddress(one, row)),
        z.array(addressAnswer),
      ),
      sent: z.array(address.sent).max(maxAddresses),
    },
    disable_auto_group_change: integer(),
    /** Attributes of other modules may be sent back unchanged. */
    extension_attributes: {
      ...derived(
        ({ email, isSubscribed }: CustomerRow) => ({
          is_subscribed: isSubscribed,
          ...(isErasedAddress(email) ? { is_erased: true } : {}),
        }),
        z.object({
          is_subscribed: z.boolean(),
          is_erased: z.literal(true).optional().meta({
            description:
              'The person was erased, or the account deleted: delete every copy. Only lists by `updated_at` have deleted ones.',
          }),
        }),
      ),
      sent: growing({ isSubscribed: sentFlag.optional() }),
    },
    custom_attributes: {
      ...perhaps(
        derived(({ customAttributes }: CustomerRow) => {
          const all = Object.entries(customAttributes);
          return all.length === 0 ? undefined : all.map(([attribute_code, value]) => ({ attribute_code, value }));
        }, z.array(attribute)),
      ),
      sent: z
        .array(payload({ attributeCode: sentText(64), value: z.unknown() }))
        .max(maxAttributes)
        .transform((sent) => Object.fromEntries(sent.map(({ attributeCode, value }) => [attributeCode, value]))),
    },
  },
  'Customer',
);

/** A customer with addresses (platform facts 8). */
export const { sent: customerPayload, answer: customerAnswer, render: renderCustomer } = customer;

/**
 * Translates the request into the platform's terms, without the id, and without `confirmation`, which only a new
 * account may be given.
 */
export function toCustomerDraft(sent: z.output<typeof customerPayload>): CustomerDraft {
  const {
    id: _id,
    confirmation: _confirmation,
    extensionAttributes: _extension,
    addresses,
    ...fields
  } = customer.draft(sent);
  return { ...fields, addresses: addresses?.map(toAddressDraft) };
}

function toAddressDraft(sent: z.output<typeof address.sent>): AddressDraft {
  const { region, regionId, regionCode, ...fields } = address.draft(sent);
  return { ...fields, ...regionOf({ region, regionId, regionCode }) };
}
