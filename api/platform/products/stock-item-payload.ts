import { z } from 'zod';
import type { StockItemDraft } from '../../../db/platform/catalog/product-draft.ts';
import { flag, integer, payload, quantity, quantityThat } from '../../wire/schemas.ts';

/** Repeats the platform's configuration: ignored, so that an answer can be sent back. */
const readOver = z.unknown().optional();

const noLess = quantityThat((qty) => qty >= 0);
const backorders = integer.superRefine((given, context) => {
  if (given < 0 || given > 2) context.addIssue({ code: 'custom', input: given });
});

/** The stock item that a caller sends (platform facts 9.1). */
export const stockItemPayload = payload({
  itemId: readOver,
  productId: readOver,
  stockId: readOver,
  qty: noLess.nullish(),
  isInStock: flag.nullish(),
  isQtyDecimal: flag.nullish(),
  manageStock: flag.nullish(),
  /** 0 none, 1 or 2 allowed. */
  backorders: backorders.nullish(),
  minQty: quantity.nullish(),
  showDefaultNotificationMessage: readOver,
  useConfigMinQty: readOver,
  useConfigMinSaleQty: flag.nullish(),
  minSaleQty: noLess.nullish(),
  useConfigMaxSaleQty: flag.nullish(),
  maxSaleQty: noLess.nullish(),
  useConfigBackorders: flag.nullish(),
  useConfigNotifyStockQty: readOver,
  notifyStockQty: readOver,
  useConfigQtyIncrements: flag.nullish(),
  qtyIncrements: noLess.nullish(),
  useConfigEnableQtyInc: flag.nullish(),
  enableQtyIncrements: flag.nullish(),
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
  minQty: given.minQty ?? undefined,
  rules: {
    backorders: { usesShops: given.useConfigBackorders, value: given.backorders },
    minSaleQty: { usesShops: given.useConfigMinSaleQty, value: given.minSaleQty },
    maxSaleQty: { usesShops: given.useConfigMaxSaleQty, value: given.maxSaleQty },
    enableQtyIncrements: { usesShops: given.useConfigEnableQtyInc, value: given.enableQtyIncrements },
    qtyIncrements: { usesShops: given.useConfigQtyIncrements, value: given.qtyIncrements },
  },
});
