import { z } from 'zod';
import {
  linkSources,
  searchStockSourceLinks,
  unlinkSources,
} from '../../../db/platform/inventory/stock-source-links.ts';
import { invalid } from '../../../domain/errors.ts';
import { type Outcome, route } from '../../http/route.ts';
import { idParam, integer, listAnswer, payload, text, voidAnswer } from '../../wire/schemas.ts';
import { renderList, searchCriteria, unknownField } from '../../wire/search-criteria.ts';
import { emptyInput } from './inventory-outcomes.ts';

/** The sources of stocks, with their priority (platform facts 10). */
export const listStockSourceLinks = route({
  method: 'GET',
  path: '/V1/inventory/stock-source-links',
  acl: 'Platform_InventoryApi::stock_source_link',
  summary: 'Search links of stocks and sources',
  name: 'listStockSourceLinks',
  description: `Which sources a stock sells from. The lowest \`priority\` is shipped from first. \`searchCriteria\`
    is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  query: z.object({ searchCriteria }),
  response: listAnswer(z.object({ stock_id: z.int(), source_code: z.string(), priority: z.int() })),

  async handle({ em, query: { searchCriteria: criteria } }) {
    const { rows, totalCount } = await searchStockSourceLinks(em, criteria);
    const links = rows.map(({ stock_id, source_code, priority }) => ({ stock_id, source_code, priority }));
    return renderList(criteria, links, totalCount);
  },
});

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
