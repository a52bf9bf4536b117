import { z } from 'zod';
import { readStock } from '../../../db/platform/inventory/read-stocks.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { renderStock, stockAnswer } from './render-stock.ts';
import { unknownStock } from './inventory-outcomes.ts';

/** One stock with the websites that sell from it (platform facts 10). */
export const getStock = route({
  method: 'GET',
  path: '/V1/inventory/stocks/:stockId',
  acl: 'Platform_InventoryApi::stock',
  summary: 'One stock',
  name: 'getStock',
  description: 'With the websites that sell from it.',
  outcomes: [unknownStock],
  params: z.object({ stockId: idParam }),
  response: stockAnswer,

  handle: async ({ em, params: { stockId } }) => renderStock(await readStock(em, stockId)),
});
