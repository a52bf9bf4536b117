import { z } from 'zod';
import type { CartAddressDraft } from '../../../db/platform/carts/save-cart-address.ts';
import { eachOf } from '../../wire/each-of.ts';
import { flag, integer, payload, text } from '../../wire/schemas.ts';

const maxStreetLines = 8;
const optionalText = text(255).nullish();

/** The region as text or as an object, as on the platform. */
const region = z
  .union([
    payload({
      region: optionalText,
      regionCode: optionalText,
      regionId: integer.nullish(),
      extensionAttributes: z.unknown().optional(),
    }),
    text(255).transform((name) => ({ region: name, regionCode: undefined, regionId: undefined })),
  ])
  .optional();

/** What only the server says, and what a cart has no use for. */
const readOver = ['id', 'customerId', 'addressType', 'quoteId'] as const;

/** An address of a cart that a caller sends (platform facts 8, 11). */
export const cartAddressPayload = payload({
  region,
  regionId: integer.nullish(),
  regionCode: optionalText,
  countryId: text(255).optional(),
  street: z.union([z.array(text(255)).max(maxStreetLines), text(255).transform((line) => [line])]).optional(),
  city: text(255).optional(),
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
  region: given.region?.region,
  regionCode: given.regionCode ?? given.region?.regionCode,
  regionId: given.regionId ?? given.region?.regionId,
  telephone: given.telephone,
  fax: given.fax,
  vatId: given.vatId,
  email: given.email,
  customerAddressId: given.customerAddressId || undefined,
  sameAsBilling: given.sameAsBilling ?? undefined,
  saveInAddressBook: given.saveInAddressBook ?? undefined,
});
