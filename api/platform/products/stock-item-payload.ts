import { z } from 'zod';
import type { StockItemDraft } from '../../../db/platform/catalog/product-draft.ts';
import { flag, integer, payload, quantity, quantityThat } from '../../wire/schemas.ts';

/** Repeats the platform's configuration: ignored, so that an answer can be sent back. */
const readOver = z.unknown().optional();

/** The stock item that a caller sends (platform facts 9.1). */
export const stockItemPayload = payload({
  itemId: readOver,
  productId: readOver,
  stockId: readOver,
  qty: quantityThat((qty) => qty >= 0).nullish(),
  isInStock: flag.nullish(),
  isQtyDecimal: flag.nullish(),
  manageStock: flag.nullish(),
  /** 0 none, 1 or 2 allowed. */
  backorders: integer.nullish(),
  minQty: quantity.nullish(),
  showDefaultNotificationMessage: readOver,
  useConfigMinQty: readOver,
  useConfigMinSaleQty: readOver,
  minSaleQty: readOver,
  useConfigMaxSaleQty: readOver,
  maxSaleQty: readOver,
  useConfigBackorders: readOver,
  useConfigNotifyStockQty: readOver,
  notifyStockQty: readOver,
  useConfigQtyIncrements: readOver,
  qtyIncrements: readOver,
  useConfigEnableQtyInc: readOver,
  enableQtyIncrements: readOver,
  useConfigManageStock: readOver,
  lowStockDate: readOver,
  isDecimalDivided: readOver,
  stockStatusChangedAuto: readOver,
  extensionAttributes: readOver,
}).meta({ id: 'StockItem' });

/** Translates the request into the catalog's terms. */
export const toStockItemDraft = (given: z.output<typeof stockItemPayload>): StockItemDraft => ({
  quantity: given.qty ?? undefined,
  isInStock: given.isInStock ?? undefined,
  isQtyDecimal: given.isQtyDecimal ?? undefined,
  managesStock: given.manageStock ?? undefined,
  allowsBackorders: given.backorders === null || given.backorders === undefined ? undefined : given.backorders > 0,
  minQty: given.minQty ?? undefined,
});
