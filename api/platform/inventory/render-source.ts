import { z } from 'zod';
import type { SourceRow } from '../../../db/platform/inventory/read-sources.ts';

const optionalText = z.string().optional();

export const sourceAnswer = z
  .object({
    source_code: z.string(),
    name: z.string(),
    email: optionalText,
    contact_name: optionalText,
    enabled: z.boolean(),
    country_id: z.string(),
    region_id: z.int().optional(),
    region: optionalText,
    city: optionalText,
    street: optionalText,
    postcode: optionalText,
    phone: optionalText,
    fax: optionalText,
    description: optionalText,
    latitude: z.number().optional(),
    longitude: z.number().optional(),
    use_default_carrier_config: z.boolean(),
    carrier_links: z.array(z.object({ carrier_code: z.string(), position: z.int() })),
    extension_attributes: z.object({
      is_pickup_location_active: z.boolean(),
      frontend_name: z.string(),
      frontend_description: optionalText,
    }),
  })
  .meta({ id: 'Source' });

/** A source; nulls are left out (platform facts 4.3, 10). */
export const renderSource = (row: SourceRow): z.input<typeof sourceAnswer> => ({
  source_code: row.source_code,
  name: row.name,
  ...(row.email === null ? {} : { email: row.email }),
  ...(row.contact_name === null ? {} : { contact_name: row.contact_name }),
  enabled: row.is_enabled,
  country_id: row.country_id,
  ...(row.region_id === null ? {} : { region_id: row.region_id }),
  ...(row.region === null ? {} : { region: row.region }),
  ...(row.city === null ? {} : { city: row.city }),
  ...(row.street === null ? {} : { street: row.street }),
  ...(row.postcode === null ? {} : { postcode: row.postcode }),
  ...(row.phone === null ? {} : { phone: row.phone }),
  ...(row.fax === null ? {} : { fax: row.fax }),
  ...(row.description === null ? {} : { description: row.description }),
  ...(row.latitude_microdegrees === null ? {} : { latitude: row.latitude_microdegrees / 1_000_000 }),
  ...(row.longitude_microdegrees === null ? {} : { longitude: row.longitude_microdegrees / 1_000_000 }),
  use_default_carrier_config: row.use_default_carrier_config,
  carrier_links: row.carrier_links.map(({ carrierCode, position }) => ({ carrier_code: carrierCode, position })),
  extension_attributes: {
    is_pickup_location_active: row.is_pickup_location_active,
    frontend_name: row.frontend_name ?? row.name,
    ...(row.frontend_description === null ? {} : { frontend_description: row.frontend_description }),
  },
});
