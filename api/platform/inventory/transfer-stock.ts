import { z } from 'zod';
import { transferStock } from '../../../db/platform/inventory/transfer-stock.ts';
import { invalid } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { payload, quantity, text, voidAnswer } from '../../wire/schemas.ts';
import { emptyInput } from './inventory-outcomes.ts';

/** More than one delivery has. */
const maxItems = 2_000;

/** Moves goods from one source to another, all of them or none (platform facts 10). */
export const transferStockRoute = route({
  method: 'POST',
  path: '/V1/inventory/bulk-partial-source-transfer',
  acl: 'Platform_Catalog::products',
  summary: 'Move goods between sources',
  name: 'transferStock',
  description: `Moves goods from one source to another, all of them or none. A repeat moves them again, unless it
    has the same \`Idempotency-Key\`. At most 2,000 rows.`,
  outcomes: [
    {
      status: 400,
      message: 'Transfer validation failed',
      when: 'A source is unknown, both are the same, a row moves nothing, or more than lies there; `errors` has each fault.',
    },
    emptyInput,
  ],
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
