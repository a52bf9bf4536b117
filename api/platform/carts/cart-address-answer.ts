import { z } from 'zod';
import type { CartAddress } from '../../../db/platform/carts/read-cart-addresses.ts';

/** An address of a cart; unknown fields are null or left out, as on the platform. */
export const cartAddressAnswer = z.object({
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
  customer_id: z.int(),
  customer_address_id: z.int().optional(),
});

/** @param address undefined: not set yet, which the platform answers with an empty address */
export const renderCartAddress = (
  address: CartAddress | undefined,
  customer: { customerId: number; email: string },
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
  customer_id: customer.customerId,
  ...(address?.customerAddressId ? { customer_address_id: address.customerAddressId } : {}),
});

const present = (values: Record<string, string | null | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value ? [[key, value]] : [])));
