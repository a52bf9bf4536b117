import { skuKey } from './catalog/sku-key.ts';

/** Whether a posted SKU is that of a line, though its letters may be others. */
export const isSku = (posted: unknown, sku: string): boolean =>
  typeof posted === 'string' && skuKey(posted) === skuKey(sku);

/**
 * The SKU of an order's line with these parts. A configurable line has that of what was chosen, as on the platform: stock,
 * documents and returns go by it. Any other line has its own, and so has one whose goods are stocked under another.
 */
export function skuOfLine(
  line: { productType?: string | undefined; sku: string; stockSku?: string | null | undefined },
  parts: readonly { sku: string }[],
): string {
  const [part] = parts;
  if (line.stockSku != null) return line.sku;
  return line.productType === 'configurable' && part && parts.length === 1 ? part.sku : line.sku;
}

/** The SKU under which the goods of a sold line are stocked: the line's own may name its custom options too. */
export const stockSkuOf = ({ sku, stockSku }: { sku: string; stockSku?: string | null | undefined }): string =>
  stockSku ?? sku;
