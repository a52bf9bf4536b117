import { z } from 'zod';
import { searchTaxRates } from '../../../db/platform/tax/search-tax.ts';
import { findRegion } from '../../../domain/platform/directory/regions.ts';
import { listRoute } from '../../http/list-route.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** The tax rates of all places, in percent, for a register that calculates totals itself (platform facts 9.5). */
export const listTaxRates = listRoute({
  path: '/V1/taxRates/search',
  acl: 'Platform_Tax::manage_tax',
  summary: 'Search tax rates',
  name: 'listTaxRates',
  description: `What each place takes, in percent. Region 0 is the whole country. The tax rules say for which goods
    a rate holds. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: z.object({
    id: z.int(),
    tax_country_id: z.string(),
    tax_region_id: z.int(),
    region_name: z.string().optional(),
    tax_postcode: z.string(),
    rate: z.number(),
    code: z.string(),
    titles: z.tuple([]),
  }),
  find: searchTaxRates,
  render: ({ rate_id, country_id, region_id, percent, code }) => ({
    id: rate_id,
    tax_country_id: country_id,
    tax_region_id: region_id,
    ...regionName(region_id),
    tax_postcode: '*',
    rate: Number(percent),
    code,
    titles: [] as [],
  }),
});

/** The region's code, as the platform names it; a rate of a whole country has no region. */
function regionName(regionId: number): { region_name?: string } {
  const region = findRegion(regionId);
  return region ? { region_name: region.code } : {};
}
