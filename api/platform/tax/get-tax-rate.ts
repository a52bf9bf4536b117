import { z } from 'zod';
import { readTaxRate } from '../../../db/platform/tax/search-tax.ts';
import { route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { renderTaxRate, taxRateAnswer } from './render-tax-rate.ts';
import { exampleRate } from './tax-words.ts';

/** One tax rate (platform facts 9.5). Refused with 404: an unknown one. */
export const getTaxRate = route({
  method: 'GET',
  path: '/V1/taxRates/:rateId',
  acl: 'Platform_Tax::manage_tax',
  summary: 'One tax rate',
  name: 'getTaxRate',
  description: 'As in the list. Region 0 is the whole country.',
  outcomes: [unknownEntity('There is no rate of this id.')],
  examples: [
    {
      title: 'A state',
      params: { rateId: 1 },
      response: exampleRate,
    },
  ],
  params: z.object({ rateId: idParam }),
  response: taxRateAnswer,

  handle: async ({ em, params: { rateId } }) => renderTaxRate(await readTaxRate(em, rateId)),
});
