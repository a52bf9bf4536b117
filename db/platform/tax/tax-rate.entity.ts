import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * The tax rate of a country or region for a product class, in percent (platform facts 9.5). Region 0: the whole
 * country; a region's own rate replaces it.
 */
export const TaxRate = defineEntity({
  name: 'TaxRate',
  tableName: 'tax_rate',
  properties: {
    rateId: p.integer().primary().autoincrement(),
    /** For people, and for orders with this tax: `US-NY-8`. */
    code: p.string().length(64),
    /** The product class it applies to. */
    taxClassId: p.integer(),
    countryId: p.string().length(2),
    regionId: p.integer().default(0),
    percent: p.decimal('string').precision(12).scale(4),
  },
  uniques: [{ name: 'tax_rate_once_per_place', properties: ['countryId', 'regionId', 'taxClassId'] }],
  checks: [{ name: 'tax_rate_is_a_share', expression: `percent >= 0 and percent <= 100 and percent <> 'NaN'` }],
});

export type TaxRate = InferEntity<typeof TaxRate>;
