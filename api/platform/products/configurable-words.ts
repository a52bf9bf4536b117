import { z } from 'zod';
import type { Outcome } from '../../http/route.ts';
import { integer, payload, text } from '../../wire/schemas.ts';

/** What the routes of configurable products share. */

export const productsDoor = { acl: 'Platform_Catalog::products' } as const;

/** More values than any option has. */
const mostValues = 1_000;

export const optionAnswer = z.object({
  id: z.int(),
  attribute_id: z.string(),
  label: z.string(),
  position: z.int(),
  product_id: z.int(),
  values: z.array(z.object({ value_index: z.int() })),
});

/** An option as a caller sends it (platform facts 9.1). Only the server knows its id and its product. */
export const optionPayload = payload({
  id: z.unknown().optional(),
  productId: z.unknown().optional(),
  attributeId: text(60).optional(),
  label: text(255).optional(),
  position: integer.nullish(),
  isUseDefault: z.unknown().optional(),
  values: z
    .array(payload({ valueIndex: integer.optional(), extensionAttributes: z.unknown().optional() }))
    .max(mostValues)
    .optional(),
  extensionAttributes: z.unknown().optional(),
});

export const optionExample: z.input<typeof optionAnswer> = {
  ...{ id: 1, attribute_id: '21', label: 'Size', position: 0, product_id: 7 },
  values: [{ value_index: 9 }],
};

export const unknownOption: Outcome = {
  status: 404,
  message: "The option that was requested doesn't exist. Verify the entity and try again.",
  when: 'The product has no such option, or no such child.',
};
