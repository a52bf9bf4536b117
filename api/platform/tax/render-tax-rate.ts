import { z } from 'zod';
import type { TaxRateRow } from '../../../db/platform/tax/search-tax.ts';
import { findRegion } from '../../../domain/platform/directory/regions.ts';

export const taxRateAnswer = z
  .object({
    id: z.int(),
    tax_country_id: z.string(),
    tax_region_id: z.int(),
    region_name: z.string().optional(),
    tax_postcode: z.string(),
    zip_is_range: z.int().optional(),
    zip_from: z.int().optional(),
    zip_to: z.int().optional(),
    rate: z.number(),
    code: z.string(),
    titles: z.array(z.object({ store_id: z.string(), value: z.string() })),
  })
  .meta({ id: 'TaxRate' });

export const renderTaxRate = ({ rate_id, country_id, region_id, zip_from, zip_to, ...rate }: TaxRateRow) => ({
  id: rate_id,
  tax_country_id: country_id,
  tax_region_id: region_id,
  ...regionName(region_id),
  tax_postcode: rate.postcode,
  ...(zip_from === null || zip_to === null ? {} : { zip_is_range: 1, zip_from, zip_to }),
  rate: Number(rate.percent),
  code: rate.code,
  titles: rate.titles.map(({ storeId, value }) => ({ store_id: storeId, value })),
});

/** By its code, as the platform names it; a rate of a whole country has none. */
function regionName(regionId: number): { region_name?: string } {
  const region = findRegion(regionId);
  return region ? { region_name: region.code } : {};
}
