import { searchStocks } from '../../../db/platform/inventory/search-inventory.ts';
import { listRoute } from '../../http/list-route.ts';
import { renderStock, stockAnswer } from './render-stock.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Stocks with the websites that sell from them; without criteria all of them (platform facts 3.1, 10). */
export const listStocks = listRoute({
  path: '/V1/inventory/stocks',
  acl: 'Platform_InventoryApi::stock',
  summary: 'Search stocks',
  name: 'listStocks',
  description: 'A stock joins sources; websites sell from it.',
  outcomes: [unknownField],
  answer: stockAnswer,
  isWholeByDefault: true,
  find: searchStocks,
  render: renderStock,
});
