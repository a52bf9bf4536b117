import { z } from 'zod';
import { searchSourceItems } from '../../../db/platform/inventory/search-inventory.ts';
import { route } from '../../http/route.ts';
import { listAnswer } from '../../wire/schemas.ts';
import { renderList, searchCriteria, unknownField } from '../../wire/search-criteria.ts';

/** The quantities of products at sources; status 1 is in stock (platform facts 10). */
export const listSourceItems = route({
  method: 'GET',
  path: '/V1/inventory/source-items',
  acl: 'Platform_InventoryApi::source',
  summary: 'Search quantities at sources',
  name: 'listSourceItems',
  description: `How much of which product lies where: absolute figures, before what is promised to orders.
    \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  query: z.object({ searchCriteria }),
  response: listAnswer(z.object({ sku: z.string(), source_code: z.string(), quantity: z.number(), status: z.int() })),

  async handle({ em, query: { searchCriteria: criteria } }) {
    const { rows, totalCount } = await searchSourceItems(em, criteria);
    const items = rows.map(({ sku, source_code, quantity, status }) => ({
      sku,
      source_code,
      quantity: Number(quantity),
      status,
    }));
    return renderList(criteria, items, totalCount);
  },
});
