import { z } from 'zod';
import type { AddressDraft, CustomerDraft } from '../../../domain/platform/customers.ts';
import { maxStreetLines, optionalText, place, regionOf } from '../../wire/address-words.ts';
import { flag, growing, integer, payload, recordId, text } from '../../wire/schemas.ts';

const maxAddresses = 100;
const maxAttributes = 200;
/** Longer than a name may be: the platform has its own refusal for that. */
const nameText = text(1_000);
/** Fields that only the server sets: ignored, so that an answer can be sent back. */
const readOver = z
  .unknown()
  .transform(() => undefined)
  .optional();

const attributes = z
  .array(payload({ attributeCode: text(64), value: z.unknown() }))
  .max(maxAttributes)
  .optional();

const addressPayload = payload({
  id: recordId.optional(),
  customerId: readOver,
  ...place,
  street: z.array(text(255)).max(maxStreetLines).optional(),
  company: optionalText,
  telephone: optionalText,
  fax: optionalText,
  postcode: optionalText,
  firstname: nameText.optional(),
  lastname: nameText.optional(),
  middlename: nameText.nullish(),
  prefix: optionalText,
  suffix: optionalText,
  vatId: optionalText,
  defaultShipping: flag.optional(),
  defaultBilling: flag.optional(),
  extensionAttributes: readOver,
  customAttributes: readOver,
}).meta({ id: 'CustomerAddress' });

/** A customer that a caller sends (platform facts 8). */
export const customerPayload = payload({
  id: recordId.optional(),
  groupId: recordId.optional(),
  defaultBilling: recordId.nullish(),
  defaultShipping: recordId.nullish(),
  confirmation: optionalText,
  createdAt: readOver,
  updatedAt: readOver,
  createdIn: readOver,
  dob: optionalText,
  email: text(1_000).optional(),
  firstname: nameText.optional(),
  lastname: nameText.optional(),
  middlename: nameText.nullish(),
  prefix: optionalText,
  suffix: optionalText,
  gender: integer.nullish(),
  storeId: recordId.optional(),
  taxvat: optionalText,
  websiteId: recordId.optional(),
  addresses: z.array(addressPayload).max(maxAddresses).optional(),
  disableAutoGroupChange: integer.optional(),
  /** Attributes of other modules may be sent back unchanged. */
  extensionAttributes: growing({ isSubscribed: flag.optional() }).optional(),
  customAttributes: attributes,
}).meta({ id: 'Customer' });

/**
 * Translates the request into the platform's terms, without the id, and without `confirmation`, which only a new
 * account may be given.
 */
export function toCustomerDraft(input: z.output<typeof customerPayload>): CustomerDraft {
  const {
    id: _id,
    confirmation: _confirmation,
    extensionAttributes: _extension,
    customAttributes,
    addresses,
    email,
    ...fields
  } = input;
  return {
    ...fields,
    email: email?.trim(),
    addresses: addresses?.map(toAddressDraft),
    customAttributes:
      customAttributes &&
      Object.fromEntries(customAttributes.map(({ attributeCode, value }) => [attributeCode, value])),
  };
}

function toAddressDraft(input: z.output<typeof addressPayload>): AddressDraft {
  const { region, regionId, regionCode, defaultBilling, defaultShipping, ...fields } = input;
  return {
    ...fields,
    ...regionOf({ region, regionId, regionCode }),
    isDefaultBilling: defaultBilling,
    isDefaultShipping: defaultShipping,
  };
}
