import { z } from 'zod';
import { saveProductStock } from '../../../db/platform/catalog/save-product-stock.ts';
import { idParam } from '../../wire/schemas.ts';
import { route } from '../../http/route.ts';
import { stockItemPayload, toStockItemDraft } from './stock-item-payload.ts';
import { invalidField } from '../../wire/outcomes.ts';

/**
 * Sets a product's stock in single-source mode: the quantity at the default source, and its stock rules (platform facts
 * 9.1).
 */
export const updateStockItem = route({
  method: 'PUT',
  path: '/V1/products/:sku/stockItems/:itemId',
  acl: 'Platform_Catalog::catalog_inventory',
  summary: 'Set the stock of a product',
  name: 'updateStockItem',
  description: `Sets an absolute quantity at the default source, and the rules beside it. What you leave out stays.
    A \`use_config_…\` that is true makes the shop’s rule hold again. The item’s id says nothing that the SKU does not. Answers the id of the stock item. A repeat changes nothing.`,
  outcomes: [
    { status: 404, message: `The Product with the "%1" SKU doesn't exist.`, when: 'No product has this SKU.' },
    invalidField('A quantity is below zero, or `backorders` is not 0, 1 or 2.'),
  ],
  params: z.object({ sku: z.string(), itemId: idParam }),
  body: z.object({ stockItem: stockItemPayload }),
  response: z.int(),

  handle: ({ em, params: { sku }, body: { stockItem } }) =>
    saveProductStock(em, { sku, draft: toStockItemDraft(stockItem) }),
});
