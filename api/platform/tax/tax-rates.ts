import { z } from 'zod';
import type { TaxRate } from '../../../db/platform/tax/tax.entity.ts';
import { rateInRule, taxRates } from '../../../db/platform/tax/taxes.ts';
import { findRegion } from '../../../domain/platform/directory.ts';
import { alreadyExists } from '../../../domain/refusals/platform.ts';
import { resource } from '../../http/resource.ts';
import type { AnyRoute, Outcome } from '../../http/route.ts';
import {
  derived,
  perhaps,
  fieldsOf,
  flag,
  integer,
  listOf,
  named,
  ownId,
  percent,
  reference,
  text,
  unkept,
} from '../../wire/fields.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { missingTaxField, taxAcl, wrongTaxField } from './tax-rules.ts';

/** More than any shop has store views. */
const maxTitles = 1_000;

const isRange = ({ zipFrom, zipTo }: TaxRate) => zipFrom != null && zipTo != null;

const taxRate = resource({
  records: taxRates,
  acl: taxAcl,
  unknown: unknownEntity('There is no rate of this id.'),
  body: 'taxRate',
  /** What a read answered may be sent back. */
  ...fieldsOf(
    {
      id: ownId('rateId'),
      tax_country_id: named('countryId', text()),
      tax_region_id: named('regionId', reference()),
      /** By its code, as the platform names it; a rate of a whole country has none. What is sent is ignored. */
      region_name: perhaps(derived(({ regionId }: TaxRate) => findRegion(regionId)?.code, unkept(text()))),
      tax_postcode: named('postcode', text()),
      zip_is_range: named(
        'isZipRange',
        perhaps(derived((rate: TaxRate) => (isRange(rate) ? 1 : undefined), { ...flag(), answer: z.int() })),
      ),
      zip_from: perhaps(derived((rate: TaxRate) => (isRange(rate) ? rate.zipFrom : undefined), integer())),
      zip_to: perhaps(derived((rate: TaxRate) => (isRange(rate) ? rate.zipTo : undefined), integer())),
      rate: named('percent', percent()),
      code: text(),
      titles: listOf({ store_id: text(), value: text() }, maxTitles),
    },
    'TaxRate',
  ),
  idOf: ({ id }) => id || undefined,
});

const refusedRate: readonly Outcome[] = [
  missingTaxField,
  wrongTaxField,
  {
    status: 400,
    message: 'Range To should be equal or greater than Range From.',
    when: 'The range of postcodes ends before it begins.',
  },
  alreadyExists,
];

const exampleRate = {
  ...{ id: 1, tax_country_id: 'US', tax_region_id: 43, region_name: 'NY', tax_postcode: '*', rate: 8 },
  ...{ code: 'US-NY', titles: [] },
};

/** What each place takes (platform facts 9.5). A save with an `id` changes that rate, by either method. */
export const taxRateRoutes: readonly AnyRoute[] = [
  taxRate.list({
    path: '/V1/taxRates/search',
    name: 'listTaxRates',
    summary: 'Search tax rates',
    description: `What each place takes, in percent. Region 0 is the whole country. The tax rules say for which goods
      a rate holds. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  }),

  taxRate.get({
    path: '/V1/taxRates/:rateId',
    name: 'getTaxRate',
    summary: 'One tax rate',
    description: 'As in the list. Region 0 is the whole country.',
    examples: [{ title: 'A state', params: { rateId: 1 }, response: exampleRate }],
  }),

  taxRate.create({
    path: '/V1/taxRates',
    name: 'createTaxRate',
    summary: 'Create a tax rate',
    description: `What a place takes, in percent: from 0 to 100. \`tax_postcode\` is one postcode, its beginning with
\`*\`, or \`*\` for all. With \`zip_is_range\` it is \`zip_from\` to \`zip_to\`. Region 0 is the whole country. A rate
holds only when a tax rule names it. \`region_name\` counts for nothing. With an \`id\`, that rate is changed instead.`,
    outcomes: refusedRate,
    examples: [
      {
        title: 'New York',
        body: { taxRate: { tax_country_id: 'US', tax_region_id: 43, tax_postcode: '*', rate: 8, code: 'US-NY' } },
        response: exampleRate,
      },
    ],
  }),

  taxRate.update({
    path: '/V1/taxRates',
    name: 'updateTaxRate',
    summary: 'Change a tax rate',
    description: `The \`id\` stands in the body. Country, postcode, percentage and code are needed each time; without
\`titles\` the earlier ones stay. Carts bear the new rate from the next reading on; orders keep their tax. A repeat
leaves
the same rate.`,
    outcomes: refusedRate,
    examples: [
      {
        title: 'It rises',
        body: { taxRate: { ...exampleRate, rate: 8.375 } },
        response: { ...exampleRate, rate: 8.375 },
      },
    ],
  }),

  taxRate.remove({
    path: '/V1/taxRates/:rateId',
    name: 'deleteTaxRate',
    summary: 'Delete a tax rate',
    description: 'Orders keep their tax.',
    outcomes: [{ status: 400, message: rateInRule, when: 'A tax rule names it.', then: 'Change the rule.' }],
    examples: [{ title: 'Deleted', params: { rateId: 1 }, response: true }],
  }),
];
