import { z } from 'zod';
import { transferStock } from '../../../db/platform/inventory/transfer-stock.ts';
import { invalid } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { payload, quantity, text, voidAnswer } from '../../wire/schemas.ts';

/** What one van carries from shop to shop. */
const maxItems = 2_000;

/**
 * Moves goods from one source to another, all or none (platform facts 10). A repeat moves them again.
 *
 * Refused with 400: an empty list · `Transfer validation failed` with all that is wrong: an unknown source, the same one
 * twice, nothing to move, more than lies there.
 */
export const transferStockRoute = route({
  method: 'POST',
  path: '/V1/inventory/bulk-partial-source-transfer',
  acl: 'Platform_Catalog::products',
  summary: 'Move goods between sources',
  body: z.object({
    originSourceCode: text(64),
    destinationSourceCode: text(64),
    items: z
      .array(payload({ sku: text(64), qty: quantity, extensionAttributes: z.unknown().optional() }))
      .max(maxItems),
  }),
  response: voidAnswer,

  async handle({ em, body: { originSourceCode: from, destinationSourceCode: to, items } }): Promise<[]> {
    if (items.length === 0) throw invalid('Input data is empty');
    await transferStock(em, { from, to, items });
    return [];
  },
});
