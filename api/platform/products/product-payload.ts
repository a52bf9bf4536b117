import { z } from 'zod';
import { noTierValue } from '../../../domain/platform/catalog/tier-rows.ts';
import type { ProductDraft } from '../../../db/platform/catalog/attributes.ts';
import { productTypes } from '../../../db/platform/catalog/product.entity.ts';
import { integer, integerBetween, payload, quantity, recordId, storedMoney, text } from '../../wire/schemas.ts';
import { toSnakeCase } from '../../wire/read-json.ts';
import { inSnakeCase } from '../../wire/rows.ts';
import { customOptionPayload, toOptionDraft } from './custom-options.ts';
import { mediaPayload, toMediaDrafts } from './product-media.ts';
import { productLinkPayload, toLinkDraft } from './product-links.ts';
import { stockItemPayload, toStockItemDraft } from './stock-item.ts';

/** More rows than any product has; the body has a separate limit. */
const maxRows = 1_000;

const rows = z
  .array(z.unknown())
  .max(maxRows)
  .transform((input) => input.map(inSnakeCase));

const tierPrice = payload({
  customerGroupId: recordId,
  qty: quantity,
  value: storedMoney.optional(),
  extensionAttributes: payload({ websiteId: recordId.optional(), percentageValue: storedMoney.optional() }).optional(),
});

const extensionAttributes = payload({
  websiteIds: z.array(recordId).max(maxRows).optional(),
  categoryLinks: rows.optional(),
  stockItem: stockItemPayload.optional(),
  configurableProductOptions: rows.optional(),
  configurableProductLinks: z.array(recordId).max(maxRows).optional(),
  bundleProductOptions: rows.optional(),
  downloadableProductLinks: rows.optional(),
});

/** A product that a caller sends. Fields that only the server sets are ignored, so that an answer can be sent back. */
export const productPayload = payload({
  id: z.unknown().optional(),
  sku: text(255).optional(),
  name: text(255).nullish(),
  attributeSetId: recordId.optional(),
  price: storedMoney.optional(),
  /** 1 enabled, 2 disabled; 0 is kept as it is, and nothing of it is sold (platform facts 14). */
  status: integer.pipe(z.union([z.literal(0), z.literal(1), z.literal(2)])).nullish(),
  visibility: integerBetween(1, 4).nullish(),
  typeId: z.enum(productTypes).optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
  weight: quantity.nullish(),
  extensionAttributes: extensionAttributes.optional(),
  options: z.array(customOptionPayload).max(maxRows).optional(),
  productLinks: z.array(productLinkPayload).max(maxRows).optional(),
  mediaGalleryEntries: z.array(mediaPayload).max(maxRows).optional(),
  tierPrices: z.array(tierPrice).max(maxRows).optional(),
  customAttributes: z
    .array(payload({ attributeCode: text(64), value: z.unknown() }))
    .max(maxRows)
    .optional(),
}).meta({ id: 'Product' });

type ProductPayload = z.output<typeof productPayload>;

/** Translates the request into the catalog's terms, and draws its pictures anew. Refused as `toMediaDrafts`. */
export async function toProductDraft(input: ProductPayload): Promise<ProductDraft> {
  const { mediaGalleryEntries: sent } = input;
  return { ...toPlainDraft(input), mediaGalleryEntries: sent && (await toMediaDrafts(sent)) };
}

/** Without its pictures. */
export function toPlainDraft(input: ProductPayload): ProductDraft {
  const { websiteIds, stockItem, ...extension } = input.extensionAttributes ?? {};
  return {
    name: input.name,
    attributeSetId: input.attributeSetId,
    price: input.price,
    status: input.status,
    visibility: input.visibility,
    typeId: input.typeId,
    weight: input.weight,
    websiteIds,
    stockItem: stockItem && toStockItemDraft(stockItem),
    tierPrices: input.tierPrices?.map(toTierPrice),
    options: input.options?.map(toOptionDraft),
    productLinks: input.productLinks?.map(toLinkDraft),
    extensionAttributes: storedExtension(extension),
    customAttributes:
      input.customAttributes &&
      Object.fromEntries(input.customAttributes.map(({ attributeCode, value }) => [attributeCode, value])),
  };
}

function toTierPrice({ customerGroupId, qty, value, extensionAttributes }: z.output<typeof tierPrice>) {
  const percentageValue = extensionAttributes?.percentageValue;
  if (value === undefined && percentageValue === undefined) throw noTierValue();
  return {
    customerGroupId,
    qty,
    value: value ?? 0,
    websiteId: extensionAttributes?.websiteId ?? 0,
    ...(percentageValue === undefined ? {} : { percentageValue }),
  };
}

/** Extension attributes without a column are stored under their wire names, as they are answered. */
const storedExtension = (extension: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(extension).flatMap(([name, value]) => (value === undefined ? [] : [[toSnakeCase(name), value]])),
  );
