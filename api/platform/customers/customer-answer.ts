import { z } from 'zod';

const optionalText = z.string().optional();

/** An address in answers (platform facts 8); nulls are left out, and a flag appears only when true. */
export const addressAnswer = z.object({
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
});

export const customerAnswer = z.object({
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
  extension_attributes: z.object({ is_subscribed: z.boolean() }),
  custom_attributes: z.array(z.object({ attribute_code: z.string(), value: z.unknown() })).optional(),
});

export type CustomerAnswer = z.input<typeof customerAnswer>;
export type AddressAnswer = z.input<typeof addressAnswer>;
