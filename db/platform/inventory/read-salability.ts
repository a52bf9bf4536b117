import type { EntityManager } from '@mikro-orm/postgresql';
import { none } from '../../../domain/money/quantity.ts';
import type { StockStanding } from '../../../domain/platform/requested-quantity.ts';
import { salableQuantity } from '../../../domain/platform/salable-quantity.ts';
import { stockRulesOf } from '../../../domain/platform/stock-rules.ts';
import { flag, integer, listOf, quantity, surely, texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { isAmongSkus } from '../../support/sku-sql.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { Product } from '../catalog/product.entity.ts';
import { ownStockRuleColumns, ownStockRules, stockSettings, stockSettingsKind } from './stock-rules-sql.ts';

export interface Salability extends StockStanding {
  sku: string;
  typeId: string;
  /** Whether one more may be sold. */
  isSalable: boolean;
}

/** The salability of products in a stock (platform facts 10). Unknown products are left out. */
export async function readSalability(
  em: EntityManager,
  { skus, stockId }: { skus: readonly string[]; stockId: number },
): Promise<Salability[]> {
  if (skus.length === 0) return [];
  return (await read.all(em, { skus, stockId })).map(salabilityOf);
}

const read = statement({
  takes: { skus: texts, stockId: integer },
  gives: {
    ...of(Product, 'sku', 'typeId', 'manageStock', 'isQtyDecimal'),
    ...ownStockRules,
    ...stockSettingsKind,
    minQty: surely(quantity),
    reserved: surely(quantity),
    sources: surely(listOf({ quantity, status: integer, isEnabled: flag })),
  },
  text: `
    select p.sku, p.type_id, p.manage_stock, p.is_qty_decimal, coalesce(p.min_qty, 0) as min_qty,
      ${ownStockRuleColumns('p')}, ${stockSettings} as settings,
      (select coalesce(sum(r.quantity), 0) from inventory_reservation r
       where r.stock_id = $stockId and r.sku = p.sku) as reserved,
      (select coalesce(jsonb_agg(jsonb_build_object('quantity', i.quantity::text, 'status', i.status,
        'isEnabled', s.is_enabled)), '[]')
       from inventory_stock_source l
         join inventory_source s on s.source_code = l.source_code
         join inventory_source_item i on i.source_code = l.source_code and i.sku = p.sku
       where l.stock_id = $stockId) as sources
    from product p where ${isAmongSkus('p.sku')}`,
});

function salabilityOf(row: RowFrom<typeof read>): Salability {
  const sources = row.sources
    .filter(({ isEnabled }) => isEnabled)
    .map((source) => ({ quantity: source.quantity, isInStock: source.status === 1 }));
  const left = salableQuantity(sources, row.reserved, row.minQty);
  const isInStock = sources.some((source) => source.isInStock);
  const { backorders, ...rules } = stockRulesOf(row, row.settings);
  const allowsBackorders = backorders > 0;
  const isOffered = isInStock && (allowsBackorders || left > none);
  return {
    sku: row.sku,
    typeId: row.typeId,
    quantity: left,
    isAssigned: row.sources.length > 0,
    isCounted: sources.length > 0,
    isManaged: row.manageStock,
    isInStock,
    isQtyDecimal: row.isQtyDecimal,
    allowsBackorders,
    ...rules,
    isSalable: !row.manageStock || isOffered,
  };
}
