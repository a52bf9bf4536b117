import { z } from 'zod';
import type { CartAddress } from '../../../db/platform/carts/read-cart-addresses.ts';

/** An address of a cart; what is not known is null or left out, as the platform has it. */
export const cartAddressAnswer = z
  .object({
    id: z.int().optional(),
    region: z.string().nullable(),
    region_id: z.int().nullable(),
    region_code: z.string().nullable(),
    country_id: z.string().nullable(),
    street: z.array(z.string()),
    telephone: z.string().nullable(),
    postcode: z.string().nullable(),
    city: z.string().nullable(),
    firstname: z.string().nullable(),
    lastname: z.string().nullable(),
    email: z.string().nullable(),
    middlename: z.string().optional(),
    prefix: z.string().optional(),
    suffix: z.string().optional(),
    company: z.string().optional(),
    fax: z.string().optional(),
    vat_id: z.string().optional(),
    customer_id: z.int().optional(),
    customer_address_id: z.int().optional(),
    /** 0 or 1. */
    same_as_billing: z.int(),
    save_in_address_book: z.int(),
  })
  .meta({ id: 'CartAddress' });

/** @param address undefined: not set yet, which the platform answers with an empty address */
export const renderCartAddress = (
  address: CartAddress | undefined,
  customer: { customerId: number | null; email: string | null },
): z.input<typeof cartAddressAnswer> => ({
  ...(address ? { id: address.addressId } : {}),
  region: address?.region ?? null,
  region_id: address?.regionId ?? null,
  region_code: address?.regionCode ?? null,
  country_id: address?.countryId ?? null,
  street: address?.street ?? [],
  telephone: address?.telephone ?? null,
  postcode: address?.postcode ?? null,
  city: address?.city ?? null,
  firstname: address?.firstname ?? null,
  lastname: address?.lastname ?? null,
  email: address?.email ?? customer.email,
  ...present({
    middlename: address?.middlename,
    prefix: address?.prefix,
    suffix: address?.suffix,
    company: address?.company,
    fax: address?.fax,
    vat_id: address?.vatId,
  }),
  ...(customer.customerId === null ? {} : { customer_id: customer.customerId }),
  ...(address?.customerAddressId ? { customer_address_id: address.customerAddressId } : {}),
  same_as_billing: Number(address?.sameAsBilling ?? false),
  save_in_address_book: Number(address?.saveInAddressBook ?? false),
});

const present = (values: Record<string, string | null | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value ? [[key, value]] : [])));
