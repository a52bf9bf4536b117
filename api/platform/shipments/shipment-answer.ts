import { z } from 'zod';
import type { DocumentSheet } from '../../../db/platform/orders/search-documents.ts';
import type { SheetRow } from '../../../db/support/sheet-row.ts';
import type { Outcome } from '../../http/route.ts';
import { eachOf } from '../../wire/rows.ts';
import { documentCommentAnswer, renderDocumentComment } from '../../wire/documents.ts';
import { unknownDocument, renderRow } from '../../wire/outcomes.ts';

/** The form of shipments in answers (platform facts 5.5). */

type Shape = Record<string, z.ZodType>;

const ownShape: Shape = {
  ...eachOf(['entity_id', 'order_id', 'store_id'], z.int()),
  ...eachOf(['increment_id', 'created_at', 'updated_at'], z.string()),
  total_qty: z.number(),
  email_sent: z.int().optional(),
  shipping_label: z.string().optional(),
};

const orderShape: Shape = eachOf(['billing_address_id', 'shipping_address_id'], z.int().optional());

const itemShape: Shape = {
  ...eachOf(['entity_id', 'parent_id', 'order_item_id'], z.int()),
  product_id: z.int().optional(),
  sku: z.string(),
  name: z.string().optional(),
  qty: z.number(),
};

const trackShape: Shape = {
  ...eachOf(['entity_id', 'order_id', 'parent_id'], z.int()),
  ...eachOf(['track_number', 'title', 'carrier_code', 'created_at', 'updated_at'], z.string()),
};

/** Columns that are copied unchanged. */
const shipmentColumns = Object.keys(ownShape);
const shipmentOrderColumns = Object.keys(orderShape);
const shipmentItemColumns = Object.keys(itemShape);
const trackColumns = Object.keys(trackShape);

const wholeTrack: Shape = {
  ...trackShape,
  description: z.string().nullable(),
  ...eachOf(['weight', 'qty'], z.number().nullable()),
};
export const trackAnswer = z.strictObject(wholeTrack);

const wholeShape: Shape = {
  ...ownShape,
  ...orderShape,
  items: z.array(z.strictObject(itemShape)),
  tracks: z.array(trackAnswer),
  comments: z.array(documentCommentAnswer),
  extension_attributes: z.strictObject({ source_code: z.string() }),
};

export const shipmentAnswer = z.strictObject(wholeShape).meta({ id: 'Shipment' });

/** A shipment in answers, with the source of its goods (platform facts 5.5, 10). */
export const renderShipment = ({ document, items, comments, order }: DocumentSheet): Record<string, unknown> => ({
  ...renderRow(document, shipmentColumns),
  ...renderRow(order, shipmentOrderColumns),
  items: items.map((item) => renderRow(item, shipmentItemColumns)),
  tracks: renderTracks(document),
  comments: comments.map(renderDocumentComment),
  extension_attributes: { source_code: document['source_code'] },
});

const renderTracks = ({ tracks }: DocumentSheet['document']) =>
  Array.isArray(tracks) ? tracks.map((track: SheetRow) => renderTrack(track)) : [];

/**
 * A parcel as answers have it. What its caller left out is null: the platform always says these (platform facts 14).
 */
export const renderTrack = (track: SheetRow): Record<string, unknown> => ({
  ...renderRow(track, trackColumns),
  description: track['description'],
  weight: track['weight'],
  qty: track['qty'],
});

/** Texts of the routes of shipments. */

export const trackExample = {
  entity_id: 4,
  order_id: 42,
  parent_id: 9,
  track_number: 'Z9',
  title: 'Bike courier',
  carrier_code: 'custom',
  created_at: '2026-11-21 09:30:00',
  updated_at: '2026-11-21 09:30:00',
  description: null,
  weight: null,
  qty: null,
};

export const shipmentExample = {
  entity_id: 9,
  order_id: 42,
  store_id: 1,
  increment_id: '000000009',
  created_at: '2026-11-21 09:30:00',
  updated_at: '2026-11-21 09:30:00',
  total_qty: 1,
  billing_address_id: 51,
  items: [{ entity_id: 3, parent_id: 9, order_item_id: 3, product_id: 12, sku: 'MUG-WHITE', name: 'Mug', qty: 1 }],
  tracks: [trackExample],
  comments: [],
  extension_attributes: { source_code: 'high_street' },
};

export const unknownShipment: Outcome = unknownDocument('The shipment, its order or the parcel is unknown.');
