import { z } from 'zod';
import { deleteTaxRate, rateInRule, saveTaxRate } from '../../../db/platform/tax/save-tax-rate.ts';
import { readTaxRate } from '../../../db/platform/tax/search-tax.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { route, type Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { flag, idParam, integer, payload, percent, text } from '../../wire/schemas.ts';
import { renderTaxRate, taxRateAnswer } from './render-tax-rate.ts';
import { exampleRate, missingTaxField, takenCode, taxDoor, wrongTaxField } from './tax-words.ts';

const maxText = 255;
/** More than any shop has store views. */
const maxTitles = 1_000;

/** A rate as it is sent: what a read answered may be sent back. */
const taxRatePayload = payload({
  id: idParam.optional(),
  tax_country_id: text(maxText).optional(),
  tax_region_id: integer.optional(),
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
}).meta({ id: 'TaxRate' });

async function save(em: EntityManager, sent: z.output<typeof taxRatePayload>) {
  const rateId = await saveTaxRate(em, {
    rateId: sent.id || undefined,
    rate: {
      countryId: sent.tax_country_id,
      regionId: sent.tax_region_id,
      postcode: sent.tax_postcode,
      isZipRange: sent.zip_is_range,
      zipFrom: sent.zip_from,
      zipTo: sent.zip_to,
      percent: sent.rate,
      code: sent.code,
      titles: sent.titles?.map(({ store_id, value }) => ({ storeId: store_id, value })),
    },
  });
  return renderTaxRate(await readTaxRate(em, rateId));
}

const unknownRate: Outcome = unknownEntity('There is no rate of this id.');

const refusedRate: readonly Outcome[] = [
  unknownRate,
  missingTaxField,
  wrongTaxField,
  {
    status: 400,
    message: 'Range To should be equal or greater than Range From.',
    when: 'The range of postcodes ends before it begins.',
  },
  takenCode,
];

const form = {
  ...taxDoor,
  outcomes: refusedRate,
  body: z.object({ taxRate: taxRatePayload }),
  response: taxRateAnswer,
};

/**
 * Creates a tax rate; with an `id` it changes that one, as on the platform (platform facts 9.5). A repeat without an id
 * is refused, because its code is taken. Refused as `saveTaxRate`.
 */
export const createTaxRate = route({
  ...form,
  method: 'POST',
  path: '/V1/taxRates',
  name: 'createTaxRate',
  summary: 'Create a tax rate',
  description: `What a place takes, in percent: from 0 to 100. \`tax_postcode\` is one postcode, its beginning with
\`*\`, or \`*\` for all. With \`zip_is_range\` it is \`zip_from\` to \`zip_to\`. Region 0 is the whole country. A rate
holds only when a tax rule names it. \`region_name\` counts for nothing. With an \`id\`, that rate is changed instead.`,
  examples: [
    {
      title: 'New York',
      body: { taxRate: { tax_country_id: 'US', tax_region_id: 43, tax_postcode: '*', rate: 8, code: 'US-NY' } },
      response: exampleRate,
    },
  ],

  handle: ({ em, body: { taxRate } }) => save(em, taxRate),
});

/** Changes the tax rate of the body's id (platform facts 9.5). A repeat leaves the same rate. Refused as above. */
export const updateTaxRate = route({
  ...form,
  method: 'PUT',
  path: '/V1/taxRates',
  name: 'updateTaxRate',
  summary: 'Change a tax rate',
  description: `The \`id\` stands in the body. Country, postcode, percentage and code are needed each time; without
\`titles\` the earlier ones stay. Carts bear the new rate from the next reading on; orders keep their tax. A repeat leaves
the same rate.`,
  examples: [
    {
      title: 'It rises',
      body: { taxRate: { ...exampleRate, rate: 8.375 } },
      response: { ...exampleRate, rate: 8.375 },
    },
  ],

  handle: ({ em, body: { taxRate } }) => save(em, taxRate),
});

/** Deletes a tax rate. A repeat is a 404. Refused with: 404 `taxRateId` unknown · 400 a tax rule names it. */
export const removeTaxRate = route({
  ...taxDoor,
  method: 'DELETE',
  path: '/V1/taxRates/:rateId',
  name: 'deleteTaxRate',
  summary: 'Delete a tax rate',
  description: 'Orders keep their tax.',
  outcomes: [unknownRate, { status: 400, message: rateInRule, when: 'A tax rule names it.', then: 'Change the rule.' }],
  examples: [{ title: 'Deleted', params: { rateId: 1 }, response: true }],
  params: z.object({ rateId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { rateId } }) {
    await deleteTaxRate(em, rateId);
    return true as const;
  },
});
