import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalIntegers, optionalTexts } from '../../support/columns.ts';

/** A carrier that serves a source of its own. */
export interface CarrierLink {
  carrierCode: string;
  position: number;
}

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
    ...optionalTexts('fax'),
    description: p.text().nullable(),
    ...optionalIntegers('latitudeMicrodegrees', 'longitudeMicrodegrees'),
    useDefaultCarrierConfig: p.boolean().default(true),
    carrierLinks: p.json<CarrierLink[]>().defaultRaw(`'[]'::jsonb`),
    /** Whether customers may fetch goods here, and what they then read of it; without a name, the source's own. */
    isPickupLocationActive: p.boolean().default(false),
    ...optionalTexts('frontendName'),
    frontendDescription: p.text().nullable(),
  },
});

export type Source = InferEntity<typeof Source>;
