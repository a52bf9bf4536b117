import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { saveRows } from '../../support/kept-rows.ts';
import { integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { lockOrder, rowsOfOrder, type LockedOrder } from '../orders/lock-order.ts';
import { Invoice } from './invoice.entity.ts';
import { invoiceOf, keptInvoice, type InvoiceRow } from './invoice.repository.ts';

export interface LockedInvoice {
  order: LockedOrder;
  invoice: InvoiceRow;
}

/**
 * One transaction under the lock of an invoice's order, with both as they are now. What `work` changes of them is
 * written at its end. Refused with: 404 unknown invoice.
 */
export const withInvoice = <Result>(
  em: EntityManager,
  invoiceId: number,
  work: (tx: EntityManager, locked: LockedInvoice) => Promise<Result>,
): Promise<Result> =>
  transact(em, async (tx) => {
    const locked = await lockInvoice(tx, invoiceId);
    const result = await work(tx, locked);
    await saveRows(tx, [...rowsOfOrder(locked.order), keptInvoice(locked.invoice)]);
    return result;
  });

async function lockInvoice(em: EntityManager, invoiceId: number): Promise<LockedInvoice> {
  const order = await lockOrder(em, await orderOfInvoice(em, invoiceId));
  const invoice = await invoiceOf(em, invoiceId);
  if (!invoice) throw noSuchDocument();
  return { order, invoice };
}

/** The order of an invoice; it never changes. Refused with: 404 unknown invoice. */
export async function orderOfInvoice(em: EntityManager, invoiceId: number): Promise<number> {
  const found = await orderOf.first(em, { invoiceId });
  if (!found) throw noSuchDocument();
  return found.orderId;
}

const orderOf = statement({
  takes: { invoiceId: integer },
  gives: of(Invoice, 'orderId'),
  text: 'select order_id from sales_invoice where entity_id = $invoiceId',
});
