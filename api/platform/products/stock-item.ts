import { z } from 'zod';
import type { StockItemDraft } from '../../../db/platform/catalog/attributes.ts';
import { saveProductStock } from '../../../db/platform/catalog/product-places.ts';
import { readStockItem, type StockItemRow } from '../../../db/platform/inventory/read-stock-item.ts';
import { quantityToWire } from '../../../domain/money.ts';
import { stockRulesOf, type OwnStockRules, type StockRules } from '../../../domain/platform/stock-rules.ts';
import { route } from '../../http/route.ts';
import { always, derived, fieldsOf } from '../../wire/fields.ts';
import { invalidField } from '../../wire/outcomes.ts';
import { flag, idParam, integer, quantity, quantityThat } from '../../wire/schemas.ts';

const noLess = quantityThat((qty) => qty >= 0).nullable();
const sentFlag = flag.nullable();
const backorders = integer
  .superRefine((input, context) => {
    if (input < 0 || input > 2) context.addIssue({ code: 'custom', input });
  })
  .nullable();

/** Whether the shop's rule holds, for want of one of the product's own. */
const isShops = (rule: keyof OwnStockRules) => ({
  ...derived((row: StockItemRow) => row[rule] === null, z.boolean()),
  sent: sentFlag,
});

/** A quantity of the rules that hold. */
const ruled = (rule: 'minSaleQty' | 'maxSaleQty' | 'qtyIncrements') => ({
  ...derived((_: StockItemRow, rules: StockRules) => quantityToWire(rules[rule]), z.number()),
  sent: noLess,
});

const minOf = ({ min_qty: least }: StockItemRow) => Number(least ?? 0);

/**
 * The stock item (platform facts 9.1): the rules that hold, and whether they are the shop's. What is not set per product
 * has the platform's defaults: it is ignored where it is sent, so that an answer can be sent back.
 */
const stockItem = fieldsOf(
  {
    item_id: derived((row: StockItemRow) => row.product_id, z.int()),
    product_id: z.int(),
    /** The only stock of single-source mode. */
    stock_id: always(1, z.int()),
    qty: { ...derived((row: StockItemRow) => Number(row.quantity ?? 0), z.number()), sent: noLess },
    is_in_stock: {
      ...derived((row: StockItemRow) => (row.manage_stock ? row.status === 1 : true), z.boolean()),
      sent: sentFlag,
    },
    is_qty_decimal: { sent: sentFlag, answer: z.boolean() },
    show_default_notification_message: always(false, z.boolean()),
    use_config_min_qty: derived((row: StockItemRow) => minOf(row) === 0, z.boolean()),
    min_qty: { ...derived(minOf, z.number()), sent: quantity.nullable() },
    use_config_min_sale_qty: {
      ...derived((row: StockItemRow) => Number(row.minSaleQty === null), z.int()),
      sent: sentFlag,
    },
    min_sale_qty: ruled('minSaleQty'),
    use_config_max_sale_qty: isShops('maxSaleQty'),
    max_sale_qty: ruled('maxSaleQty'),
    use_config_backorders: isShops('backorders'),
    /** 0 none, 1 or 2 allowed. */
    backorders: { ...derived((_: StockItemRow, rules: StockRules) => rules.backorders, z.int()), sent: backorders },
    use_config_notify_stock_qty: always(true, z.boolean()),
    notify_stock_qty: always(1, z.number()),
    use_config_qty_increments: isShops('qtyIncrements'),
    qty_increments: ruled('qtyIncrements'),
    use_config_enable_qty_inc: isShops('enableQtyIncrements'),
    enable_qty_increments: {
      ...derived((_: StockItemRow, rules: StockRules) => rules.enableQtyIncrements, z.boolean()),
      sent: sentFlag,
    },
    use_config_manage_stock: derived((row: StockItemRow) => row.manage_stock, z.boolean()),
    manage_stock: { sent: sentFlag, answer: z.boolean() },
    low_stock_date: always(null, z.null()),
    is_decimal_divided: always(false, z.boolean()),
    stock_status_changed_auto: always(0, z.int()),
    extension_attributes: {},
  },
  'StockItem',
);

export const stockItemPayload = stockItem.sent;

export const renderStockItem = (row: StockItemRow) => stockItem.render(row, stockRulesOf(row, row.settings));

/** Translates the request into the catalog's terms. */
export function toStockItemDraft(sent: z.output<typeof stockItemPayload>): StockItemDraft {
  const draft = stockItem.draft(sent);
  return {
    quantity: draft.qty ?? undefined,
    isInStock: draft.isInStock ?? undefined,
    isQtyDecimal: draft.isQtyDecimal ?? undefined,
    managesStock: draft.manageStock ?? undefined,
    minQty: draft.minQty ?? undefined,
    rules: {
      backorders: { usesShops: draft.useConfigBackorders, value: draft.backorders },
      minSaleQty: { usesShops: draft.useConfigMinSaleQty, value: draft.minSaleQty },
      maxSaleQty: { usesShops: draft.useConfigMaxSaleQty, value: draft.maxSaleQty },
      enableQtyIncrements: { usesShops: draft.useConfigEnableQtyInc, value: draft.enableQtyIncrements },
      qtyIncrements: { usesShops: draft.useConfigQtyIncrements, value: draft.qtyIncrements },
    },
  };
}

/**
 * Sets a product's stock in single-source mode: the quantity at the default source, and its stock rules (platform facts
 * 9.1).
 */
export const updateStockItem = route({
  method: 'PUT',
  path: '/V1/products/:sku/stockItems/:itemId',
  acl: 'Platform_Catalog::catalog_inventory',
  summary: 'Set the stock of a product',
  name: 'updateStockItem',
  description: `Sets an absolute quantity at the default source, and the rules beside it. What you leave out stays.
    A \`use_config_…\` that is true makes the shop’s rule hold again. The item’s id says nothing that the SKU does not.
Answers the id of the stock item. A repeat changes nothing.`,
  outcomes: [
    { status: 404, message: `The Product with the "%1" SKU doesn't exist.`, when: 'No product has this SKU.' },
    invalidField('A quantity is below zero, or `backorders` is not 0, 1 or 2.'),
  ],
  params: z.object({ sku: z.string(), itemId: idParam }),
  body: z.object({ stockItem: stockItemPayload }),
  response: z.int(),

  handle: ({ em, params: { sku }, body }) => saveProductStock(em, { sku, draft: toStockItemDraft(body.stockItem) }),
});

/** A product's stock in single-source mode: the default source's (platform facts 9.1). */
export const getStockItem = route({
  method: 'GET',
  path: '/V1/stockItems/:sku',
  acl: 'Platform_Catalog::catalog_inventory',
  summary: 'Stock item of a product',
  name: 'getStockItem',
  description: 'The stock of a product where the shop has one source: the default one’s.',
  outcomes: [
    { status: 404, message: `The Product with the "%1" SKU doesn't exist.`, when: 'No product has this SKU.' },
  ],
  params: z.object({ sku: z.string() }),
  response: stockItem.answer,

  handle: async ({ em, params: { sku } }) => renderStockItem(await readStockItem(em, sku)),
});
