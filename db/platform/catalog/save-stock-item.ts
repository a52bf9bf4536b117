import type { EntityManager } from '@mikro-orm/postgresql';
import { none } from '../../../domain/money/quantity.ts';
import { firstOwnRules, ruleAfter, type OwnStockRules, type StockRules } from '../../../domain/platform/stock-rules.ts';
import { given } from '../../support/given.ts';
import { lockAtDefaultSource } from '../inventory/read-stock-item.ts';
import { setSourceItems } from '../inventory/set-source-items.ts';
import type { StockItemDraft } from './product-draft.ts';
import type { Product } from './product.entity.ts';

/**
 * Saves a product's stock fields in single-source mode: rules on the product, the quantity at the default source
 * (platform facts 9.1). Within the transaction that locks the product; a repeat changes nothing.
 */
export async function saveStockItem(
  em: EntityManager,
  { product, draft }: { product: Product; draft: StockItemDraft },
): Promise<void> {
  const { managesStock, isQtyDecimal, minQty, quantity, isInStock } = draft;
  em.assign(product, { ...given({ manageStock: managesStock, isQtyDecimal, minQty }), ...rulesAfter(product, draft) });
  await em.flush();
  if (quantity === undefined && isInStock === undefined) return;
  const held = await lockAtDefaultSource(em, product.sku);
  if (!held) return;
  const now = quantity ?? held.quantity ?? none;
  const status = isInStock === undefined ? (held.status ?? (now > none ? 1 : 0)) : Number(isInStock);
  await setSourceItems(em, [{ sku: product.sku, sourceCode: held.sourceCode, quantity: now, status }]);
}

function rulesAfter(product: Product, { rules }: StockItemDraft): OwnStockRules {
  const stored: Partial<OwnStockRules> = given({ ...product });
  const after = <Name extends keyof StockRules>(name: Name) =>
    ruleAfter<StockRules[Name]>(stored[name] ?? null, rules?.[name], firstOwnRules[name]);
  return {
    backorders: after('backorders'),
    minSaleQty: after('minSaleQty'),
    maxSaleQty: after('maxSaleQty'),
    enableQtyIncrements: after('enableQtyIncrements'),
    qtyIncrements: after('qtyIncrements'),
  };
}
