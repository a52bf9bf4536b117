import type { EntityManager } from '@mikro-orm/postgresql';
import type { RowOf } from '../../support/entity-columns.ts';
import { keep, kept, saveRows } from '../../support/kept-rows.ts';
import { integer } from '../../support/kinds.ts';
import { rowOf } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Invoice, InvoiceItem, invoiceStates } from './invoice.entity.ts';

/** Rows of invoices. They have no lock of their own: the lock of their order covers them. */

export type InvoiceRow = RowOf<typeof Invoice>;
export type InvoiceLine = RowOf<typeof InvoiceItem>;

/** The invoices of an order, the oldest first. */
export const invoicesOfOrder = async (em: EntityManager, orderId: number): Promise<InvoiceRow[]> =>
  (await readAll.all(em, { orderId })).map((found) => keep(found.invoice));

/** The open invoices of an order. */
export const openInvoicesOfOrder = async (em: EntityManager, orderId: number): Promise<InvoiceRow[]> =>
  (await invoicesOfOrder(em, orderId)).filter(({ state }) => state === invoiceStates.open);

export async function invoiceOf(em: EntityManager, invoiceId: number): Promise<InvoiceRow | undefined> {
  const found = await read.first(em, { invoiceId });
  return found && keep(found.invoice);
}

export const linesOfInvoice = async (em: EntityManager, invoiceId: number): Promise<InvoiceLine[]> =>
  (await readLines.all(em, { invoiceId })).map((found) => found.line);

/** Writes the changes of an invoice, before something reads it from the database or the transaction ends. */
export const saveInvoiceRow = (em: EntityManager, invoice: InvoiceRow): Promise<void> =>
  saveRows(em, [keptInvoice(invoice)]);

/** For saving an invoice together with other rows. */
export const keptInvoice = (invoice: InvoiceRow) => kept(Invoice, [invoice]);

const [invoice, line] = [rowOf(Invoice, 'i'), rowOf(InvoiceItem, 'l')];

const readAll = statement({
  takes: { orderId: integer },
  gives: { invoice },
  text: `select ${invoice.columns} from sales_invoice i where i.order_id = $orderId order by i.entity_id`,
});

const read = statement({
  takes: { invoiceId: integer },
  gives: { invoice },
  text: `select ${invoice.columns} from sales_invoice i where i.entity_id = $invoiceId`,
});

const readLines = statement({
  takes: { invoiceId: integer },
  gives: { line },
  text: `select ${line.columns} from sales_invoice_item l where l.parent_id = $invoiceId order by l.entity_id`,
});
