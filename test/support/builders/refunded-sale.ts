import type { EntityManager } from '@mikro-orm/postgresql';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { zero } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';

/** Refunds this number of an order's first line with a credit memo, by hand. */
export const refundPieces = (em: EntityManager, sale: { orderId: number; itemIds: number[] }, count: number) =>
  refundOrder(em, {
    orderId: sale.orderId,
    items: sale.itemIds.slice(0, 1).map((orderItemId) => ({ orderItemId, qty: pieces(count) })),
    adjustmentPositive: zero,
    adjustmentNegative: zero,
    returnToStockItemIds: [],
  });
