import { z } from 'zod';
import { integer, payload, quantity, text } from '../../wire/schemas.ts';

/** How much of a product lies at a source, as a caller sends it (platform facts 10). */
export const sourceItemPayload = payload({
  sku: text(64).optional(),
  sourceCode: text(64).optional(),
  quantity: quantity.optional(),
  status: integer.optional(),
  extensionAttributes: z.unknown().optional(),
});
