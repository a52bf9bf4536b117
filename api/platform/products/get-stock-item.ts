import { z } from 'zod';
import { readStockItem } from '../../../db/platform/inventory/read-stock-item.ts';
import { route } from '../../http/route.ts';
import { renderStockItem, stockItemAnswer } from './render-stock-item.ts';

/** A product's stock in single-source mode: the default source's (platform facts 9.1). */
export const getStockItem = route({
  method: 'GET',
  path: '/V1/stockItems/:sku',
  acl: 'Platform_Catalog::catalog_inventory',
  summary: 'Stock item of a product',
  name: 'getStockItem',
  description: 'The stock of a product where the shop has one source: the default one’s.',
  outcomes: [
    { status: 404, message: `The Product with the "%1" SKU doesn't exist.`, when: 'No product has this SKU.' },
  ],
  params: z.object({ sku: z.string() }),
  response: stockItemAnswer,

  handle: async ({ em, params: { sku } }) => renderStockItem(await readStockItem(em, sku)),
});
