import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import type { Amount } from '../../../domain/money/amount.ts';
import { amount, integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Invoice } from '../invoices/invoice.entity.ts';

export interface RefundOfInvoice {
  orderId: number;
  invoiceId: number;
  baseGrandTotal: Amount;
}

/**
 * Counts a memo towards the invoice it refunds, in the caller's transaction under the order lock (platform facts 7.5).
 * A repeat counts it again. Refused with: 404 an invoice of another order.
 */
export async function countTowardsInvoice(em: EntityManager, refund: RefundOfInvoice): Promise<void> {
  if (!(await count.first(em, refund))) throw noSuchDocument();
}

const count = statement({
  takes: { orderId: integer, invoiceId: integer, baseGrandTotal: amount },
  gives: of(Invoice, 'entityId'),
  text: `
    update sales_invoice
    set is_used_for_refund = true, base_total_refunded = base_total_refunded + $baseGrandTotal, updated_at = now()
    where entity_id = $invoiceId and order_id = $orderId returning entity_id`,
});
