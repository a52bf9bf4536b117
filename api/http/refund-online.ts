import type { EntityManager } from '@mikro-orm/postgresql';
import type { FixedFigures } from '../../db/platform/credit-memos/book-credit-memo.ts';
import type { ReadReturned } from '../../db/platform/credit-memos/came-back.ts';
import type { InvoiceRow } from '../../db/platform/invoices/invoice.repository.ts';
import type { DocumentRemark } from '../../db/platform/orders/add-document-comment.ts';
import type { LockedOrder } from '../../db/platform/orders/lock-order.ts';
import type { RouteContext } from './route.ts';

/** A refund of one invoice through the gateway that took its money. */
export interface OnlineRefund {
  orderId: number;
  invoiceId: number;
  /** Calculates the figures under the order lock and checks them against what is left. */
  fix: (tx: EntityManager, order: LockedOrder, invoice: InvoiceRow) => Promise<FixedFigures> | FixedFigures;
  returnToStockItemIds: readonly number[];
  comment: DocumentRemark | undefined;
  readReturned: ReadReturned | undefined;
}

/**
 * Calls the gateway once and books the memo when the money went back. Returns the memo's id. Registered in the wiring.
 */
export type RefundOnline = (refund: OnlineRefund, around: RouteContext) => Promise<number>;
