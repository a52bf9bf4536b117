import type { EntityManager } from '@mikro-orm/postgresql';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { zero, pieces } from '../../../domain/money.ts';

/** Refunds this number of an order's first line with a credit memo, by hand. */
export const refundPieces = (em: EntityManager, sale: { orderId: number; itemIds: number[] }, count: number) =>
  refundOrder(em, {
    orderId: sale.orderId,
    items: sale.itemIds.slice(0, 1).map((orderItemId) => ({ orderItemId, qty: pieces(count) })),
    adjustmentPositive: zero,
    adjustmentNegative: zero,
    returnToStockItemIds: [],
  });
