import { z } from 'zod';
import type { StockItemRow } from '../../../db/platform/inventory/read-stock-item.ts';
import { quantityToWire } from '../../../domain/money/quantity.ts';
import { stockRulesOf } from '../../../domain/platform/stock-rules.ts';

/** The only stock of single-source mode. */
const stockId = 1;

export const stockItemAnswer = z
  .object({
    item_id: z.int(),
    product_id: z.int(),
    stock_id: z.int(),
    qty: z.number(),
    is_in_stock: z.boolean(),
    is_qty_decimal: z.boolean(),
    show_default_notification_message: z.boolean(),
    use_config_min_qty: z.boolean(),
    min_qty: z.number(),
    use_config_min_sale_qty: z.int(),
    min_sale_qty: z.number(),
    use_config_max_sale_qty: z.boolean(),
    max_sale_qty: z.number(),
    use_config_backorders: z.boolean(),
    backorders: z.int(),
    use_config_notify_stock_qty: z.boolean(),
    notify_stock_qty: z.number(),
    use_config_qty_increments: z.boolean(),
    qty_increments: z.number(),
    use_config_enable_qty_inc: z.boolean(),
    enable_qty_increments: z.boolean(),
    use_config_manage_stock: z.boolean(),
    manage_stock: z.boolean(),
    low_stock_date: z.null(),
    is_decimal_divided: z.boolean(),
    stock_status_changed_auto: z.int(),
  })
  .meta({ id: 'StockItem' });

/**
 * The stock item (platform facts 9.1): the rules that hold, and whether they are the shop's. Fields that are not set per
 * product have the platform's defaults.
 */
export const renderStockItem = (row: StockItemRow): z.input<typeof stockItemAnswer> => ({
  item_id: row.product_id,
  product_id: row.product_id,
  stock_id: stockId,
  qty: Number(row.quantity ?? 0),
  is_in_stock: row.manage_stock ? row.status === 1 : true,
  is_qty_decimal: row.is_qty_decimal,
  show_default_notification_message: false,
  use_config_min_qty: Number(row.min_qty ?? 0) === 0,
  min_qty: Number(row.min_qty ?? 0),
  ...renderRules(row),
  use_config_notify_stock_qty: true,
  notify_stock_qty: 1,
  use_config_manage_stock: row.manage_stock,
  manage_stock: row.manage_stock,
  low_stock_date: null,
  is_decimal_divided: false,
  stock_status_changed_auto: 0,
});

function renderRules(row: StockItemRow) {
  const rules = stockRulesOf(row, row.settings);
  return {
    use_config_min_sale_qty: Number(row.minSaleQty === null),
    min_sale_qty: quantityToWire(rules.minSaleQty),
    use_config_max_sale_qty: row.maxSaleQty === null,
    max_sale_qty: quantityToWire(rules.maxSaleQty),
    use_config_backorders: row.backorders === null,
    backorders: rules.backorders,
    use_config_qty_increments: row.qtyIncrements === null,
    qty_increments: quantityToWire(rules.qtyIncrements),
    use_config_enable_qty_inc: row.enableQtyIncrements === null,
    enable_qty_increments: rules.enableQtyIncrements,
  };
}
