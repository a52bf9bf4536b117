import { stockSettingDefaults, type StockSettings } from '../../../domain/platform/stock-rules.ts';
import { json, definite } from '../../support/entity-columns.ts';
import { of } from '../../support/rows.ts';
import { Product } from '../catalog/product.entity.ts';

/** SQL of what a product's stock rules are made from: its own, and the shop's, which has one for all websites. */

const paths = Object.keys(stockSettingDefaults);

/** The columns of `ownStockRules`, of the product with this alias. */
export const ownStockRuleColumns = (product: string) =>
  ['backorders', 'min_sale_qty', 'max_sale_qty', 'enable_qty_increments', 'qty_increments']
    .map((column) => `${product}.${column}`)
    .join(', ');

export const ownStockRules = of(
  Product,
  ...(['backorders', 'minSaleQty', 'maxSaleQty', 'enableQtyIncrements', 'qtyIncrements'] as const),
);

/** Read once for each statement, because it does not depend on the product. */
export const stockSettings = `
  (select coalesce(jsonb_object_agg(c.path, c.value), '{}') from config_value c
   where c.scope = 'default' and not c.is_encrypted and c.path in (${paths.map((path) => `'${path}'`).join(', ')}))`;

export const stockSettingsKind = { settings: definite(json<StockSettings>()) };
