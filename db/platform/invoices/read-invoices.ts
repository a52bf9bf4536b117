import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search, type Found } from '../../support/search.ts';
import type { SheetRow } from '../orders/read-orders.ts';
import { invoiceFields } from './invoice-fields.ts';

/** An invoice with all that its answer shows, straight from the tables. */
export interface InvoiceSheet {
  invoice: SheetRow;
  items: readonly SheetRow[];
  /** Newest first. */
  comments: readonly SheetRow[];
  /** The order's currencies, rates and addresses. */
  order: SheetRow;
}

/** One invoice. Refused with: 404 unknown invoice. */
export async function readInvoice(em: EntityManager, invoiceId: number): Promise<InvoiceSheet> {
  const [sheet] = await em.execute<InvoiceSheet[]>(`select ${sheetColumns} from ${table} where i.entity_id = ?`, [
    invoiceId,
  ]);
  if (!sheet) throw noSuchDocument();
  return sheet;
}

/** The invoices a caller searches for, by any column of theirs. One round trip. */
export const searchInvoices = (em: EntityManager, criteria: SearchCriteria): Promise<Found<InvoiceSheet>> =>
  search<InvoiceSheet>(em, criteria, {
    table,
    columns: sheetColumns,
    fields: invoiceFields,
    order: 'i.entity_id',
  });

const table = 'sales_invoice i join sales_order o on o.entity_id = i.order_id';

const sheetColumns = `
  to_json(i) as invoice,
  (select coalesce(json_agg(l order by l.entity_id), '[]') from sales_invoice_item l where l.parent_id = i.entity_id)
    as items,
  (select coalesce(json_agg(c order by c.created_at desc, c.entity_id desc), '[]') from sales_document_comment c
   where c.document = 'invoice' and c.parent_id = i.entity_id) as comments,
  json_build_object(
    'base_currency_code', o.base_currency_code, 'global_currency_code', o.global_currency_code,
    'order_currency_code', o.order_currency_code, 'store_currency_code', o.store_currency_code,
    'base_to_global_rate', o.base_to_global_rate, 'base_to_order_rate', o.base_to_order_rate,
    'store_to_base_rate', o.store_to_base_rate, 'store_to_order_rate', o.store_to_order_rate,
    'billing_address_id', o.billing_address_id, 'shipping_address_id', o.shipping_address_id) as "order"`;
