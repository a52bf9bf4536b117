import { z } from 'zod';
import type { CartAddressDraft } from '../../../db/platform/carts/save-cart-address.ts';
import { eachOf } from '../../wire/each-of.ts';
import { maxStreetLines, optionalText, place, regionOf } from '../../wire/address-words.ts';
import { flag, integer, payload, text } from '../../wire/schemas.ts';

/** What only the server says, and what a cart has no use for. */
const readOver = ['id', 'customerId', 'addressType', 'quoteId'] as const;

/** An address of a cart that a caller sends (platform facts 8, 11). */
export const cartAddressPayload = payload({
  ...place,
  street: z.union([z.array(text(255)).max(maxStreetLines), text(255).transform((line) => [line])]).optional(),
  firstname: text(1_000).optional(),
  lastname: text(1_000).optional(),
  ...eachOf(
    ['middlename', 'prefix', 'suffix', 'company', 'telephone', 'fax', 'postcode', 'vatId', 'email'],
    optionalText,
  ),
  customerAddressId: integer.nullish(),
  sameAsBilling: flag.nullish(),
  saveInAddressBook: flag.nullish(),
  ...eachOf([...readOver, 'extensionAttributes', 'customAttributes'], z.unknown().optional()),
}).meta({ id: 'CartAddress' });

/** Translates the request into the cart's terms. */
export const toCartAddress = (given: z.output<typeof cartAddressPayload>): CartAddressDraft => ({
  firstname: given.firstname,
  lastname: given.lastname,
  middlename: given.middlename,
  prefix: given.prefix,
  suffix: given.suffix,
  company: given.company,
  street: given.street,
  city: given.city,
  postcode: given.postcode,
  countryId: given.countryId,
  ...regionOf(given),
  telephone: given.telephone,
  fax: given.fax,
  vatId: given.vatId,
  email: given.email,
  customerAddressId: given.customerAddressId || undefined,
  sameAsBilling: given.sameAsBilling ?? undefined,
  saveInAddressBook: given.saveInAddressBook ?? undefined,
});
