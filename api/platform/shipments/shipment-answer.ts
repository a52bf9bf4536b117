import { z } from 'zod';
import { eachOf } from '../../wire/each-of.ts';
import { documentCommentAnswer } from '../../wire/document-comment.ts';

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
export const shipmentColumns = Object.keys(ownShape);
export const shipmentOrderColumns = Object.keys(orderShape);
export const shipmentItemColumns = Object.keys(itemShape);
export const trackColumns = Object.keys(trackShape);

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
