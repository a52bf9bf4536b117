import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { textIndex } from '../../support/search-indexes.ts';

/** A name of the rate in one store view. */
export interface TaxRateTitle {
  storeId: string;
  value: string;
}

/**
 * A tax of a country, region or postcode, in percent (platform facts 9.5). Region 0 is the whole country, and postcode
 * `*` the whole region. Tax rules say for which goods and customers it holds.
 */
export const TaxRate = defineEntity({
  name: 'TaxRate',
  tableName: 'tax_rate',
  properties: {
    rateId: p.integer().primary().autoincrement(),
    /** For people: `US-NY-8`. */
    code: p.string().length(255),
    countryId: p.string().length(2),
    regionId: p.integer().default(0),
    /** One postcode, its beginning with `*`, or a range such as `17-25`. */
    postcode: p.string().length(21).default('*'),
    zipFrom: p.integer().nullable(),
    zipTo: p.integer().nullable(),
    percent: p.decimal('string').precision(12).scale(4),
    titles: p.json<TaxRateTitle[]>().defaultRaw(`'[]'::jsonb`),
  },
  // A shop may have a rate for every postcode of a country: each list and each filter of them has its index.
  indexes: [
    { properties: ['countryId', 'regionId', 'postcode'] },
    { properties: ['regionId'] },
    { properties: ['zipFrom'] },
    { properties: ['zipTo'] },
    { properties: ['percent'] },
    textIndex('tax_rate', 'postcode'),
  ],
  uniques: [
    {
      name: 'tax_rate_code_once',
      expression: 'create unique index "tax_rate_code_once" on "tax_rate" (lower("code"))',
    },
  ],
  checks: [
    { name: 'tax_rate_is_a_share', expression: `percent >= 0 and percent <= 100 and percent <> 'NaN'` },
    {
      name: 'tax_rate_has_both_ends',
      expression: '(zip_from is null) = (zip_to is null) and zip_from <= zip_to',
    },
  ],
});

export type TaxRate = InferEntity<typeof TaxRate>;
