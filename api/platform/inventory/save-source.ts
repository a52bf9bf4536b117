import { z } from 'zod';
import { saveSource } from '../../../db/platform/inventory/save-source.ts';
import { route, type Outcome } from '../../http/route.ts';
import { voidAnswer } from '../../wire/schemas.ts';
import { sourceBody, toSourceChange } from './source-payload.ts';

const outcomes: readonly Outcome[] = [
  {
    status: 400,
    message: 'Validation Failed',
    when: 'No code, name, postcode or country, or a blank in the code; `errors` lists all that is wrong.',
    then: 'Send what is missing.',
  },
  {
    status: 400,
    message: 'Default source can not be disabled.',
    when: 'The source `default` would be switched off.',
  },
];

const newShop = {
  source: {
    source_code: 'shop_berlin',
    name: 'Shop Berlin',
    enabled: true,
    country_id: 'DE',
    postcode: '10115',
    city: 'Berlin',
  },
};

/**
 * Creates a source, or changes the one with this code (platform facts 10). A repeat changes nothing.
 *
 * Refused with 400: no code, name, postcode or country · the default source switched off.
 */
export const createSource = route({
  name: 'createSource',
  method: 'POST',
  path: '/V1/inventory/sources',
  acl: 'Platform_InventoryApi::source_edit',
  summary: 'Open a source',
  description: `A source is a place that holds goods: a shop floor, a warehouse. One with the same code is changed;
    what is left out stays. It sells nothing until a stock is linked to it.`,
  outcomes,
  examples: [{ title: 'A new shop', body: newShop, response: [] }],
  body: sourceBody,
  response: voidAnswer,

  async handle({ em, body }): Promise<[]> {
    await saveSource(em, toSourceChange(body));
    return [];
  },
});

/** As `createSource`, with the code in the path. */
export const updateSource = route({
  name: 'updateSource',
  method: 'PUT',
  path: '/V1/inventory/sources/:sourceCode',
  acl: 'Platform_InventoryApi::source_edit',
  summary: 'Change a source',
  description: 'Changes what is sent and leaves the rest. The code in the path beats the one in the body.',
  outcomes,
  examples: [
    {
      title: 'Closed for now',
      params: { sourceCode: 'shop_berlin' },
      body: { source: { enabled: false } },
      response: [],
    },
  ],
  params: z.object({ sourceCode: z.string().max(64) }),
  body: sourceBody,
  response: voidAnswer,

  async handle({ em, params: { sourceCode }, body }): Promise<[]> {
    await saveSource(em, toSourceChange(body, sourceCode));
    return [];
  },
});
