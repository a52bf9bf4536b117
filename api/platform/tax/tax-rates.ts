import { z } from 'zod';
import { rateInRule, taxRates } from '../../../db/platform/tax/taxes.ts';
import { findRegion } from '../../../domain/platform/directory.ts';
import { alreadyExists } from '../../../domain/refusals/platform.ts';
import { resource } from '../../http/resource.ts';
import type { AnyRoute, Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { flag, idParam, integer, payload, percent, recordId, text } from '../../wire/schemas.ts';
import { missingTaxField, taxAcl, wrongTaxField } from './tax-rules.ts';

const maxText = 255;
/** More than any shop has store views. */
const maxTitles = 1_000;

const taxRate = resource({
  records: taxRates,
  acl: taxAcl,
  unknown: unknownEntity('There is no rate of this id.'),
  body: 'taxRate',
  /** What a read answered may be sent back. */
  sent: payload({
    id: idParam.optional(),
    tax_country_id: text(maxText).optional(),
    tax_region_id: recordId.optional(),
    /** Follows from the region: it counts for nothing. */
    region_name: text(maxText).optional(),
    tax_postcode: text(maxText).optional(),
    zip_is_range: flag.optional(),
    zip_from: integer.optional(),
    zip_to: integer.optional(),
    rate: percent.optional(),
    code: text(maxText).optional(),
    titles: z
      .array(payload({ store_id: text(maxText), value: text(maxText) }))
      .max(maxTitles)
      .optional(),
  }).meta({ id: 'TaxRate' }),
  draft: (sent) => ({
    countryId: sent.tax_country_id,
    regionId: sent.tax_region_id,
    postcode: sent.tax_postcode,
    isZipRange: sent.zip_is_range,
    zipFrom: sent.zip_from,
    zipTo: sent.zip_to,
    percent: sent.rate,
    code: sent.code,
    titles: sent.titles?.map(({ store_id, value }) => ({ storeId: store_id, value })),
  }),
  idOf: ({ id }) => id || undefined,
  answer: z
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
    .meta({ id: 'TaxRate' }),
  render: ({ zipFrom, zipTo, ...rate }) => ({
    id: rate.rateId,
    tax_country_id: rate.countryId,
    tax_region_id: rate.regionId,
    ...regionName(rate.regionId),
    tax_postcode: rate.postcode,
    ...(zipFrom == null || zipTo == null ? {} : { zip_is_range: 1, zip_from: zipFrom, zip_to: zipTo }),
    rate: Number(rate.percent),
    code: rate.code,
    titles: rate.titles.map(({ storeId, value }) => ({ store_id: storeId, value })),
  }),
});

/** By its code, as the platform names it; a rate of a whole country has none. */
function regionName(regionId: number): { region_name?: string } {
  const region = findRegion(regionId);
  return region ? { region_name: region.code } : {};
}

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
