import { z } from 'zod';
import { saveProductStock } from '../../../db/platform/catalog/save-product-stock.ts';
import { idParam } from '../../wire/schemas.ts';
import { route } from '../../http/route.ts';
import { stockItemPayload, toStockItemDraft } from './stock-item-payload.ts';

/**
 * Sets a product's stock in single-source mode: an absolute quantity at the default source, and the rules beside it
 * (platform facts 9.1). What is not sent is kept; the item's id in the path says nothing the sku does not.
 *
 * Answers the stock item's id. Refused with 404: unknown sku · 400: a quantity below zero.
 */
export const updateStockItem = route({
  method: 'PUT',
  path: '/V1/products/:sku/stockItems/:itemId',
  acl: 'Platform_Catalog::catalog_inventory',
  summary: 'Set the stock of a product',
  params: z.object({ sku: z.string(), itemId: idParam }),
  body: z.object({ stockItem: stockItemPayload }),
  response: z.int(),

  handle: ({ em, params: { sku }, body: { stockItem } }) =>
    saveProductStock(em, { sku, draft: toStockItemDraft(stockItem) }),
});
