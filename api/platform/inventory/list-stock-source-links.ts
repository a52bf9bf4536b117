import { z } from 'zod';
import { searchStockSourceLinks } from '../../../db/platform/inventory/search-inventory.ts';
import { route } from '../../http/route.ts';
import { listAnswer } from '../../wire/schemas.ts';
import { renderList, searchCriteria, unknownField } from '../../wire/search-criteria.ts';

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
