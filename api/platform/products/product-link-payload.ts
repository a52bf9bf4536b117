import { z } from 'zod';
import { unitsPerWhole } from '../../../domain/money/fixed-point.ts';
import type { LinkDraft } from '../../../domain/platform/catalog/product-links.ts';
import { integer, payload, quantity, text } from '../../wire/schemas.ts';

/** A link that a caller sends. What its own product decides is ignored, so that an answer can be sent back. */
export const productLinkPayload = payload({
  sku: z.unknown().optional(),
  linkType: text(32).optional(),
  linkedProductSku: text(64),
  linkedProductType: z.unknown().optional(),
  position: integer.optional(),
  extensionAttributes: payload({ qty: quantity.optional() }).optional(),
}).meta({ id: 'ProductLink' });

/** Translates it into the catalog's terms. */
export const toLinkDraft = ({
  linkType,
  linkedProductSku,
  position,
  extensionAttributes,
}: z.output<typeof productLinkPayload>): LinkDraft => ({
  ...{ linkType, linkedProductSku, position },
  qty: extensionAttributes?.qty === undefined ? undefined : extensionAttributes.qty / unitsPerWhole,
});
