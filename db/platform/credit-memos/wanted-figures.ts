import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import type { GivenMemo } from '../../../domain/platform/credit-memos/given-memo.ts';
import { refuseForeignGoods } from '../../../domain/platform/refuse-foreign-goods.ts';
import { invoiceOf } from '../invoices/invoice.repository.ts';
import type { LockedOrder } from '../orders/lock-order.ts';
import type { FixedFigures } from './book-credit-memo.ts';
import { figuresOfInvoiceRefund } from './refund-invoice.ts';
import type { OrderRefund } from './refund-order.ts';
import { fixedFigures } from './refund-with-totals.ts';

/** Which figures a refund of an invoice has. Plain data, so that it can be carried out elsewhere and later. */
export type WantedFigures =
  | ({ from: 'collectors' } & Pick<
      OrderRefund,
      'items' | 'shippingAmount' | 'adjustmentPositive' | 'adjustmentNegative'
    >)
  | { from: 'caller'; memo: GivenMemo };

export interface WantedMemo {
  invoiceId: number;
  figures: WantedFigures;
  /** Goods that may be sold again. All others are written off. */
  returnToStockItemIds: readonly number[];
}

/**
 * The figures that a refund of an invoice books, by what is left of the order. With an order that is not locked it only
 * judges: they count once they are worked out under the lock.
 *
 * Refused with: 404 an invoice that is unknown or of another order · 400 as `figuresOfInvoiceRefund` and `figuresGiven`
 * say, and goods of another order.
 */
export async function figuresWanted(
  em: EntityManager,
  order: LockedOrder,
  { invoiceId, figures, returnToStockItemIds }: WantedMemo,
): Promise<FixedFigures> {
  const invoice = await invoiceOf(em, invoiceId);
  if (invoice?.orderId !== order.entityId) throw noSuchDocument();
  refuseForeignGoods(order.lines, returnToStockItemIds);
  return figures.from === 'caller'
    ? fixedFigures(order, figures.memo)
    : figuresOfInvoiceRefund(em, { order, invoice, refund: { ...figures, returnToStockItemIds } });
}
