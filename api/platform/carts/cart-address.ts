import { z } from 'zod';
import type { CartAddress } from '../../../db/platform/carts/read-offers.ts';
import type { CartAddressDraft } from '../../../db/platform/carts/save-cart-address.ts';
import { maxStreetLines, place, regionOf } from '../../wire/address-words.ts';
import { derived, fieldsOf, named, orNull, perhaps, text } from '../../wire/fields.ts';
import { flag as sentFlag, recordId, text as sentText } from '../../wire/schemas.ts';

interface Owner {
  customerId: number | null;
  email: string | null;
}

const nullable = orNull(text());
const name = { sent: sentText(1_000), answer: z.string().nullable() };
/** Left out where it is empty, too. */
const unlessEmpty = {
  ...perhaps({ ...nullable, answer: z.string() }),
  show: (stored: string) => stored || undefined,
};
/** Answered as 0 or 1. */
const digit = { sent: sentFlag.nullable(), answer: z.int(), show: Number };

/** An address of a cart; what is not known is null or left out, as the platform has it (platform facts 8, 11). */
const address = fieldsOf(
  {
    id: named('addressId', perhaps(z.int())),
    region: { sent: place.region, answer: z.string().nullable() },
    region_id: { sent: place.regionId, answer: z.int().nullable() },
    region_code: { sent: place.regionCode, answer: z.string().nullable() },
    country_id: { sent: place.countryId, answer: z.string().nullable() },
    street: {
      sent: z.union([z.array(sentText(255)).max(maxStreetLines), sentText(255).transform((line) => [line])]),
      answer: z.array(z.string()),
    },
    telephone: nullable,
    postcode: nullable,
    city: { sent: place.city, answer: z.string().nullable() },
    firstname: name,
    lastname: name,
    email: { ...nullable, ...derived((one: CartAddress, owner: Owner) => one.email ?? owner.email, nullable) },
    middlename: unlessEmpty,
    prefix: unlessEmpty,
    suffix: unlessEmpty,
    company: unlessEmpty,
    fax: unlessEmpty,
    vat_id: unlessEmpty,
    customer_id: perhaps(derived((_: CartAddress, { customerId }: Owner) => customerId, z.int())),
    customer_address_id: {
      ...perhaps(derived(({ customerAddressId: id }: CartAddress) => id || undefined, z.int())),
      sent: recordId.nullable(),
    },
    same_as_billing: digit,
    save_in_address_book: digit,
    address_type: {},
    quote_id: {},
    extension_attributes: {},
    custom_attributes: {},
  },
  'CartAddress',
);

export const { sent: cartAddressPayload, answer: cartAddressAnswer } = address;

/** Nothing of it is known yet: the platform answers an empty address. */
const empty = { street: [], sameAsBilling: false, saveInAddressBook: false } as unknown as CartAddress;

export const renderCartAddress = (one: CartAddress | undefined, owner: Owner) => address.render(one ?? empty, owner);

/** Translates the request into the cart's terms. */
export function toCartAddress(sent: z.output<typeof cartAddressPayload>): CartAddressDraft {
  const { customerAddressId, sameAsBilling, saveInAddressBook, region, regionCode, regionId, ...fields } =
    address.draft(sent);
  return {
    ...fields,
    ...regionOf({ region, regionCode, regionId }),
    customerAddressId: customerAddressId || undefined,
    sameAsBilling: sameAsBilling ?? undefined,
    saveInAddressBook: saveInAddressBook ?? undefined,
  };
}
