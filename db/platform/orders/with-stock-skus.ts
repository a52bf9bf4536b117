import type { EntityManager } from '@mikro-orm/postgresql';
import type { EnteredOption } from '../../../domain/platform/catalog/entered-options.ts';
import { shownOptions } from '../../../domain/platform/catalog/option-figures.ts';
import { skuKey } from '../../../domain/platform/catalog/sku-key.ts';
import { flag, integer, integers, surely, texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { isAmongSkus } from '../../support/sku-sql.ts';
import { statement } from '../../support/statement.ts';
import { Product } from '../catalog/product.entity.ts';
import type { OrderLine } from './order-rows.ts';

/**
 * Gives lines with custom options the names of what was entered, and the SKU under which their goods are stocked, where
 * the line's own is that of no product: the one of the line's product, as on the platform (platform facts 11). Lines that
 * a cart made have both already.
 */
export async function withStockSkus(em: EntityManager, lines: readonly OrderLine[]): Promise<readonly OrderLine[]> {
  const open = lines.filter((line) => line.enteredOptions === undefined && optionsOf(line).length > 0);
  const productIds = open.flatMap(({ productId }) => productId ?? []);
  if (productIds.length === 0) return lines;
  const rows = await read.all(em, { productIds, skus: open.map(({ sku }) => sku) });
  const known = new Set(rows.filter(({ isSold }) => isSold).map(({ sku }) => skuKey(sku)));
  return lines.map((line) => {
    if (!open.includes(line)) return line;
    const product = rows.find(({ productId }) => productId === line.productId);
    const named = {
      ...line,
      enteredOptions: shownOptions({ options: product?.options ?? [], entered: optionsOf(line) }),
    };
    if (line.stockSku != null || line.productType === 'configurable' || known.has(skuKey(line.sku))) return named;
    return { ...named, stockSku: product?.sku ?? null };
  });
}

/** What the caller says was entered; whatever else it sent as options says nothing. */
function optionsOf({ productOption }: OrderLine): EnteredOption[] {
  const sent = productOption?.['extension_attributes'];
  if (typeof sent !== 'object' || sent === null || !('custom_options' in sent)) return [];
  const options: unknown = sent.custom_options;
  return Array.isArray(options) ? options.flatMap(enteredIn) : [];
}

function enteredIn(option: unknown): EnteredOption[] {
  if (typeof option !== 'object' || option === null || !('option_id' in option)) return [];
  const value: unknown = 'option_value' in option ? option.option_value : '';
  const isScalar = typeof value === 'string' || typeof value === 'number';
  return [{ optionId: Number(option.option_id), optionValue: isScalar ? String(value) : '' }];
}

const read = statement({
  takes: { productIds: integers, skus: texts },
  gives: { ...of(Product, 'sku', 'options'), productId: integer, isSold: surely(flag) },
  text: `
    select sku, entity_id as product_id, options, ${isAmongSkus('sku')} as is_sold from product
    where entity_id = any($productIds::integer[]) or ${isAmongSkus('sku')}`,
});
