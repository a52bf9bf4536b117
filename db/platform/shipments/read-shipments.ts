import type { SearchField, SearchType } from '../../support/search-condition.ts';
import { documentOrderFields } from '../invoices/invoice-fields.ts';
import { createDocumentReader } from '../orders/document-reader.ts';

const { billing_address_id, shipping_address_id } = documentOrderFields;

/** Reads shipments. See `DocumentReader`. */
export const { read: readShipment, search: searchShipments } = createDocumentReader({
  table: 'sales_shipment',
  alias: 's',
  document: 'shipment',
  fields: {
    ...fieldsOf('integer', ['entity_id', 'order_id', 'store_id']),
    ...fieldsOf('code', ['increment_id']),
    ...fieldsOf('text', ['source_code']),
    ...fieldsOf('timestamp', ['created_at', 'updated_at']),
    ...fieldsOf('decimal', ['total_qty']),
    ...(billing_address_id && shipping_address_id ? { billing_address_id, shipping_address_id } : {}),
  },
});

function fieldsOf(type: SearchType, columns: readonly string[]): Record<string, SearchField> {
  return Object.fromEntries(columns.map((column) => [column, { column: `s.${column}`, type }]));
}
