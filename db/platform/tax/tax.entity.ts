import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { taxClassTypes } from '../../../domain/platform/taxes.ts';
import { textIndex } from '../../support/columns.ts';

/** A class of goods or of customers. The tax rules say which rates hold between the two (platform facts 9.5). */
export const TaxClass = defineEntity({
  name: 'TaxClass',
  tableName: 'tax_class',
  properties: {
    classId: p.bigint('number').primary().autoincrement(),
    className: p.string().length(255),
    classType: p.enum(taxClassTypes),
  },
  uniques: [
    {
      name: 'tax_class_once',
      expression: 'create unique index "tax_class_once" on "tax_class" ("class_type", lower("class_name"))',
    },
  ],
});

export type TaxClass = InferEntity<typeof TaxClass>;

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
    rateId: p.bigint('number').primary().autoincrement(),
    /** For people: `US-NY-8`. */
    code: p.string().length(255),
    countryId: p.string().length(2),
    regionId: p.bigint('number').default(0),
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
    { properties: ['countryId', 'rateId'] },
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

/** Ids in a column of PostgreSQL's own list type, so that a statement can look into it. */
const ids = () => p.array(Number, String).columnType('bigint[]');

/**
 * Says which tax rates hold for goods and customers of some classes (platform facts 9.5). Rates of rules with one
 * priority are added. A higher priority comes on top of the tax before it, unless `calculateSubtotal` says otherwise.
 *
 * Its rates and classes are not foreign keys: who saves a rule or deletes one of them locks the rows.
 */
export const TaxRule = defineEntity({
  name: 'TaxRule',
  tableName: 'tax_rule',
  properties: {
    ruleId: p.bigint('number').primary().autoincrement(),
    code: p.string().length(255),
    priority: p.integer().default(0),
    position: p.integer().default(0),
    /** Its rates are of the price alone, whatever its priority. */
    calculateSubtotal: p.boolean().default(false),
    customerTaxClassIds: ids(),
    productTaxClassIds: ids(),
    taxRateIds: ids(),
  },
  uniques: [
    {
      name: 'tax_rule_code_once',
      expression: 'create unique index "tax_rule_code_once" on "tax_rule" (lower("code"))',
    },
  ],
  checks: [{ name: 'tax_rule_order_not_negative', expression: 'priority >= 0 and position >= 0' }],
});

export type TaxRule = InferEntity<typeof TaxRule>;

/** All entities of taxes. */
export const taxEntities = [TaxClass, TaxRate, TaxRule] as const;
