import { z } from 'zod';
import { readStockOfChannel } from '../../../db/platform/inventory/read-stocks.ts';
import { route } from '../../http/route.ts';
import { renderStock, stockAnswer } from './render-stock.ts';

/** The stock of a sales channel: type `website`, code of the website (platform facts 10). */
export const resolveStock = route({
  method: 'GET',
  path: '/V1/inventory/stock-resolver/:type/:code',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Stock of a website',
  name: 'resolveStock',
  description: `The stock that a website sells from: type \`website\`, and the website’s code.`,
  outcomes: [
    { status: 404, message: 'No linked stock found', when: 'No website has this code, or the type is another.' },
  ],
  params: z.object({ type: z.string(), code: z.string() }),
  response: stockAnswer,

  handle: async ({ em, params }) => renderStock(await readStockOfChannel(em, params)),
});
