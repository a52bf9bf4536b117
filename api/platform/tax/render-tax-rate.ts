import { z } from 'zod';
import type { TaxRateRow } from '../../../db/platform/tax/search-tax.ts';
import { findRegion } from '../../../domain/platform/directory/regions.ts';

export const taxRateAnswer = z.object({
  id: z.int(),
  tax_country_id: z.string(),
  tax_region_id: z.int(),
  region_name: z.string().optional(),
  tax_postcode: z.string(),
  rate: z.number(),
  code: z.string(),
  titles: z.tuple([]),
});

export const renderTaxRate = ({ rate_id, country_id, region_id, percent, code }: TaxRateRow) => ({
  id: rate_id,
  tax_country_id: country_id,
  tax_region_id: region_id,
  ...regionName(region_id),
  tax_postcode: '*',
  rate: Number(percent),
  code,
  titles: [] as [],
});

/** By its code, as the platform names it; a rate of a whole country has none. */
function regionName(regionId: number): { region_name?: string } {
  const region = findRegion(regionId);
  return region ? { region_name: region.code } : {};
}
