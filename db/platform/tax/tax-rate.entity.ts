import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * What a country or one of its regions takes of a class of products, in percent (platform facts 9.5). Region 0: the
 * whole country; a region's own rate stands instead of it.
 */
export const TaxRate = defineEntity({
  name: 'TaxRate',
  tableName: 'tax_rate',
  properties: {
    rateId: p.integer().primary().autoincrement(),
    /** For people, and for the orders it was applied to: `US-NY-8`. */
    code: p.string().length(64),
    /** The tax class of products it holds for. */
    taxClassId: p.integer(),
    countryId: p.string().length(2),
    regionId: p.integer().default(0),
    percent: p.decimal('string').precision(12).scale(4),
  },
  uniques: [{ name: 'tax_rate_once_per_place', properties: ['countryId', 'regionId', 'taxClassId'] }],
  checks: [{ name: 'tax_rate_is_a_share', expression: `percent >= 0 and percent <= 100 and percent <> 'NaN'` }],
});

export type TaxRate = InferEntity<typeof TaxRate>;
