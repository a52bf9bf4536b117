import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchProduct } from '../../../domain/errors.ts';
import { decimal, integer, orNull } from '../../support/entity-columns.ts';
import { asListed } from '../../support/rows.ts';
import { isSku } from '../../support/columns.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { Product } from '../catalog/product.entity.ts';
import { ownStockRuleColumns, ownStockRules, stockSettings, stockSettingsKind } from './stock-rules-sql.ts';

/**
 * The platform's older view of a product's stock, in single-source mode; its own rules and the shop's (platform facts
 * 9.1).
 */
export type StockItemRow = RowFrom<typeof selectStockItem>;

/**
 * The source used in single-source mode: of those that a stock has `default` or the first; without any `default` (our
 * choice: a shop that names its own sources never links `default`).
 */
export const defaultSource = `
  select source_code from inventory_source left join inventory_stock_source using (source_code)
  order by stock_id is null, source_code <> 'default', stock_id, priority, source_code
  limit 1`;

const selectStockItem = sql('read-stock-item.selectStockItem', {
  gives: {
    product_id: integer,
    ...asListed(Product, 'typeId', 'manageStock', 'isQtyDecimal', 'minQty'),
    ...ownStockRules,
    ...stockSettingsKind,
    quantity: orNull(decimal),
  },
})`
  select p.entity_id as product_id, p.type_id, p.manage_stock, p.is_qty_decimal, p.min_qty,
    ${ownStockRuleColumns('p')},
    ${stockSettings} as settings, i.quantity, i.status
  from product p
  left join inventory_source_item i on i.sku = p.sku and i.source_code = (${defaultSource})
  where ${isSku('p.sku')}`;

/** Refused with 404 for an unknown sku. */
export async function readStockItem(em: EntityManager, sku: string): Promise<StockItemRow> {
  const row = await selectStockItem.first(em, { sku });
  if (!row) throw noSuchProduct(sku);
  return row;
}

/**
 * What lies at the default source, locked; without figures where nothing ever did. Undefined: the shop has no source.
 */
export async function lockAtDefaultSource(em: EntityManager, sku: string) {
  const source = await readSource.first(em);
  if (!source) return undefined;
  const { sourceCode } = source;
  const { quantity, status } = (await lockHeld.first(em, { sku, sourceCode })) ?? {};
  return { sourceCode, quantity, status };
}

const readSource = sql('read-stock-item.readSource')`${defaultSource}`;

const lockHeld = sql('read-stock-item.lockHeld')`
  select quantity, status from inventory_source_item where sku = $sku and source_code = $sourceCode for update`;
