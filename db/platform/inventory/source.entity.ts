import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalTexts } from '../../support/columns.ts';

/** A source of stock: a shop floor, a warehouse, a shelf of damaged goods (platform facts 10). */
export const Source = defineEntity({
  name: 'Source',
  tableName: 'inventory_source',
  properties: {
    sourceCode: p.string().length(64).primary(),
    name: p.string().length(255),
    isEnabled: p.boolean().default(true),
    countryId: p.string().length(2),
    regionId: p.integer().nullable(),
    ...optionalTexts('region', 'city', 'street', 'postcode', 'phone', 'email', 'contactName'),
    useDefaultCarrierConfig: p.boolean().default(true),
  },
});

export type Source = InferEntity<typeof Source>;
