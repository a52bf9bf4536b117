import { z } from 'zod';
import { searchStocks } from '../../../db/platform/inventory/search-inventory.ts';
import { route } from '../../support/route.ts';
import { listAnswer } from '../../support/schemas.ts';
import { everything, renderList, searchCriteria } from '../../support/search-criteria.ts';
import { renderStock, stockAnswer } from './render-stock.ts';

/** Stocks with the websites that sell from them; without criteria all of them (platform facts 3.1, 10). */
export const listStocks = route({
  method: 'GET',
  path: '/V1/inventory/stocks',
  acl: 'Platform_InventoryApi::stock',
  summary: 'Search stocks',
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(stockAnswer),

  async handle({ em, query: { searchCriteria: criteria } }) {
    const { rows, totalCount } = await searchStocks(em, criteria);
    return renderList(criteria, rows.map(renderStock), totalCount);
  },
});
