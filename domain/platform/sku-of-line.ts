/**
 * The SKU of an order's line with these parts. A configurable line has that of what was chosen, as on the platform: stock,
 * documents and returns go by it. Any other line has its own.
 */
export function skuOfLine(
  line: { productType?: string | undefined; sku: string },
  parts: readonly { sku: string }[],
): string {
  const [part] = parts;
  return line.productType === 'configurable' && part && parts.length === 1 ? part.sku : line.sku;
}
