import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { invoiceStates } from './invoice.entity.ts';
import { withInvoice } from './lock-invoice.ts';
import { payOpened } from './mark-invoice-paid.ts';
import { releaseVirtual } from './release-virtual.ts';

/**
 * Pays an open invoice, as the register's settlement of a layaway does (platform facts 6, 12.4).
 *
 * Under the order lock; of several calls one succeeds and the others are refused.
 *
 * Refused with: 404 unknown invoice · 400 an invoice that is paid or cancelled, an order that is over, a layaway that
 * still owes something.
 *
 * @returns the order's id
 */
export const payInvoice = (em: EntityManager, invoiceId: number): Promise<number> =>
  withInvoice(em, invoiceId, async (tx, { order, invoice }) => {
    if (invoice.state !== invoiceStates.open) throw invalid('The capture action is not available.');
    await payOpened(tx, order, invoice);
    await applyOrderState(tx, order, 'save');
    await releaseVirtual(tx, order, invoice);
    return order.entityId;
  });
