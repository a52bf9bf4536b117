import { fieldsOfTable } from '../../support/search-fields.ts';
import { documentOrderFields } from '../invoices/invoice-fields.ts';
import { createDocumentReader } from '../orders/document-reader.ts';
import { Shipment } from './shipment.entity.ts';

const fieldsOf = fieldsOfTable('s', Shipment);
const { billing_address_id, shipping_address_id } = documentOrderFields;

/** Reads shipments. See `DocumentReader`. */
export const { read: readShipment, search: searchShipments } = createDocumentReader({
  table: 'sales_shipment',
  alias: 's',
  document: 'shipment',
  more: `jsonb_build_object('tracks', (select coalesce(jsonb_agg(t order by t.entity_id), '[]')
    from sales_shipment_track t where t.parent_id = s.entity_id))`,
  fields: {
    ...Object.fromEntries([
      ...fieldsOf('integer', ['entity_id', 'order_id', 'store_id']),
      ...fieldsOf('code', ['increment_id']),
      ...fieldsOf('text', ['source_code']),
      ...fieldsOf('timestamp', ['created_at', 'updated_at']),
      ...fieldsOf('decimal', ['total_qty']),
    ]),
    // Always new: a shipment is never taken back (our choice).
    shipment_status: { column: '1::integer', type: 'integer' },
    ...(billing_address_id && shipping_address_id ? { billing_address_id, shipping_address_id } : {}),
  },
});
