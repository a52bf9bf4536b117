import { z } from 'zod';
import { linkSources, unlinkSources } from '../../../db/platform/inventory/link-sources.ts';
import { invalid } from '../../../domain/errors.ts';
import { route, type Outcome } from '../../http/route.ts';
import { idParam, integer, payload, text, voidAnswer } from '../../wire/schemas.ts';
import { emptyInput } from './inventory-outcomes.ts';

const maxLinks = 1_000;
const isEmpty: Outcome = emptyInput;
const link = { stockId: idParam, sourceCode: text(64), extensionAttributes: z.unknown().optional() };

/** Adds sources to stocks (platform facts 10). A repeat changes nothing. Refused as `linkSources`. */
export const linkSourcesRoute = route({
  name: 'linkSources',
  method: 'POST',
  path: '/V1/inventory/stock-source-links',
  acl: 'Platform_InventoryApi::stock_source_link',
  summary: 'Let stocks sell from sources',
  description: 'The lowest `priority` is shipped from first. A link that is there gets the new priority.',
  outcomes: [
    isEmpty,
    { status: 400, message: 'Could not save StockSourceLinks', when: 'A stock or source is unknown.' },
    {
      status: 400,
      message: 'Validation Failed',
      when: 'A `priority` is below 1, or a code is blank: `errors` says which.',
    },
  ],
  examples: [
    {
      title: 'A shop that sells first',
      body: { links: [{ stock_id: 1, source_code: 'shop_berlin', priority: 1 }] },
      response: [],
    },
  ],
  body: z.object({ links: z.array(payload({ ...link, priority: integer.default(0) })).max(maxLinks) }),
  response: voidAnswer,

  async handle({ em, body: { links } }): Promise<[]> {
    if (links.length === 0) throw invalid('Input data is empty');
    await linkSources(
      em,
      links.map(({ stockId, sourceCode, priority }) => ({ stockId, sourceCode, priority })),
    );
    return [];
  },
});

/** Removes sources from stocks (platform facts 10). A repeat changes nothing. Refused with 400: an empty list. */
export const unlinkSourcesRoute = route({
  name: 'unlinkSources',
  method: 'POST',
  path: '/V1/inventory/stock-source-links-delete',
  acl: 'Platform_InventoryApi::stock_source_link',
  summary: 'Let stocks no longer sell from sources',
  description: 'The goods stay at the source; what was promised to orders stays promised. A repeat changes nothing.',
  outcomes: [isEmpty],
  examples: [{ title: 'One link', body: { links: [{ stock_id: 1, source_code: 'shop_berlin' }] }, response: [] }],
  body: z.object({ links: z.array(payload({ ...link, priority: z.unknown().optional() })).max(maxLinks) }),
  response: voidAnswer,

  async handle({ em, body: { links } }): Promise<[]> {
    if (links.length === 0) throw invalid('Input data is empty');
    await unlinkSources(em, links);
    return [];
  },
});
